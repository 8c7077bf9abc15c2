// A scripted agent without a terminal: started by the Runner for a task, or as a member of a crew.
import type { Returned } from '#contract/thread.ts'
import { actFor } from './acts.ts'
import { Hand } from './hand.ts'

type Told = { prompt: string; pace: number }

/** Signs in with its ticket, gets its task, works, reports, ends. */
export async function workAsAgent({ prompt, pace }: Told): Promise<void> {
  const agentId = idIn(prompt, 'agent_id')
  const projectId = idIn(prompt, 'project_id')
  const hand = await Hand.open(pace)
  const signedIn = await hand.call('authenticate', { agent_id: agentId, project_id: projectId })
  const session_token = signedIn.body['session_token']
  const given = await hand.call('get_my_task', { session_token })
  const task = given.body['task'] as { task_id: string; title: string } | undefined
  if (!task) {
    await hand.call('report_completed', { session_token, result: 'success' })
    return hand.end('Nothing to do.')
  }
  const returned = given.body['returned'] as Returned | undefined
  const assignment = { taskId: task.task_id, title: task.title, projectId, returned }
  const report = await actFor(assignment)(hand, assignment)
  const reported = await hand.call('report_completed', { session_token, result: 'success', ...report })
  return hand.end(reported.isError ? reported.text : report.summary, reported.isError)
}

/** Reads and runs the tests, and says what it found. */
export async function workInCrew({ run, prompt, pace }: Told & { run: string }): Promise<void> {
  const hand = await Hand.open(pace)
  const summary = prompt.includes('demo tester') ? await tested(hand) : await reviewed(hand)
  const reported = await hand.call('report_result', { agentId: run, status: 'success', summary })
  return hand.end(reported.isError ? reported.text : summary, reported.isError)
}

async function tested(hand: Hand): Promise<string> {
  await hand.say('I run what is there, then I try the cart as a customer would.')
  const { passed, failed } = await hand.test()
  await hand.pause(4)
  return `node --test: ${passed} passed, ${failed} failed. An empty cart costs nothing; the same item twice is one line.`
}

async function reviewed(hand: Hand): Promise<string> {
  await hand.say('I read the cart and what it is made of.')
  for (const file of ['src/cart.js', 'src/price.js', 'docs/仕様.md']) await hand.read(file)
  await hand.pause(3)
  await hand.say('Sums of decimal prices are not exact.')
  return 'Good with changes. src/price.js: prices are decimal numbers, so that sums are not exact; store integers. src/cart.js: the total is not rounded as docs/仕様.md says.'
}

/** Both languages of the prompt name it the same way. */
function idIn(prompt: string, name: string): string {
  return new RegExp(`${name} "([^"]+)"`).exec(prompt)?.[1] ?? ''
}
