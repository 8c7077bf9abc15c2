import type { Text } from './errors.ts'
import type { AgentId, CrewId, PageId, ProjectId, RunId, TabId } from './id-types.ts'

/** Who calls. It comes from the connection, never from an argument. */
export type Caller =
  /**
   * `token`: the name of the token that it showed, where that is not the hub's own. `person`: what the client says it is called.
   * `page`: the signed-in browser that it uses.
   */
  | { readonly kind: 'operator'; readonly token?: string; readonly person?: string; readonly page?: PageId }
  /** Signed in by `authenticate`, for one project and one epoch of its lease. */
  | { readonly kind: 'agent'; readonly agentId: AgentId; readonly projectId: ProjectId; readonly epoch: number }
  /** Holds a start ticket and has yet to sign in with it. */
  | { readonly kind: 'starter'; readonly agentId: AgentId; readonly projectId: ProjectId; readonly epoch: number }
  /** An engine process of a crew, for as long as its run lives. `depth`: how many started one another above it, and itself. */
  | {
      readonly kind: 'run'
      readonly runId: RunId
      readonly crewId: CrewId
      readonly projectId: ProjectId | null
      readonly depth: number
      /** It was started to review reported work. */
      readonly work?: 'review'
    }
  /** An engine in a terminal, for as long as its tab lives. */
  | { readonly kind: 'tab'; readonly tabId: TabId; readonly projectId: ProjectId; readonly depth: number }
  | { readonly kind: 'runner'; readonly name: string }

export type CallerKind = Caller['kind']

/** A process that a hub started for no caller: whatever credential it shows, it is refused. */
export type Chore = 'check' | 'setup'

/** What a caller of this kind becomes when it signs in. */
export const SIGNS_IN_AS: Partial<Record<CallerKind, CallerKind>> = { starter: 'agent' }

/** By `authenticate`, on a connection that may have signed in more than once. */
export function hasSignedIn({ kind }: Caller): boolean {
  return kind === 'agent'
}

/** A program that works for people: what waits for one of them is not for it. */
export function isWorker({ kind }: Caller): boolean {
  return kind !== 'operator' && kind !== 'runner'
}

/** It came with a credential that people give and take back. */
export function isRevocable(caller: Caller, opener: Caller = caller): boolean {
  if (caller.kind === 'runner') return true
  return opener.kind === 'operator' && (opener.token !== undefined || opener.page !== undefined)
}

/** Arguments that say what a call is about, the most specific first. */
export const CLAIMS = ['from_agent_id', 'agent_id', 'agentId', 'assignee_id', 'task_id', 'project_id'] as const

/** Callers that work in a project, and the operator, who works in all. */
export const OPERATOR_AND_WORKERS: readonly CallerKind[] = ['operator', 'agent', 'starter', 'run', 'tab']

/** How a caller is written into events and logs. */
export function callerName(caller: Caller): string {
  const { kind } = caller
  if (kind === 'operator' && caller.person !== undefined) return `${kind}:${caller.person}`
  return callerKey(caller)
}

/** The same for what is counted or kept for a caller: what a person is called is no more than a word. */
export function callerKey(caller: Caller): string {
  const id = callerId(caller)
  return id === undefined ? caller.kind : `${caller.kind}:${id}`
}

/** Whether what `callerName` wrote down was an operator. */
export function isOperatorName(name: string): boolean {
  return name === 'operator' || name.startsWith('operator:')
}

/** The name of the token that it showed, where that is not the hub's own. */
export function tokenOf(caller: Caller): string | null {
  return caller.kind === 'operator' ? (caller.token ?? null) : null
}

/** The person behind a caller, where one gave a name. */
export function personOf(caller: Caller): string | null {
  return caller.kind === 'operator' ? (caller.person ?? null) : null
}

/** For people: what it is, and which. */
export function callerTitle(caller: Caller): Text {
  const id = callerId(caller)
  const titles: Record<CallerKind, Text> = {
    operator: { en: 'the operator', ja: 'オペレーター' },
    agent: { en: `agent ${id}`, ja: `エージェント ${id} ` },
    starter: { en: `agent ${id}`, ja: `エージェント ${id} ` },
    run: { en: `run ${id}`, ja: `run ${id} ` },
    tab: { en: `tab ${id}`, ja: `タブ ${id} ` },
    runner: { en: `Runner ${id}`, ja: `Runner ${id} ` },
  }
  return titles[caller.kind]
}

/** Why a tool is not for this caller; `isApi`: it is an operation of the HTTP API. */
export function whyNotFor(
  tool: { readonly name: string; readonly isApi: boolean; readonly callers: readonly CallerKind[] },
  caller: Caller,
): Text {
  const { name, isApi, callers } = tool
  const later = SIGNS_IN_AS[caller.kind]
  if (later && callers.includes(later))
    return {
      en: `${name} is for agents that have signed in. Call authenticate first.`,
      ja: `${name} はサインイン後に使えます。先に authenticate を呼び出してください。`,
    }
  if (isApi && callers.includes('operator') && caller.kind !== 'runner') {
    const own = callerTitle(caller)
    return {
      en: `${name} belongs to the operator. This command was started by ${own.en} and acts as that. Use a terminal of your own.`,
      ja: `${name} はオペレーター専用です。このコマンドは${own.ja}が起動したもので、その権限で動作します。ご自身のターミナルから実行してください。`,
    }
  }
  return {
    en: `${name} is not for this kind of caller (${caller.kind}).`,
    ja: `${name} はこの種類の呼び出し元 (${caller.kind}) では使えません。`,
  }
}

/** The id that an argument naming the caller must have. */
export function callerId(caller: Caller): string | undefined {
  switch (caller.kind) {
    case 'agent':
    case 'starter':
      return caller.agentId
    case 'run':
      return caller.runId
    case 'tab':
      return caller.tabId
    case 'runner':
      return caller.name
    default:
      return undefined
  }
}
