import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId } from '#contract/id-types.ts'

/** The connection has an identity of its own, given by a ticket or by signing in. */
export function isSomebody(by: Caller): boolean {
  return by.kind === 'starter' || by.kind === 'agent' || by.kind === 'run' || by.kind === 'tab'
}

/** Whether the connection's own identity is this agent on this project. */
export function mayClaim(by: Caller, agentId: AgentId, projectId: ProjectId): boolean {
  return (by.kind === 'starter' || by.kind === 'agent') && by.agentId === agentId && by.projectId === projectId
}
