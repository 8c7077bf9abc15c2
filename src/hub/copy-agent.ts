// Another agent like one that has too much to do.
import { OrderError } from '#contract/order.ts'
import { fullAgent } from '#domains/identity/views.ts'
import { hashPasskey } from '#domains/identity/passkeys.ts'
import { taskView } from '#domains/projects/views.ts'
import { operation } from '#kernel/operation.ts'
import type { Services } from './services.ts'

export const copyAgent = operation({
  name: 'agent.copy',
  effect: 'write',
  /** Nobody reads it: the Runner needs none, and a person who does has another one made. */
  prepare: async ({ secrets }: Services) => hashPasskey(secrets.passkey()),
  async run(services: Services, { agent_id: id, task_id: taskId, name }, { caller, prepared, lang }) {
    const { agents, projects, tasks, runs } = services
    const task = taskId === undefined ? undefined : await tasks.get(taskId, caller)
    if (task && (task.assigneeId !== id || (await runs.listOpenOn(task.id)).length > 0))
      throw OrderError.TASK_DOES_NOT_WAIT({ handle: task.handle, agentId: id })
    const agent = await agents.copy(id, name, prepared, caller)
    const project_ids = await projects.projectsOf(id)
    for (const projectId of project_ids) await projects.assign(projectId, agent.id, caller)
    const given = task && (await tasks.assign(task.id, agent.id, caller))
    return { ...fullAgent(agent), project_ids, task: given ? taskView(given, lang) : null }
  },
})
