// Puts the scene into a fresh hub, over the same operations that people and pages use.
import type { Client } from '#client/api.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { AGENTS, PLANNED, PROJECT, type SceneTask, TOPICS } from './scene.ts'

const project_id = PROJECT as ProjectId

export async function seed(client: Client, directory: string): Promise<void> {
  await client.call('project.add', {
    ...{ id: project_id, name: 'shop', directory, workspace: 'task', accept: 'person' },
    description: 'A small shop: tea, cups and kettles. お茶と湯のみの店。',
  })
  await client.call('project.check.add', { project_id, name: 'test', command: ['node', '--test'] })
  for (const { id, ...agent } of AGENTS) {
    const agent_id = id as AgentId
    await client.call('agent.add', { id: agent_id, ...agent })
    await client.call('project.assign', { project_id, agent_id })
  }
  for (const task of PLANNED) await client.call('task.add', taskOf(task))
  for (const { title, decisions } of TOPICS) {
    const topic = await client.call('memory.topic.add', { project_id: PROJECT, title })
    for (const { decision, reason, tasks = [] } of decisions)
      await client.call('memory.decision.add', { topic_id: topic.id, decision, reason, task_ids: tasks })
  }
  await client.call('phase.start', { project_id })
  for (const summary of PHASE_SUMMARIES)
    await client.call('phase.advance', { project_id, status: 'completed', summary })
}

/** Of the phases before the one that the demo begins in. */
const PHASE_SUMMARIES = ['A shop for tea, cups and kettles. お茶の店。', 'Plain modules, no build step, node --test.']

function taskOf({ id, agent, labels, after, ...task }: SceneTask) {
  return {
    ...task,
    project_id,
    id: id as TaskId,
    ...(agent !== undefined && { assignee_id: agent as AgentId }),
    ...(labels && { labels }),
    ...(after && { depends_on: after as TaskId[] }),
  }
}
