import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { eventsOf, onBoth, onStage, rowsOf } from '#test/scene.ts'

describe.each(databases)('on %s', database => {
  test('a task is edited field by field; its event names what changed, and the same again changes nothing', () =>
    onStage({ database }, async ({ hub, taskId, agentId, peerId }) => {
      const edit = (changes: object) => hub.api('task.edit', { task_id: taskId, ...changes })
      const before = await hub.api('task.show', { task_id: taskId })
      const changes = { title: 'Build the wall', priority: 'urgent', branch: 'feature/wall', description: '壁を作る' }
      expect(await edit({ ...changes, assignee_id: peerId })).toMatchObject({ ...changes, assignee_id: peerId })
      expect(await hub.api('task.show', { task_id: taskId })).toMatchObject({ ...changes, status: before.status })
      await edit({ ...changes, assignee_id: peerId })
      await edit({})
      await edit({ branch: null, assignee_id: null })
      await edit({ assignee_id: agentId })
      const rows = await rowsOf(hub)
      const { title } = changes
      expect(eventsOf(rows, 'task.edited')).toEqual([
        { taskId, title, fields: ['title', 'description', 'priority', 'assignee_id', 'branch'] },
        { taskId, title, fields: ['assignee_id', 'branch'] },
        { taskId, title, fields: ['assignee_id'] },
      ])
      expect(eventsOf(rows, 'task.assigned').map(event => event['agentId'])).toEqual([peerId, null, agentId])
    }))

  test('an edit is refused whole: an agent of another project, too many labels, a text that is too long', () =>
    onStage({ database }, async ({ hub, taskId, other }) => {
      const before = (await rowsOf(hub, 'tasks'))['tasks']
      const edit = (changes: object) => hub.api('task.edit', { task_id: taskId, title: 'Never', ...changes })
      await expect(edit({ assignee_id: other.agentId })).rejects.toThrow('AGENT_NOT_ASSIGNED')
      await expect(edit({ assignee_id: 'agt_none' })).rejects.toThrow('AGENT_NOT_FOUND')
      const many = Array.from({ length: 21 }, (_, count) => `l${count}`)
      await expect(edit({ add_labels: many })).rejects.toThrow('TOO_MANY_LABELS')
      await expect(edit({ title: 'x'.repeat(501) })).rejects.toThrow('INVALID_ARGUMENT')
      await expect(edit({ title: ' ' })).rejects.toThrow('INVALID_ARGUMENT')
      await expect(hub.api('task.edit', { task_id: 'nowhere-1', title: 'x' })).rejects.toThrow('TASK_NOT_FOUND')
      const fresh = { project_id: other.projectId, title: 'x', labels: many }
      await expect(hub.api('task.add', fresh)).rejects.toThrow('TOO_MANY_LABELS')
      const rows = await rowsOf(hub)
      expect(rows['tasks']).toEqual(before)
      expect(rows['task_labels']).toEqual([])
      expect(eventsOf(rows, 'task.edited')).toEqual([])
    }))

  test('labels keep their case, and are one label in capitals or not', async () => {
    await using hub = await testHub({ database })
    await hub.api('project.add', { name: 'Shop' })
    const added = await hub.api('task.add', {
      project_id: 'shop',
      title: 'x',
      labels: ['Login', 'bug', 'LOGIN', ' Bug '],
    })
    expect(added.labels).toEqual(['bug', 'Login'])
    const edit = async (add_labels: string[], remove_labels: string[]) =>
      (await hub.api('task.edit', { task_id: 'shop-1', add_labels, remove_labels })).labels
    expect(await edit(['login', 'Straße', 'ﾃｽﾄ'], ['BUG', 'none'])).toEqual(['Login', 'Straße', 'ﾃｽﾄ'])
    expect(await edit(['テスト'], ['STRASSE'])).toEqual(['Login', 'ﾃｽﾄ'])
    // Off and on again is how its case is changed.
    expect(await edit(['LOGIN'], ['login'])).toEqual(['LOGIN', 'ﾃｽﾄ'])
    for (const label of ['', 'x'.repeat(41), 'a\nb', 'a\u0000b', 'a\u001b[31mb', 'a\u202eb', 'a\u200bb'])
      await expect(edit([label], [])).rejects.toThrow('INVALID_ARGUMENT')
    expect((await hub.api('task.show', { task_id: 'shop-1' })).labels).toEqual(['LOGIN', 'ﾃｽﾄ'])
    expect(eventsOf(await rowsOf(hub, 'events'), 'task.edited').map(event => event['fields'])).toEqual([
      ['labels'],
      ['labels'],
      ['labels'],
    ])
    const body = await (await hub.fetch('/api/export')).text()
    await using copy = await testHub({ database })
    expect((await copy.fetch('/api/import', { method: 'POST', body })).status).toBe(200)
    expect((await copy.api('task.show', { task_id: 'shop-1' })).labels).toEqual(['LOGIN', 'ﾃｽﾄ'])
  })

  test('an agent is edited while it works: its session and passkey stay, and its event names what changed', () =>
    onStage({ database }, async ({ hub, worker, taskId, agentId, passkey, projectId, peerId }) => {
      const edit = (changes: object) => hub.api('agent.edit', { agent_id: agentId, ...changes })
      const changes = { name: 'Ken', role: 'reviewer', system_prompt: 'Be kind.' }
      expect(await edit({ ...changes, engine: 'gemini' })).toMatchObject({ ...changes, engine: 'gemini' })
      await edit({ ...changes, engine: 'gemini' })
      await edit({ role: '' })
      expect((await worker.call('save_context', { task_id: taskId, progress: 'half' })).isError).toBe(false)
      await worker.signIn(agentId, passkey, projectId)
      const { name } = await hub.api('agent.show', { agent_id: peerId })
      await expect(edit({ name })).rejects.toThrow('AGENT_EXISTS')
      await expect(edit({ name: '' })).rejects.toThrow('INVALID_ARGUMENT')
      await expect(edit({ engine: `key_${'a'.repeat(43)}` })).rejects.toThrow('INVALID_ARGUMENT')
      await expect(hub.api('agent.edit', { agent_id: 'agt_none', role: 'x' })).rejects.toThrow('AGENT_NOT_FOUND')
      expect(eventsOf(await rowsOf(hub, 'events'), 'agent.edited')).toEqual([
        { agentId, fields: ['name', 'engine', 'role', 'system_prompt'] },
        { agentId, fields: ['role'] },
      ])
      expect(await hub.api('agent.show', { agent_id: agentId })).toMatchObject({ name: 'Ken', role: '' })
    }))
})

onBoth('a person who blocks a task says why, in the same step', async scene => {
  const { hub, taskId: task_id } = scene
  const reason = 'Waits for the contract with the bank.'
  await hub.api('task.move', { task_id, status: 'blocked', reason })
  expect(await hub.api('task.show', { task_id })).toMatchObject({ status: 'blocked', blocked_reason: reason })
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.moved').at(-1)).toMatchObject({
    taskId: task_id,
    to: 'blocked',
    reason,
  })
  await hub.api('task.move', { task_id, status: 'todo' })
  expect(await hub.api('task.show', { task_id })).toMatchObject({ status: 'todo', blocked_reason: null })
  await expect(hub.api('task.move', { task_id, status: 'blocked', reason: '  ' })).rejects.toThrow('reason')
})
