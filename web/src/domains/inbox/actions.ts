// What can be done about an item. Each is a call of the hub; the item goes when the facts have changed.
import type { QueryClient } from '@tanstack/react-query'
import type { InboxItem } from '#contract/inbox.ts'
import { call, Refused, write } from '../../hub/call.ts'
import { notify } from '../../parts/notices.tsx'
import { currentWords } from '../../words/words.ts'
import { stepWords } from './step-words.ts'
import { sidesOf } from './item-words.tsx'
import { questionOf } from './model.ts'
import { quotedNames } from './quoted-names.ts'
import { INBOX, leaves, without } from './queries.ts'

/** Throws what the hub refuses: it is said beside the field. */
export async function answer(queries: QueryClient, item: InboxItem, text: string): Promise<void> {
  if (item.task_id === null) return
  await write('task.answer', { task_id: item.task_id, answer: text })
  gone(queries, item, currentWords().needs.answered(item.title))
}

/** The plain step of an item, for its button and for `e`. */
export async function settle(queries: QueryClient, item: InboxItem): Promise<void> {
  const { needs, error: errors } = currentWords()
  try {
    switch (item.kind) {
      case 'run_failed':
      case 'overlap':
      case 'handoff':
      case 'message_failed':
      case 'not_startable':
      case 'no_runner':
      case 'decision_replaced':
      case 'crew_ended':
      case 'phase_ended':
      case 'undo_failed':
        return atOnce(queries, item, needs.dismissed, () => write('inbox.seen', { item_id: item.item_id }))
      case 'engine_paused':
        await write('engine.resume', { engine: item.title })
        return gone(queries, item, needs.resumed(item.title))
      case 'untrusted':
        if (item.project_id === null) return
        await trust(item, item.project_id)
        return gone(queries, item, needs.trusted)
      case 'command':
        return await allow(queries, item)
      default:
        return
    }
  } catch (error) {
    notify({ kind: 'failed', text: item.title, detail: error instanceof Refused ? error.message : errors.unreached })
  }
}

/** What the item showed, and nothing that came into the folder since. A workspace is a folder of its own. */
function trust({ runner, title, seen }: InboxItem, project_id: string): Promise<unknown> {
  const where = runner === null ? { from: title } : { runner }
  return write('project.trust', { project_id, ...where, ...(seen !== null && { seen }) })
}

/** The very command that the item showed, on the hub's machine. */
function allow(queries: QueryClient, item: InboxItem): Promise<void> {
  const { project_id, allows } = item
  if (project_id === null || allows === null) return Promise.resolve()
  const { check: name, command } = allows
  return step(queries, item, stepWords[currentWords().code].allowed, () =>
    name === null
      ? write('worktree.setup.trust', { project_id, seen: command })
      : write('project.check.trust', { project_id, name, seen: [{ name, command }] }),
  )
}

/** A run that failed, once more. If that fails, too, it is an item of its own. */
export async function again(queries: QueryClient, item: InboxItem): Promise<void> {
  const { code, error: errors } = currentWords()
  if (item.run_id === null) return
  try {
    await write('run.repeat', { run_id: item.run_id })
    await write('inbox.seen', { item_id: item.item_id })
    gone(queries, item, `${stepWords[code].again}: ${item.title}`)
  } catch (error) {
    notify({ kind: 'failed', text: item.title, detail: error instanceof Refused ? error.message : errors.unreached })
  }
}

/** Another person was faster. */
class Taken extends Error {}

function whyNot(error: unknown): string {
  const { code, error: errors } = currentWords()
  if (error instanceof Taken) return stepWords[code].taken
  return error instanceof Refused ? error.message : errors.unreached
}

/** One call about an item, and the item is gone. */
async function step(queries: QueryClient, item: InboxItem, text: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
    gone(queries, item, text)
  } catch (error) {
    void queries.invalidateQueries({ queryKey: INBOX })
    notify({ kind: 'failed', text: item.title, detail: whyNot(error) })
  }
}

