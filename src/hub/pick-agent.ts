// Which agent gets a task that is to be started and has no assignee: the agent of the project that has the least to do.
import type { ProjectId } from '#contract/id-types.ts'
import type { Agent } from '#domains/identity/model.ts'
import { agentRecord } from '#domains/identity/views.ts'
import { operation } from '#kernel/operation.ts'
import type { FoundEngine } from './headless-engines.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'

/** More tasks in progress than that are not counted. */
const COUNTED = 1000

export function pickOperations(engines: () => readonly FoundEngine[]) {
  return [
    operation({
      name: 'agent.pick',
      effect: 'read',
      async run(services: Services, input) {
        const picked = await pickAgent(services, input.project_id, engines())
        return { agent: picked ? agentRecord(picked) : null }
      },
    }),
  ]
}

/**
 * Of the enabled agents that a Runner can start, the one with the fewest tasks in progress; of several, the one whose engine is
 * listed first.
 */
async function pickAgent(
  { projects, agents, tasks, runners }: Services,
  projectId: ProjectId,
  engines: readonly FoundEngine[],
): Promise<Agent | undefined> {
  const { id } = await projects.get(projectId)
  const here = engines.filter(({ program, headless }) => program !== null && headless).map(({ engine }) => engine)
  const elsewhere = (await runners.list()).flatMap(({ runner }) => (runner.revokedAt === null ? runner.engines : []))
  const order = [...new Set([...here, ...elsewhere])]
  const members = await Promise.all((await projects.agentsOf(id)).map(member => agents.find(member)))
  const open = await tasks.list({ projectId: id, status: 'in_progress' }, undefined, COUNTED, HUB)
  const loadOf = (agent: Agent) => open.filter(({ assigneeId }) => assigneeId === agent.id).length
  const able = members.filter(agent => agent !== undefined && agent.enabled && order.includes(agent.engine)) as Agent[]
  return able.toSorted((a, b) => loadOf(a) - loadOf(b) || order.indexOf(a.engine) - order.indexOf(b.engine))[0]
}
