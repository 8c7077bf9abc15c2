import type { Text } from './errors.ts'

/** Who calls. It comes from the connection, never from an argument. */
export type Caller =
  /** `token`: the name of the token that it showed, where that is not the hub's own. */
  | { readonly kind: 'operator'; readonly token?: string }
  /** Signed in by `authenticate`, for one project and one epoch of its lease. */
  | { readonly kind: 'agent'; readonly agentId: string; readonly projectId: string; readonly epoch: number }
  /** Holds a start ticket and has yet to sign in with it. */
  | { readonly kind: 'starter'; readonly agentId: string; readonly projectId: string; readonly epoch: number }
  /** An engine process of a crew, for as long as its run lives. `depth`: how many started one another above it, and itself. */
  | {
      readonly kind: 'run'
      readonly runId: string
      readonly crewId: string
      readonly projectId: string | null
      readonly depth: number
    }
  /** An engine in a terminal, for as long as its tab lives. */
  | { readonly kind: 'tab'; readonly tabId: string; readonly projectId: string; readonly depth: number }
  | { readonly kind: 'runner'; readonly name: string }

export type CallerKind = Caller['kind']

/** Whoever works in a project, beside the operator, who works in all. */
export const OPERATOR_AND_WORKERS: readonly CallerKind[] = ['operator', 'agent', 'starter', 'run', 'tab']

/** How a caller is written into events and logs. */
export function callerName(caller: Caller): string {
  const id = callerId(caller)
  return id === undefined ? caller.kind : `${caller.kind}:${id}`
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
