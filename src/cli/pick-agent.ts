// Which agent gets a task that is to be started and has no assignee: the agent of the project that has the least to do.
import type { Client } from '#client/api.ts'
import type { AgentRecord } from '#contract/records.ts'
import { listAll } from './list-all.ts'

/** More tasks in progress than that are not counted. */
const COUNTED = 1000

export type Picker = { next(): AgentRecord | undefined }

/**
 * Of the enabled agents that a Runner can start, the one with the fewest tasks in progress; of several, the one whose engine is listed
 * first. Each answer counts as one more task.
 */
export async function agentPicker(hub: Client, project_id: string): Promise<Picker> {
  const { agents: members, project_id: id } = await hub.call('project.show', { project_id })
  const { agents } = await listAll(COUNTED, 'agents', page => hub.call('agent.list', page))
  const { engines } = await hub.call('engine.list', {})
  const { runners } = await hub.call('runner.list', {})
  const { tasks } = await listAll(COUNTED, 'tasks', page =>
    hub.call('task.list', { project_id: id, status: 'in_progress', ...page }),
  )
  const here = engines.filter(({ program, headless }) => program !== null && headless).map(({ engine }) => engine)
  const elsewhere = runners.filter(runner => runner.revoked_at === null).flatMap(runner => runner.engines)
  const order = [...new Set([...here, ...elsewhere])]
  const able = agents.filter(
    ({ agent_id, status, engine }) => status === 'active' && members.includes(agent_id) && order.includes(engine),
  )
  const load = new Map(
    able.map(({ agent_id }) => [agent_id, tasks.filter(({ assignee_id }) => assignee_id === agent_id).length]),
  )
  const loadOf = ({ agent_id }: AgentRecord) => load.get(agent_id) ?? 0
  return {
    next() {
      const [best] = able.toSorted((a, b) => loadOf(a) - loadOf(b) || order.indexOf(a.engine) - order.indexOf(b.engine))
      if (best) load.set(best.agent_id, loadOf(best) + 1)
      return best
    },
  }
}