/** Gone before the hub has agreed; back, with its sentence, when it does not. */
async function atOnce(queries: QueryClient, item: InboxItem, text: string, act: () => Promise<unknown>): Promise<void> {
  const { error: errors, notice } = currentWords()
  leaves(item.item_id, true)
  try {
    await act()
    notify({ kind: 'done', text })
    await queries.invalidateQueries({ queryKey: INBOX })
  } catch (error) {
    const detail = error instanceof Refused ? error.message : errors.unreached
    const again = { label: notice.again, run: () => void atOnce(queries, item, text, act) }
    notify({ kind: 'failed', text: item.title, detail, action: again })
  } finally {
    leaves(item.item_id, false)
  }
}

/** All of its crew that did not succeed. */
export function onlyFailed(queries: QueryClient, item: InboxItem): Promise<void> {
  const { onlyFailed: text } = stepWords[currentWords().code]
  return step(queries, item, `${text}: ${item.title}`, async () => {
    await write('crew.repeat', { crew_id: item.crew_id ?? '', only_failed: true })
    await write('inbox.seen', { item_id: item.item_id })
  })
}

/** To an agent of its project, which begins at once. */
export function give(queries: QueryClient, item: InboxItem, agent: { id: string; name: string }): Promise<void> {
  const { given } = stepWords[currentWords().code]
  const task_id = item.task_id ?? ''
  return step(queries, item, given(item.handle ?? item.title, agent.name), async () => {
    if (item.kind === 'handoff') return accept(task_id, agent.id)
    await write('task.assign', { task_id, agent_id: agent.id })
    await write('task.move', { task_id, status: 'in_progress' })
  })
}

/** By the agent that the hub picks. */
export async function startIt(queries: QueryClient, item: InboxItem): Promise<void> {
  const { noneToStart } = stepWords[currentWords().code]
  try {
    const { agent } = (await call('agent.pick', { project_id: item.project_id ?? '' })).value
    if (agent !== null) return await give(queries, item, { id: agent.agent_id, name: agent.name })
    notify({ kind: 'failed', text: item.title, detail: noneToStart })
  } catch (error) {
    notify({ kind: 'failed', text: item.title, detail: whyNot(error) })
  }
}

/** The agent goes on with it, and the handoff says who took it. */
async function accept(task_id: string, agent_id: string): Promise<void> {
  const [open] = (await call('handoff.list', { task_id })).value.handoffs
  if (!open) throw new Taken()
  await write('handoff.accept', { handoff_id: open.handoff_id, agent_id })
}

/** What people were told that accepting leaves out, by item. */
const told = new Map<string, string>()

/**
 * Its checks run again where it is merged: that is where they count. What was changed in its workspace after the report would be left
 * out: that is said first, and the next press accepts.
 */
export async function acceptAnyway(queries: QueryClient, item: InboxItem): Promise<void> {
  const { accepted, leavesOut } = stepWords[currentWords().code]
  const task_id = item.task_id ?? ''
  const seen = await reviewed(item, task_id)
  if (!seen) return
  if (seen.files !== '' && told.get(item.item_id) !== seen.files) {
    told.set(item.item_id, seen.files)
    return notify({ kind: 'failed', text: item.title, detail: leavesOut(seen.files) })
  }
  await step(queries, item, accepted(item.handle ?? item.title), () =>
    write('task.verdict', { task_id, decision: 'accept', ...(seen.commit !== null && { commit: seen.commit }) }),
  )
}

/** What a verdict would be on, and what it would leave out. */
async function reviewed({ title }: InboxItem, task_id: string) {
  try {
    const { changed_since: changed, snapshot } = (await call('task.review', { task_id })).value
    return { files: changed.join(', '), commit: snapshot?.commit ?? null }
  } catch (error) {
    notify({ kind: 'failed', text: title, detail: whyNot(error) })
    return undefined
  }
}

