import { type Caller, callerId, isWorker } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { AgentId } from '#contract/id-types.ts'
import { IdentityError } from '#contract/identity.ts'
import { OrderError } from '#contract/order.ts'
import { isUndecided, stageOf, type Task } from './model.ts'

/** An id argument that says who acts is a claim: on a connection with an identity it must be that identity. */
export function mayActAs(agentId: AgentId, by: Caller): void {
  const own = callerId(by)
  if (own === undefined || by.kind === 'runner' || own === agentId) return
  throw IdentityError.AGENT_MISMATCH({ claimed: agentId, actual: own })
}

/** What was reported stays as it is seen until it is decided, and what another agent is working on as that one was given it. */
export function mayChange(task: Task, by: Caller): void {
  if (!isWorker(by)) return
  const { handle, status, assigneeId } = task
  if (isUndecided(task)) throw OrderError.TASK_REPORTED({ handle, stage: stageOf(task) })
  if (status === 'in_progress' && assigneeId !== null && assigneeId !== callerId(by))
    throw OrderError.TASK_IN_HANDS({ handle, agentId: assigneeId })
}

/** What the hub has given up on, or a person has stopped, is a person's to open. */
export function mayOpen({ isForPeople, handle }: Task, by: Caller): void {
  if (!isWorker(by) || !isForPeople) return
  throw CoreError.NOT_ALLOWED({
    what: {
      en: `${handle} is blocked and waits for a person; no agent may move it. Ask the operator, or go on with another task.`,
      ja: `${handle} はブロックされ、人の対応を待っています。エージェントは動かせません。オペレーターに依頼するか、別のタスクを進めてください。`,
    },
  })
}

/** Only what an agent has. */
export function mayHandOver({ assigneeId, handle }: Task, by: Caller): void {
  if (!isWorker(by) || assigneeId === callerId(by)) return
  throw CoreError.NOT_ALLOWED({
    what: {
      en: `${handle} is not assigned to you; only its agent and the operator may hand it over.`,
      ja: `${handle} はあなたの担当ではありません。引き継げるのは担当のエージェントとオペレーターだけです。`,
    },
  })
}
