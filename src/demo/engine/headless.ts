// A scripted agent without a terminal: started by the Runner for a task, or as a member of a crew.
import type { Returned } from '#contract/thread.ts'
import { actFor } from './acts.ts'
import { Hand } from './hand.ts'
import { isFirstTime } from './first-time.ts'

type Told = { prompt: string; pace: number }

/** Long enough to see it count down. */
const SPENT_S = 30

/** Signs in with its ticket, gets its task, works, reports, ends. */
export async function workAsAgent({ prompt, pace, isSpare }: Told & { isSpare: boolean }): Promise<void> {
  if (isSpare && isFirstTime('spent')) return spent(pace)
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
  const told = Array.isArray(given.body['decisions']) ? JSON.stringify(given.body['decisions']) : ''
  const assignment = { taskId: task.task_id, title: task.title, projectId, returned, told }
  const report = await actFor(assignment)(hand, assignment)
  const reported = await hand.call('report_completed', { session_token, result: 'success', ...report })
  return hand.end(reported.isError ? reported.text : report.summary, reported.isError)
}

/** Reads and runs the tests, and says what it found. */
export async function workInCrew({ run, prompt, pace }: Told & { run: string }): Promise<void> {
  const hand = await Hand.open(pace)
  const role = /You are the demo (\w+)/.exec(prompt)?.[1]
  if (role === 'reviewer' && isFirstTime('reviewed')) return failed(hand)
  const summary =
    role === 'tester' ? await tested(hand) : role === 'planner' ? await planned(hand) : await reviewed(hand)
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

/** The second stage. */
async function planned(hand: Hand): Promise<string> {
  await hand.say('I read what the first stage found, and put it in order.')
  await hand.read('docs/仕様.md')
  await hand.pause(2)
  return 'First the prices as integers, then the rounding of the total as docs/仕様.md says, then the split of cart.js. The review failed once and is to be run again.'
}

/** As an agent program says it, so that the hub pauses the engine until then. */
async function spent(pace: number): Promise<void> {
  const hand = await Hand.open(pace)
  const seconds = Math.max(2, Math.round(SPENT_S * pace))
  return hand.end(
    `Usage limit reached (by the script: this account has no model). Try again in ${seconds} seconds.`,
    true,
  )
}

/** For a person to see what a failure looks like, and to run it again. */
async function failed(hand: Hand): Promise<void> {
  await hand.say('I read the cart and what it is made of.')
  await hand.read('src/cart.js')
  // After the question in the terminal, which a newcomer should meet first.
  await hand.pause(20)
  return hand.end('This review fails once, as the script says. Run it again: then it succeeds.', true)
}

/** Both languages of the prompt name it the same way. */
function idIn(prompt: string, name: string): string {
  return new RegExp(`${name} "([^"]+)"`).exec(prompt)?.[1] ?? ''
}
