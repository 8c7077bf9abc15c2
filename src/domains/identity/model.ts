import type { AgentId, InstanceId, ProjectId, SessionId, TaskId } from '#contract/id-types.ts'
import type { Permission } from '#contract/permission.ts'
import type { RunEnd } from '#contract/run-end.ts'
import { HOLD_MS } from '#contract/runner.ts'
import type { GivenToolset } from '#contract/toolsets.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'

export type Agent = {
  id: AgentId
  name: string
  engine: string
  role: string
  systemPrompt: string
  /** scrypt, as `salt:hash`. */
  passkey: string
  enabled: boolean
  createdAt: number
  /** What its instances are offered besides the tools of their own work. */
  toolsets: readonly GivenToolset[]
}

export type EndReason = 'completed' | 'logout' | 'lost'

export type Session = {
  id: SessionId
  tokenDigest: string
  agentId: AgentId
  projectId: ProjectId
  epoch: number
  connectionDigest: string | null
  /** The how-manieth sign-in on its connection: the highest is the latest. */
  turn: number
  createdAt: number
  /** In the hub's own time (hub-time.ts), as all deadlines in here. */
  expiresAt: number
  endedAt: number | null
  endReason: EndReason | null
  /** What `report_completed` said, so that saying it again changes nothing. */
  report: string | null
}

export type Lease = {
  agentId: AgentId
  projectId: ProjectId
  epoch: number
  ticketDigest: string | null
  /** The connection that used the ticket first; no other may. */
  ticketConnection: string | null
  startBy: number | null
  sessionId: SessionId | null
  restarts: number
  nextStartAt: number
}

/** One engine process that a Runner starts for a lease, from the claim to its proven end. */
export type Instance = {
  id: InstanceId
  agentId: AgentId
  projectId: ProjectId
  epoch: number
  engine: string
  /** What its Runner starts it with. */
  permission: Permission
  runner: string
  startedAt: number
  heldUntil: number
  supervised: boolean
  endedAt: number | null
  process: ProcessRecord | null
  /** The task in whose workspace it works; null: in the project's folder. */
  taskId: TaskId | null
}

export type Runner = {
  name: string
  tokenDigest: string | null
  engines: readonly string[]
  /** Whether it says which project folders it has; an earlier version does not. */
  saysFolders: boolean
  createdAt: number
  seenAt: number | null
  revokedAt: number | null
  /** The operator's token with which it was made: with that, it ends. */
  madeBy: string | null
}

/** How an instance ended that did not report: whether it is its own fault, and what to say to people. */
/** `pauseMs`: how long to wait where it does not count, since the next start would end the same way. */
export type Loss = { counts: boolean; end: RunEnd; exitCode?: number | undefined; pauseMs?: number | undefined }

export const SESSION_MS = 3600 * 1000
export const START_MS = 120 * 1000
export const MAX_RESTARTS = 5

const FREE_ATTEMPTS = 5
const RESTART_MS = 10 * 1000
const RESTART_MAX_MS = 10 * 60 * 1000
const BLOCK_MAX_MS = 5 * 60 * 1000

export function isLive(session: Session | undefined, now: HubMoment): session is Session & { endedAt: null } {
  return session !== undefined && session.endedAt === null && session.expiresAt > now
}

/** Why the pair cannot be started now, or undefined when it is free. */
export function whyBusy(lease: Lease | undefined, session: Session | undefined, now: HubMoment): string | undefined {
  if (!lease) return undefined
  if (isLive(session, now)) return 'running'
  if (lease.startBy !== null && lease.startBy > now) return 'starting'
  if (lease.nextStartAt > now) return 'backing_off'
  return undefined
}

/**
 * A start that was never taken up, or an instance that fell silent: when it was lost, or undefined. Where a Runner watches the
 * process, silence of both the Runner and the instance's own connection is enough; without one only the session's end is.
 */
export function lostAt(
  lease: Lease,
  session: Session | undefined,
  held: Instance | undefined,
  now: HubMoment,
): number | undefined {
  if (session && session.endedAt === null) {
    const seenAt = session.expiresAt - SESSION_MS
    const unheard = held?.supervised ? Math.max(held.heldUntil, seenAt + HOLD_MS) : session.expiresAt
    const at = Math.min(unheard, session.expiresAt)
    return at <= now ? at : undefined
  }
  if (lease.startBy !== null && lease.startBy <= now) return lease.startBy
  return undefined
}

export function pairKey({ agentId, projectId }: { agentId: AgentId; projectId: ProjectId }): string {
  return `${agentId} ${projectId}`
}

/** An agent works under this lease, or is about to. */
export function isTaken(lease: Lease): boolean {
  return lease.sessionId !== null || lease.startBy !== null
}

/** Ten seconds, doubling up to ten minutes. */
export function restartDelay(restarts: number): number {
  return Math.min(RESTART_MS * 2 ** (restarts - 1), RESTART_MAX_MS)
}

/** Five free attempts, then a pause that doubles with each further failure. */
export function signInPause(failures: number): number {
  if (failures < FREE_ATTEMPTS) return 0
  return Math.min(1000 * 2 ** (failures - FREE_ATTEMPTS), BLOCK_MAX_MS)
}
