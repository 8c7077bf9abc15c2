import { type Caller, callerId } from '#contract/caller.ts'
import type { AgentId } from '#contract/id-types.ts'
import { IdentityError } from '#contract/identity.ts'

/** An id argument that says who acts is a claim: on a connection with an identity it must be that identity. */
export function mayActAs(agentId: AgentId, by: Caller): void {
  const own = callerId(by)
  if (own === undefined || by.kind === 'runner' || own === agentId) return
  throw IdentityError.AGENT_MISMATCH({ claimed: agentId, actual: own })
}