/** No agent goes on with it. */
export function cancelTask(queries: QueryClient, item: InboxItem): Promise<void> {
  const { cancelled } = stepWords[currentWords().code]
  const task_id = item.task_id ?? ''
  return atOnce(queries, item, cancelled(item.handle ?? item.title), () =>
    write('task.move', { task_id, status: 'cancelled' }),
  )
}

/** So that the same is not asked again: the answer, with the question as its reason. */
export async function keepAsDecision(item: InboxItem, text: string): Promise<void> {
  const words = stepWords[currentWords().code]
  const question = (item.kind === 'tab_waits' ? questionOf(item.detail) : item.detail) ?? item.title
  try {
    const { value } = await write('memory.decision.add', {
      ...{ decision: text, reason: words.keptReason(question) },
      ...(item.project_id !== null && { project_id: item.project_id }),
      ...(item.task_id !== null && { task_ids: [item.task_id] }),
    })
    notify({ kind: 'done', text: words.kept(value.id) })
  } catch (error) {
    const detail = error instanceof Refused ? error.message : currentWords().error.unreached
    notify({ kind: 'failed', text: words.keep, detail })
  }
}

export function sendAgain(queries: QueryClient, item: InboxItem): Promise<void> {
  const { sentAgain } = stepWords[currentWords().code]
  return step(queries, item, sentAgain, () =>
    write('tab.send', { tab_id: item.tab_id ?? '', message: item.detail ?? '' }),
  )
}

/** Those of them that have a terminal; the others read it with their task. */
export function tellBoth(queries: QueryClient, item: InboxItem): Promise<void> {
  const words = stepWords[currentWords().code]
  const message = words.facts(...sidesOf(item), quotedNames(item.detail))
  return step(queries, item, words.told, async () => {
    for (const { tab_id } of item.sides) if (tab_id !== null) await write('tab.send', { tab_id, message })
    await write('inbox.seen', { item_id: item.item_id })
  })
}

/** In its terminal; without one, its run ends and the next one reads what stands now. */
export function tellDecision(queries: QueryClient, item: InboxItem): Promise<void> {
  const words = stepWords[currentWords().code]
  const { tab_id, task_id, item_id, detail } = item
  if (tab_id !== null)
    return step(queries, item, words.agentTold(item.agent_name ?? item.title), async () => {
      await write('tab.send', { tab_id, message: words.newDecision(detail ?? '') })
      await write('inbox.seen', { item_id })
    })
  return step(queries, item, words.startedAgain(item.handle ?? item.title), async () => {
    for (const status of ['todo', 'in_progress'] as const) await write('task.move', { task_id: task_id ?? '', status })
    // The run of an agent that signed in from a chat of its own goes on, and would be listed for as long.
    await write('inbox.seen', { item_id })
  })
}

/** The first of the two is not worked on until the second is accepted. */
export function waitFor(
  queries: QueryClient,
  item: InboxItem,
  one: string,
  other: string,
  text: string,
): Promise<void> {
  return step(queries, item, text, async () => {
    await write('task.link', { task_id: one, depends_on: [other] })
    await write('inbox.seen', { item_id: item.item_id })
  })
}

export function stopTab(queries: QueryClient, item: InboxItem): Promise<void> {
  const { stopped } = stepWords[currentWords().code]
  return step(queries, item, stopped(item.title), () => write('tab.stop', { tab_id: item.tab_id ?? '' }))
}

/** Until then, or until it changes; undefined: only until it changes. */
export async function snooze(queries: QueryClient, item: InboxItem, until: Date | undefined): Promise<void> {
  const { item_id } = item
  const { snoozed } = stepWords[currentWords().code]
  await atOnce(queries, item, snoozed, () =>
    until ? write('inbox.snooze', { item_id, until: until.toISOString() }) : write('inbox.seen', { item_id }),
  )
}

function gone(queries: QueryClient, item: InboxItem, text: string): void {
  queries.setQueryData(INBOX, (answer: unknown) => without(answer, item.item_id))
  void queries.invalidateQueries({ queryKey: INBOX })
  notify({ kind: 'done', text })
}
