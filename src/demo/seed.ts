// Puts the scene into a fresh hub, over the same operations that people and pages use.
import type { Client } from '#client/api.ts'
import type { Lang, Text } from '#contract/errors.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { AGENTS, langOfTask, PLANNED, PROJECT, type SceneTask, TOPICS } from './scene.ts'

const project_id = PROJECT as ProjectId

export async function seed(client: Client, directory: string, lang: Lang): Promise<void> {
  await client.call('project.add', {
    ...{ id: project_id, name: 'shop', directory, workspace: 'task', accept: 'person' },
    description: ABOUT[lang],
  })
  await client.call('project.check.add', { project_id, name: 'test', command: ['node', '--test'] })
  for (const { id, role, ...agent } of AGENTS) {
    const agent_id = id as AgentId
    await client.call('agent.add', { id: agent_id, role: role[lang], ...agent })
    await client.call('project.assign', { project_id, agent_id })
  }
  for (const task of PLANNED) await client.call('task.add', taskOf(task, langOfTask(task, lang)))
  for (const { title, decisions } of TOPICS) {
    const topic = await client.call('memory.topic.add', { project_id: PROJECT, title: title[lang] })
    for (const { decision, reason, tasks = [] } of decisions) {
      const said = { decision: decision[lang], reason: reason[lang] }
      await client.call('memory.decision.add', { topic_id: topic.id, ...said, task_ids: tasks })
    }
  }
  await client.call('phase.start', { project_id })
  for (const summary of PHASE_SUMMARIES)
    await client.call('phase.advance', { project_id, status: 'completed', summary: summary[lang] })
}

const ABOUT: Text = { en: 'A small shop: tea, cups and kettles.', ja: 'お茶、湯のみ、やかんを売る小さな店。' }

/** Of the phases before the one that the demo begins in. */
const PHASE_SUMMARIES: readonly Text[] = [
  { en: 'A shop for tea, cups and kettles.', ja: 'お茶、湯のみ、やかんの店を作る。' },
  { en: 'Plain modules, no build step, node --test.', ja: '素のモジュール、ビルドなし、node --test。' },
]

function taskOf({ id, agent, labels, after, title, description, ...task }: SceneTask, lang: Lang) {
  return {
    ...task,
    ...{ project_id, id: id as TaskId, title: title[lang], description: description[lang] },
    ...(agent !== undefined && { assignee_id: agent as AgentId }),
    ...(labels && { labels: labels.map(label => label[lang]) }),
    ...(after && { depends_on: after as TaskId[] }),
  }
}
