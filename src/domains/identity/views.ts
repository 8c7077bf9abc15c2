import type { AgentRecord } from '#contract/records.ts'
import type { AgentView, RunnerView } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import type { Agent, Runner } from './model.ts'

export function agentView(agent: Agent): AgentView {
  return {
    agent_id: agent.id,
    name: agent.name,
    role: agent.role,
    ai_type: agent.engine,
    status: agent.enabled ? 'active' : 'disabled',
    created_at: iso(agent.createdAt),
  }
}

/** As the API answers with it. */
export function agentRecord(agent: Agent): AgentRecord {
  const { ai_type: engine, ...view } = agentView(agent)
  return { ...view, engine }
}

export function runnerView(runner: Runner, instances: number): RunnerView {
  return {
    name: runner.name,
    created_at: iso(runner.createdAt),
    last_seen_at: runner.seenAt === null ? null : iso(runner.seenAt),
    revoked_at: runner.revokedAt === null ? null : iso(runner.revokedAt),
    engines: [...runner.engines],
    instances,
  }
}
