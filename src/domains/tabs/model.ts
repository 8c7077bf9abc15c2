import type { Caller } from '#contract/caller.ts'
import { type ErrorKind, HubError, type Text } from '#contract/errors.ts'
import type { MessageId, ProjectId, TabId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { TabPermission } from '#contract/permission.ts'
import { type MessageState, type TabEnd, TabError, type TabStatus } from '#contract/tabs.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'

export type Tab = {
  id: TabId
  hub: string
  engine: string
  projectId: ProjectId
  /** The task in whose workspace it works; null: on a branch of its own. */
  taskId: TaskId | null
  /** The project's, from which the worktree was made. */
  directory: string
  branch: string
  base: string | null
  /** Its first message. */
  prompt: string | null
  worktreeId: WorktreeId | null
  worktreePath: string | null
  sessionId: string | null
  /** The conversation of a run that it goes on with. Without a task it works where the run did, in no worktree. */
  resumes: string | null
  /** What its engine is started with. */
  permission: TabPermission
  depth: number
  launchedBy: string
  parentId: string | null
  process: ProcessRecord | null
  ticketDigest: string | null
  ticketConnections: readonly string[]
  createdAt: number
  /** The same in the hub's own time, for limits. */
  beganAt: number
  openedAt: number | null
  /** The first sign that it takes input. */
  readyAt: number | null
  stopRequestedAt: number | null
  endedAt: number | null
  endReason: TabEnd | null
  exitCode: number | null
  exitSignal: string | null
  problem: Problem | null
}

/** A refusal that came after the row was written; repeated to a caller that asks again. */
export type Problem = { code: string; kind: ErrorKind; text: Text; details: Record<string, unknown> }

export function problemOf(error: unknown): Problem {
  const known =
    error instanceof HubError
      ? error
      : TabError.LAUNCH_FAILED({ problem: error instanceof Error ? error.message : 'unknown' })
  const { code, kind, text, details } = known
  return { code, kind, text, details }
}

export function errorOf({ code, kind, text, details }: Problem): HubError {
  return new HubError(code, kind, text, details)
}

/** What the screen shows: see the engines. */
export type Sight = 'dialog' | 'typing' | 'busy' | 'idle' | 'unknown'

/** Only facts are stored; this is what they mean. */
export function statusOf(tab: Tab, sight: Sight | undefined): TabStatus {
  if (tab.endedAt !== null) return 'exited'
  if (tab.openedAt === null || (tab.readyAt === null && sight !== 'dialog')) return 'starting'
  if (sight === 'dialog') return 'waiting'
  return sight === 'idle' || sight === 'typing' ? 'idle' : 'running'
}

/** How deep below a person the next one would be. An agent was started by another caller, too. */
export function depthBelow(by: Caller): number {
  if (by.kind === 'tab' || by.kind === 'run') return by.depth + 1
  return by.kind === 'operator' ? 1 : 2
}

export const LAUNCH_WINDOW_MS = 60_000

/** When the window has room again; undefined when it has now. `launches` are the times within it, oldest first. */
export function waitForLaunch(launches: readonly number[], limit: number, now: number): number | undefined {
  if (launches.length < limit) return undefined
  const first = launches[launches.length - limit] ?? now
  return Math.max(1, first + LAUNCH_WINDOW_MS - now)
}

export type Message = {
  seq: number
  id: MessageId
  tabId: TabId
  projectId: ProjectId
  sender: string
  caller: string
  /** A prompt is typed without a header: it is the first message to the tab. */
  kind: 'message' | 'prompt'
  body: string
  line: string
  hidden: number
  hops: number
  queuedAt: number
  /** From then on its tab may know it. */
  typedAt: number | null
  deliveredAt: number | null
  failedAt: number | null
  reason: string | null
}

export function stateOf(message: Pick<Message, 'deliveredAt' | 'failedAt'>): MessageState {
  if (message.deliveredAt !== null) return 'delivered'
  return message.failedAt === null ? 'queued' : 'undeliverable'
}

/** A sender that is no tab. */
export const OPERATOR = 'operator'
/** The hub, which gives no orders. */
export const HUB_SENDER = 'toryo'

/** Longer ago, and what is said now is no longer an answer to it. */
const RELAY_MS = 10 * 60_000

/**
 * How often what is said now has been passed on: one more than what its sender may be answering. `heard` is what it received
 * last, and what still waits for it, which it may have read. A person's own word has not been passed on yet.
 */
export function hopsAfter(heard: readonly Pick<Message, 'hops' | 'deliveredAt'>[], now: number): number {
  // A time that is far ahead is from before the clock was put back; it must not count for as long as that clock was ahead.
  const isRecent = (at: number) => Math.abs(now - at) <= RELAY_MS
  const recent = heard.filter(({ deliveredAt }) => deliveredAt === null || isRecent(deliveredAt))
  return 1 + Math.max(0, ...recent.map(({ hops }) => hops))
}

/** Without an idle sign it is typed after this long anyway: a busy program reads it when it can. */
const PATIENCE_MS = 10_000
/** A program that we know and that has not shown its prompt yet is still being loaded, but not for ever. */
const LOADING_MS = 60_000
/** For an unknown program this cannot be decided. */
const READY_MS = 10_000

export type Moment = {
  sight: Sight
  /** Since the message came first in line with the terminal open, or since a dialog or a person's line was last in its way. */
  waitedMs: number
  /** Since the program was started, or asked its last question: some load only once that is answered. */
  openMs: number
  /** The program announced to the terminal that it understands pastes. */
  takesPaste: boolean
  /** We know its prompt, so that not seeing it means something. */
  known: boolean
  /** It was seen with its prompt, or at work. Some understand pastes long before, and lose them. */
  prompted: boolean
  /** There is nothing on its screen. */
  blank: boolean
}

/** Never into a dialog, never behind a person's half-typed line, never into a program that is still being loaded. */
export function mayType(moment: Moment): boolean {
  if (moment.sight === 'dialog' || moment.sight === 'typing') return false
  if (moment.sight === 'idle') return true
  const loaded = moment.prompted && moment.takesPaste
  if (moment.known && (moment.blank || (!loaded && moment.openMs < LOADING_MS))) return false
  return moment.waitedMs >= PATIENCE_MS
}

/** Whether it has started, as far as its screen or the time shows. */
export function isReady(sight: Sight, { known, openMs }: Pick<Moment, 'known' | 'openMs'>): boolean {
  return sight !== 'unknown' || openMs >= (known ? LOADING_MS : READY_MS)
}

type Shown = { lines: readonly string[]; wrapped?: readonly { row: number; spaced: boolean }[] | undefined }

/** As the program wrote them: a line that was too long for the width is one line. */
export function unwrapped({ lines, wrapped = [] }: Shown): string[] {
  const joints = new Map(wrapped.map(({ row, spaced }) => [row, spaced ? ' ' : '']))
  const whole: string[] = []
  for (const [row, line] of lines.entries()) {
    const joint = joints.get(row)
    if (joint === undefined) whole.push(line.trimEnd())
    else whole.push([whole.pop() ?? '', line.trimEnd()].join(joint))
  }
  return whole
}
