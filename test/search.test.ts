// One search over everything that has a page, as the palette asks it.
import { expect } from 'vitest'
import { onBoth } from './scene.ts'

onBoth('one word finds tasks, decisions, topics, agents and projects, each with what tells it apart', async scene => {
  const { hub, projectId, taskId, agentId } = scene
  const topic = await hub.api('memory.topic.add', { project_id: projectId, title: 'The roof' })
  const decision = { topic_id: topic.id, decision: 'Slate for the roof', reason: 'It lasts' }
  const { id } = await hub.api('memory.decision.add', decision)
  const { found } = await hub.api('search.find', { text: 'ROOF', project_id: projectId })
  expect(found).toEqual([
    {
      ...{ kind: 'task', id: taskId, title: 'Build the roof', detail: 'demo-1', project_id: projectId },
      status: expect.any(String),
    },
    { kind: 'decision', id: String(id), title: 'Slate for the roof', detail: 'The roof', project_id: projectId },
    { kind: 'topic', id: String(topic.id), title: 'The roof', detail: '', project_id: projectId },
  ])
  const named = (await hub.api('search.find', { text: 'demo' })).found
  expect(named).toContainEqual(expect.objectContaining({ kind: 'project', id: projectId, title: 'demo' }))
  expect(named).toContainEqual(expect.objectContaining({ kind: 'agent', id: agentId }))
  // As people call a decision.
  const numbered = (await hub.api('search.find', { text: `#${id}` })).found
  expect(numbered[0]).toMatchObject({ kind: 'decision', id: String(id) })
})

onBoth('kinds, a project and a limit narrow it; nothing is found for what is nowhere', async scene => {
  const { hub, projectId, other } = scene
  for (let count = 0; count < 8; count++)
    await hub.api('task.add', { project_id: projectId, title: `Paint wall ${count} 壁を塗る` })
  const tasks = (await hub.api('search.find', { text: 'wall', kinds: ['task'], limit: 3 })).found
  expect(tasks.map(({ kind }) => kind)).toEqual(['task', 'task', 'task'])
  expect((await hub.api('search.find', { text: '壁を', kinds: ['task'] })).found).toHaveLength(5)
  expect((await hub.api('search.find', { text: 'wall', project_id: other.projectId })).found).toEqual([])
  expect((await hub.api('search.find', { text: 'zebra' })).found).toEqual([])
  expect((await hub.api('search.find', { text: '%' })).found).toEqual([])
})
