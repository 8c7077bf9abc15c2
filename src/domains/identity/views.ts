import type { AgentRecord } from '#contract/records.ts'
import type { AgentView, InstanceView, RunnerView } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import type { Agent, Instance, Runner } from './model.ts'

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

/** As the operator sees it. */
export function fullAgent(agent: Agent) {
  return { ...agentRecord(agent), toolsets: [...agent.toolsets] }
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

export function instanceView(instance: Instance): InstanceView {
  const { id, agentId, projectId, taskId, engine, runner, process, startedAt } = instance
  return {
    ...{ instance_id: id, agent_id: agentId, project_id: projectId, task_id: taskId, engine, runner },
    // 0 while it is only planned.
    pid: process?.pid || null,
    started_at: iso(startedAt),
  }
}
