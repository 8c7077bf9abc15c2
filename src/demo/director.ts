// Moves the scene on: each step follows from something that happened in the hub. How long agents take is in the scripted engine alone.
import type { Client } from '#client/api.ts'
import { type EventsEndpoint, followEvents } from '#client/follow-events.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { ENGINE, LOGIN_BRANCH, MAIL_BRANCH, PROJECT, TASKS } from './scene.ts'

export type Direction = {
  client: Client
  endpoint: EventsEndpoint
  /** The shop's folder. */
  directory: string
  /** How long the scene waits for the first page, so that a newcomer sees its beginning there. */
  pageWaitMs: number
  /** The last event before the scene. */
  since: number
  signal: AbortSignal
}

/** Resolves when the last step is made, or with `signal`. */
export async function direct(direction: Direction): Promise<void> {
  const { endpoint, since, signal } = direction
  const steps = [
    { when: 'instance.signed_in', make: runCrew },
    { when: 'agent:result_reported', make: openTabs },
    { when: 'task.verified', make: useUpAccount },
    { when: 'engine.paused', make: advancePhase },
  ]
  await firstPage(direction)
  if (signal.aborted) return
  await beginWork(direction)
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

async function runCrew({ client, directory }: Direction): Promise<void> {
  const reviewer = { role: 'reviewer', prompt: 'Review the cart: src/cart.js and what it uses.' }
  const tester = { role: 'tester', prompt: 'Test the cart as a customer would. カートを試してください。' }
  const planner = { role: 'planner', prompt: 'Plan what follows from the reports on the cart.' }
  const stages = [{ tasks: [reviewer, tester] }, { tasks: [planner] }]
  // The reviewer fails by the script: the second stage comes all the same.
  const plan = { mode: 'sequential' as const, stages, on_failure: 'continue' as const }
  await client.call('crew.run', { description: 'Review the cart', ...plan, directory })
}

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

async function advancePhase({ client }: Direction): Promise<void> {
  const project_id = PROJECT as ProjectId
  const summary = 'The skeleton stands: cart, prices, catalogue and login, each with its file.'
  await client.call('phase.advance', { project_id, status: 'completed', summary })
}
