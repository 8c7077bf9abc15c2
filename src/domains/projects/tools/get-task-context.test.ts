import { expect } from 'vitest'
import { onBoth, refuses, success, taskElsewhere } from '#test/scene.ts'

onBoth('gives the newest, and with include_history all, newest first', async ({ worker, taskId }) => {
  expect(success(await worker.call('get_task_context', { task_id: taskId }))).toEqual({ success: true, context: null })
  for (const progress of ['one', 'two', 'three']) await worker.call('save_context', { task_id: taskId, progress })
  const newest = success(await worker.call('get_task_context', { task_id: taskId }))
  expect(newest).toMatchObject({ context: { progress: 'three' } })
  expect(newest['history']).toBeUndefined()
  const all = success(await worker.call('get_task_context', { task_id: taskId, include_history: true }))
  expect(all).toMatchObject({
    context: { progress: 'three' },
    history: [{ progress: 'three' }, { progress: 'two' }, { progress: 'one' }],
  })
})

onBoth('a context that says nothing does not hide the last one that does', async ({ hub, worker, taskId, token }) => {
  await worker.call('save_context', { task_id: taskId, progress: 'half', next_steps: 'the ridge' })
  for (const empty of [{}, { progress: '' }, { progress: ' \n', findings: '' }])
    success(await worker.call('save_context', { task_id: taskId, ...empty }))
  const answer = success(await worker.call('get_task_context', { task_id: taskId, include_history: true }))
  expect(answer).toMatchObject({ context: { progress: 'half', next_steps: 'the ridge' } })
  expect(answer['history']).toHaveLength(4)
  const mine = success(await worker.call('get_my_task', { session_token: token }))
  expect(mine).toMatchObject({ task: { context: { progress: 'half' } } })
  const prompt = await hub.connect()
  const { messages } = await prompt.client.getPrompt({
    name: 'handoff_template',
    arguments: { task_id: taskId, from_agent_id: 'agt_demo' },
  })
  expect(JSON.stringify(messages)).toContain('the ridge')
})

onBoth('a long history comes in pages that clients can hold', async ({ worker, taskId }) => {
  for (let index = 0; index < 6; index++)
    await worker.call('save_context', { task_id: taskId, progress: `${index}${'x'.repeat(900_000)}` })
  const seen: string[] = []
  let cursor: unknown
  do {
    const args = { task_id: taskId, include_history: true, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await worker.call('get_task_context', args)
    expect(Buffer.byteLength(JSON.stringify(answer.result))).toBeLessThan(8 * 1024 * 1024)
    seen.push(...(answer.body['history'] as { progress: string }[]).map(({ progress }) => progress.slice(0, 1)))
    cursor = answer.body['next_cursor']
    expect(answer.body['truncated']).toBe(cursor === undefined ? undefined : true)
  } while (cursor !== undefined)
  expect(seen).toEqual(['5', '4', '3', '2', '1', '0'])
})

onBoth('a limit is a limit', async ({ worker, taskId }) => {
  for (const progress of ['one', 'two', 'three']) await worker.call('save_context', { task_id: taskId, progress })
  const args = { task_id: taskId, include_history: true, limit: 2 }
  const first = success(await worker.call('get_task_context', args))
  expect(first).toMatchObject({ history: [{ progress: 'three' }, { progress: 'two' }] })
  const second = success(await worker.call('get_task_context', { ...args, cursor: first['next_cursor'] }))
  expect(second).toMatchObject({ context: { progress: 'three' }, history: [{ progress: 'one' }] })
  expect(second['next_cursor']).toBeUndefined()
})

refuses('get_task_context', [
  {
    name: 'an unknown task',
    args: () => ({ task_id: 'tsk_x' }),
    error: 'Task tsk_x not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  taskElsewhere,
  {
    name: 'a word for a switch',
    args: s => ({ task_id: s.taskId, include_history: 'yes' }),
    error: /^Wrong arguments\. include_history: /,
    code: 'INVALID_ARGUMENT',
  },
])
