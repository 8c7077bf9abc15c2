// Several operators of one database are distinguished by their names, which give no rights.
import { describe, expect, test } from 'vitest'
import type { ApiInput, Operation } from '#contract/api.ts'
import { isOperatorName } from '#contract/caller.ts'
import { PERSON_HEADER } from '#contract/limits.ts'
import { databases, type TestHub, testHub } from './hub.ts'
import { onStage, rowsOf } from './scene.ts'

const as = async <O extends Operation>(hub: TestHub, person: string, operation: O, input: ApiInput<O>) => {
  const headers = { [PERSON_HEADER]: person }
  const response = await hub.fetch(`/api/${operation}`, { method: 'POST', headers, body: JSON.stringify(input) })
  return (await response.json()) as Record<string, unknown>
}

const callersOf = async (hub: TestHub, type: string) =>
  ((await rowsOf(hub, 'events'))['events'] ?? []).filter(event => event['type'] === type).map(event => event['caller'])

describe.each(databases)('on %s', database => {
  test('notes, decisions and events say who it was, at every door; without a name all is as before', () =>
    onStage({ database }, async ({ hub, worker, taskId, projectId }) => {
      const name = encodeURIComponent('蒼井 Aoi')
      await as(hub, name, 'task.move', { task_id: taskId, status: 'todo' })
      await hub.api('task.move', { task_id: taskId, status: 'in_progress' })
      expect(new Set(await callersOf(hub, 'task.moved'))).toEqual(new Set(['operator', 'operator:蒼井 Aoi']))
      const ken = await hub.connect({ person: 'Ken' })
      await ken.call('save_context', { task_id: taskId, progress: 'from Ken' })
      await worker.call('save_context', { task_id: taskId, progress: 'from an agent' })
      await hub.call('save_context', { task_id: taskId, progress: 'from somebody' })
      const { notes } = await hub.api('task.show', { task_id: taskId })
      expect(notes.map(({ progress, person }) => [progress, person])).toEqual([
        ['from somebody', undefined],
        ['from an agent', undefined],
        ['from Ken', 'Ken'],
      ])
      const decision = { project_id: projectId, decision: 'Oak', reason: 'It lasts.' }
      expect(await as(hub, name, 'memory.decision.add', decision)).toMatchObject({ person: '蒼井 Aoi' })
      await ken.call('add-decision', { ...decision, decision: 'Pine' })
      await hub.api('memory.decision.add', { ...decision, decision: 'Ash' })
      const { decisions } = await hub.api('memory.decision.list', { project_id: projectId })
      expect(decisions.map(({ person }) => person)).toEqual([undefined, 'Ken', '蒼井 Aoi'])
      expect(new Set(await callersOf(hub, 'decision.added'))).toEqual(
        new Set(['operator', 'operator:Ken', 'operator:蒼井 Aoi']),
      )
    }))
})

test('a person on MCP over HTTP has a name, too, and one session whatever it says next', async () => {
  await using hub = await testHub()
  const { taskId } = await hub.seed()
  const post = (person: string, body: object, session?: string) =>
    hub.fetch('/mcp?toolsets=projects', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        [PERSON_HEADER]: person,
        ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const opened = await post('Mio', { id: 1, method: 'initialize', params: hello })
  const session = opened.headers.get('mcp-session-id') ?? ''
  const call = { name: 'save_context', arguments: { task_id: taskId, progress: 'x' } }
  expect(await (await post('Other', { id: 2, method: 'tools/call', params: call }, session)).text()).toContain(
    'success',
  )
  expect((await rowsOf(hub, 'notes'))['notes']).toMatchObject([{ person: 'Mio' }])
})

test('only an operator has a name: what an agent or a Runner sends as one is not looked at', () =>
  onStage({}, async ({ hub, peerId, peerPasskey, projectId, taskId }) => {
    const agent = await hub.connect({ person: 'Boss' })
    await agent.signIn(peerId, peerPasskey, projectId)
    await agent.call('save_context', { task_id: taskId, progress: 'x' })
    expect((await rowsOf(hub, 'notes'))['notes']).toMatchObject([{ agent_id: peerId, person: null }])
    expect(await callersOf(hub, 'note.saved')).toEqual([`agent:${peerId}`])
    const { token } = await hub.api('runner.add', { name: 'attic' })
    const response = await hub.fetch('/api/hub.whoami', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, [PERSON_HEADER]: 'Boss' },
      body: '{}',
    })
    expect(response.status).toBe(403)
    expect(await callersOf(hub, 'call.refused')).toEqual(['runner:attic'])
  }))

test.each([
  ['Aoi', 'operator:Aoi'],
  ['agent:x', 'operator:agent:x'],
  ['operator', 'operator:operator'],
  [encodeURIComponent('a\nb\r\n\tc'), 'operator:a b c'],
  [encodeURIComponent('\u001b[31mred\u001b[0m'), 'operator:[31mred [0m'],
  [encodeURIComponent('Ken\u202e\u200bneK\u0000'), 'operator:Ken neK'],
  [encodeURIComponent('👩‍👧 Mio'), 'operator:👩‍👧 Mio'],
  ['x'.repeat(10_000), `operator:${'x'.repeat(100)}`],
  [encodeURIComponent('木'.repeat(1000)), `operator:${'木'.repeat(100)}`],
  ['100%', 'operator:100%'],
  ['%ff%fe', 'operator:%ff%fe'],
  [`key_${'a'.repeat(43)}`, 'operator:key_[hidden]'],
  ['', 'operator'],
  [encodeURIComponent(' \n\u200b '), 'operator'],
])('whoever is called %j is written down as one line', async (header, caller) => {
  await using hub = await testHub()
  expect(await as(hub, header, 'hub.whoami', {})).toMatchObject({
    ...{ caller, kind: 'operator', may: 'everything', token: null, project_id: null, url: hub.url },
    person: caller === 'operator' ? null : caller.slice('operator:'.length),
  })
  await as(hub, header, 'project.add', { name: 'Shop' })
  expect(await callersOf(hub, 'project.added')).toEqual([caller])
})

test('what a named operator says to a tab is trusted as before; what only looks like one is not', () => {
  const trusted = ['operator', 'operator:Aoi', 'operator:agent:x']
  const others = ['agent:operator', 'runner:operator:', 'operators:Aoi', 'tab:x', 'Operator:Aoi']
  expect(trusted.filter(isOperatorName)).toEqual(trusted)
  expect(others.filter(isOperatorName)).toEqual([])
})

test('a name is no part of a key: a call that is sent again under another one has the first answer', async () => {
  await using hub = await testHub()
  const add = async (person: string) => {
    const headers = { [PERSON_HEADER]: person, 'idempotency-key': 'once' }
    const body = JSON.stringify({ name: 'Shop' })
    return (await hub.fetch('/api/project.add', { method: 'POST', headers, body })).json()
  }
  expect(await add('Ken')).toEqual(await add('Mio'))
})
