// Moves the scene on: each step follows from something that happened in the hub. How long agents take is in the scripted engine alone.
import type { Client } from '#client/api.ts'
import { type EventsEndpoint, followEvents } from '#client/follow-events.ts'
import { TerminalLink } from '#client/terminal-link.ts'
import type { Lang, Text } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { answerAlone } from './alone.ts'
import { ENGINE, LOGIN_BRANCH, MAIL_BRANCH, NO_ANSWER, PROJECT, TASKS } from './scene.ts'

export type Direction = {
  client: Client
  endpoint: EventsEndpoint
  /** The shop's folder. */
  directory: string
  lang: Lang
  /** How long the scene waits for the first page, so that a newcomer sees its beginning there. */
  pageWaitMs: number
  /** How many pages are open. */
  pages: () => number
  /** How long the question waits for its answer while none is. */
  patienceMs: number
  /** The last event before the scene. */
  since: number
  signal: AbortSignal
}

/** Resolves when the last step is made and the question is answered, or with `signal`. */
export async function direct(direction: Direction): Promise<void> {
  await firstPage(direction)
  if (direction.signal.aborted) return
  await beginWork(direction)
  await Promise.all([followScript(direction), answerQuestion(direction)])
}

async function followScript(direction: Direction): Promise<void> {
  const { endpoint, since, signal } = direction
  const steps = [
    { when: 'instance.signed_in', make: runCrew },
    { when: 'agent:result_reported', make: openTabs },
    { when: 'task.verified', make: useUpAccount },
    { when: 'engine.paused', make: advancePhase },
  ]
  for await (const event of followEvents({ find: async () => endpoint, since, signal })) {
    if (event === undefined || event.type !== steps[0]?.when) continue
    await steps.shift()?.make(direction)
    if (steps.length === 0) return
  }
}

/** Some people look at the terminal alone: the scene begins without a page, too. */
async function firstPage({ endpoint, since, signal, pageWaitMs }: Direction): Promise<void> {
  if (pageWaitMs === 0) return
  const limit = AbortSignal.any([signal, AbortSignal.timeout(pageWaitMs)])
  for await (const event of followEvents({ find: async () => endpoint, since, signal: limit }))
    if (event?.type === 'page.signed_in') return
}

/** The Runner starts every agent that has a task in progress. */
async function beginWork({ client }: Direction): Promise<void> {
  for (const task_id of [TASKS.prices, TASKS.rounding] as TaskId[])
    await client.call('task.move', { task_id, status: 'in_progress' })
}

async function answerQuestion({ client, endpoint, pages, patienceMs, signal }: Direction): Promise<void> {
  const asking = async () => {
    const { tabs } = await client.call('tab.list', {})
    return tabs.find(({ branch, status }) => branch === LOGIN_BRANCH && status === 'waiting')?.tab_id
  }
  await answerAlone({ asking, press: tab => press(endpoint, tab), pages, patienceMs, signal })
}

const NOTHING = () => {}

async function press(endpoint: EventsEndpoint, tab: string): Promise<void> {
  const { url, token } = endpoint
  const shown = { screen: NOTHING, output: NOTHING, resized: NOTHING, ended: NOTHING, notice: NOTHING, closed: NOTHING }
  const terminal = await TerminalLink.open({ url, token }, { tab }, shown)
  terminal.input(Buffer.from(NO_ANSWER))
  terminal.close()
}

async function runCrew({ client, directory, lang }: Direction): Promise<void> {
  const say = (text: Text) => text[lang]
  const reviewer = { role: 'reviewer', prompt: say(PROMPTS.review) }
  const tester = { role: 'tester', prompt: say(PROMPTS.test) }
  const planner = { role: 'planner', prompt: say(PROMPTS.plan) }
  const stages = [{ tasks: [reviewer, tester] }, { tasks: [planner] }]
  // The reviewer fails by the script: the second stage comes all the same.
  const plan = { mode: 'sequential' as const, stages, on_failure: 'continue' as const }
  await client.call('crew.run', { description: say(PROMPTS.crew), ...plan, directory })
}

const PROMPTS = {
  crew: { en: 'Review the cart', ja: 'カートのレビュー' },
  review: {
    en: 'Review the cart: src/cart.js and what it uses.',
    ja: 'カートをレビューしてください: src/cart.js と、それが使うコード。',
  },
  test: { en: 'Test the cart as a customer would.', ja: '客の立場でカートを試してください。' },
  plan: {
    en: 'Plan what follows from the reports on the cart.',
    ja: 'カートの報告をもとに、次の進め方を決めてください。',
  },
} satisfies Record<string, Text>

async function openTabs({ client }: Direction): Promise<void> {
  const project_id = PROJECT as ProjectId
  // Sora writes to the agent in it.
  await client.call('tab.launch', { engine: ENGINE, project_id, branch: MAIL_BRANCH })
  const task_id = TASKS.login as TaskId
  await client.call('task.edit', { task_id, branch: LOGIN_BRANCH })
  await client.call('tab.launch', { engine: ENGINE, task_id })
  // Only now: the Runner starts no agent in a workspace where a tab is at work.
  await client.call('task.move', { task_id, status: 'in_progress' })
}

/** Of the agent that begins now; it comes back. Not before there is a question and a change: a newcomer begins with those. */
async function useUpAccount({ client }: Direction): Promise<void> {
  await client.call('task.move', { task_id: TASKS.release, status: 'in_progress' })
}

async function advancePhase({ client, lang }: Direction): Promise<void> {
  const project_id = PROJECT as ProjectId
  const summary = {
    en: 'The skeleton stands: cart, prices, catalogue and login, each with its file.',
    ja: 'カート、価格、カタログ、ログインの骨組みができました。',
  }[lang]
  await client.call('phase.advance', { project_id, status: 'completed', summary })
}
