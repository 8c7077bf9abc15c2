import { expect } from 'vitest'
import { onBoth, refuses, type Scene, success } from '#test/scene.ts'

const ids = (body: Record<string, unknown>) => (body['tasks'] as { task_id: string }[]).map(({ task_id }) => task_id)

async function addTasks({ hub, projectId, peerId }: Scene, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await hub.api('task.add', {
      id: `tsk_${index}`,
      project_id: projectId,
      title: `task ${index}`,
      status: index % 2 === 0 ? 'todo' : 'blocked',
      ...(index % 3 === 0 && { assignee_id: peerId }),
    })
}

onBoth('filters by project, status and assignee, oldest first', async scene => {
  const { hub, projectId, peerId, taskId } = scene
  await addTasks(scene, 6)
  const list = async (args: object) => ids(success(await hub.call('list_tasks', { ...args })))
  expect(await list({ project_id: projectId })).toEqual([taskId, ...[0, 1, 2, 3, 4, 5].map(n => `tsk_${n}`)])
  expect(await list({ project_id: projectId, status: 'todo' })).toEqual(['tsk_0', 'tsk_2', 'tsk_4'])
  expect(await list({ project_id: projectId, assignee_id: peerId })).toEqual(['tsk_0', 'tsk_3'])
  expect(await list({ assignee_id: peerId, status: 'blocked' })).toEqual(['tsk_3'])
  expect(await list({ project_id: projectId, status: 'cancelled' })).toEqual([])
})

onBoth('pages meet end to end', async scene => {
  await addTasks(scene, 5)
  const args = { project_id: scene.projectId, limit: 4 }
  const first = success(await scene.hub.call('list_tasks', args))
  const second = success(await scene.hub.call('list_tasks', { ...args, cursor: first['next_cursor'] }))
  expect([...ids(first), ...ids(second)]).toEqual([scene.taskId, ...[0, 1, 2, 3, 4].map(n => `tsk_${n}`)])
  expect([first['truncated'], second['next_cursor']]).toEqual([undefined, undefined])
})

onBoth('large tasks end a page early, and the next one goes on', async scene => {
  const { hub, projectId } = scene
  for (let index = 0; index < 25; index++)
    await hub.api('task.add', {
      id: `big_${index}`,
      project_id: projectId,
      title: 'big',
      description: '棟'.repeat(40_000),
    })
  const seen: string[] = []
  let cursor: unknown
  for (let pages = 1; ; pages++) {
    const args = { project_id: projectId, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await hub.call('list_tasks', args)
    expect(Buffer.byteLength(JSON.stringify(answer.result))).toBeLessThanOrEqual(4.3 * 1024 * 1024)
    seen.push(...ids(answer.body))
    cursor = answer.body['next_cursor']
    if (cursor === undefined) break
    expect(answer.body['truncated']).toBe(true)
    expect(pages).toBeLessThan(5)
  }
  expect(new Set(seen).size).toBe(26)
})

onBoth('an agent that names nothing sees its own project', async ({ worker, taskId, other }) => {
  expect(ids(success(await worker.call('list_tasks')))).toEqual([taskId])
  expect(ids(success(await worker.call('list_tasks', { assignee_id: other.agentId })))).toEqual([])
})

refuses('list_tasks', [
  {
    name: 'neither project nor assignee',
    args: () => ({ status: 'todo' }),
    error: 'Name a project_id or an assignee_id.',
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'an unknown project',
    args: () => ({ project_id: 'prj_x' }),
    error: 'Project prj_x not found. Use list_projects to list them.',
    code: 'PROJECT_NOT_FOUND',
  },
  {
    name: 'another project, for an agent',
    by: 'worker',
    args: s => ({ project_id: s.other.projectId }),
    error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'an unknown status',
    args: s => ({ project_id: s.projectId, status: 'doing' }),
    error: /^Wrong arguments\. status: /,
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'a cursor with absurd numbers',
    args: s => ({ project_id: s.projectId, cursor: Buffer.from('{"createdAt":1e300,"id":"x"}').toString('base64url') }),
    error: 'cursor is not one that this list gave out; call again without it.',
    code: 'INVALID_ARGUMENT',
  },
])
