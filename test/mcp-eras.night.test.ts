// Both eras of the protocol on both entries: the bridge's socket and Streamable HTTP.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CONNECTION_HEADER, LANG_HEADER } from '#contract/limits.ts'
import type { TestHub } from './hub.ts'
import { RawSocket } from './raw-socket.ts'
import { onStage, type Scene } from './scene.ts'
import { until } from './until.ts'
import { FrameClientTransport } from './ws-transport.ts'

const eras = { '2025-11-25': undefined, '2026-07-28': { pin: '2026-07-28' } } as const
const entries = {
  '/bridge': (hub: TestHub): Transport =>
    new FrameClientTransport(`${hub.url.replace('http', 'ws')}/bridge`, {
      authorization: `Bearer ${hub.token}`,
      [CONNECTION_HEADER]: randomBytes(32).toString('hex'),
      [LANG_HEADER]: 'en',
    }),
  '/mcp': (hub: TestHub): Transport =>
    new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${hub.token}`, 'accept-language': 'en' } },
    }),
}
const cases = Object.keys(eras).flatMap(era => Object.keys(entries).map(entry => [era, entry] as const))

async function withClient(
  era: string,
  entry: string,
  story: (client: Client, scene: Scene) => Promise<void>,
): Promise<void> {
  await onStage({}, async scene => {
    const mode = eras[era as keyof typeof eras]
    const client = new Client({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {})
    await client.connect(entries[entry as keyof typeof entries](scene.hub))
    try {
      await story(client, scene)
    } finally {
      await client.close()
    }
  })
}

describe.each(cases)('a client of %s on %s', (era, entry) => {
  test('agrees on the version, and gets instructions, tools and answers', () =>
    withClient(era, entry, async (client, { taskId }) => {
      expect(client.getNegotiatedProtocolVersion()).toBe(era)
      expect(client.getInstructions()).toContain('Toryo is the foreman')
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('get_task')
      // Checked by the client against the output schema.
      const right = await client.callTool({ name: 'get_task', arguments: { task_id: taskId } })
      expect(right.structuredContent).toMatchObject({ success: true, task: { task_id: taskId } })
      const wrong = await client.callTool({ name: 'get_task', arguments: { task_id: 'x' } })
      expect(wrong).toMatchObject({ isError: true })
    }))

  test('reads the seven resources', () =>
    withClient(era, entry, async (client, { hub, token, taskId, agentId, projectId, peerId }) => {
      const { resourceTemplates } = await client.listResourceTemplates()
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'agent://{id}',
        'project://{id}',
        'task://{id}',
        'context://{taskId}',
        'handoff://{taskId}',
        'execution://{id}',
        'executions://{taskId}',
      ])
      expect((await client.listResources()).resources).toEqual([])
      await hub.call('get_my_task', { session_token: token })
      await hub.call('save_context', { task_id: taskId, progress: 'half' })
      await hub.call('create_handoff', { task_id: taskId, from_agent_id: agentId, to_agent_id: peerId, summary: 'sum' })
      const read = async (uri: string) => {
        const { contents } = await client.readResource({ uri })
        expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
        return JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>
      }
      expect(await read(`agent://${agentId}`)).toMatchObject({ agent_id: agentId, project_ids: [projectId] })
      expect(await read(`project://${projectId}`)).toMatchObject({ project_id: projectId, agents: [agentId, peerId] })
      expect(await read(`task://${taskId}`)).toMatchObject({ task_id: taskId, assignee_id: peerId })
      expect(await read(`context://${taskId}`)).toMatchObject({ context: { progress: 'half' }, history: [{}] })
      expect(await read(`handoff://${taskId}`)).toMatchObject({ summary: 'sum' })
      const { logs } = (await read(`executions://${taskId}`)) as { logs: { executionId: string }[] }
      expect(await read(`execution://${logs[0]?.executionId}`)).toMatchObject({ taskId, status: 'running' })
      for (const uri of ['task://unknown', 'agent://me', 'session://current', 'task://a/b', 'file:///etc/passwd'])
        await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602 })
    }))

  test('hears of a change to what it watches, and of nothing else', () =>
    withClient(era, entry, async (client, { hub, taskId, other }) => {
      const heard: string[] = []
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
      const uri = `task://${taskId}`
      if (era === '2026-07-28') await client.listen({ resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
      await hub.call('update_task_status', { task_id: other.taskId, status: 'todo' })
      await hub.call('update_task_status', { task_id: taskId, status: 'todo' })
      await until(() => heard.length > 0)
      expect(new Set(heard)).toEqual(new Set([uri]))
    }))

  test('gets the three prompts, with completion of their ids', () =>
    withClient(era, entry, async (client, { taskId, agentId }) => {
      const { prompts } = await client.listPrompts()
      expect(prompts.map(({ name, arguments: args }) => [name, args?.map(arg => arg.name)])).toEqual([
        ['task_start', ['task_id', 'agent_id']],
        ['handoff_template', ['task_id', 'from_agent_id']],
        ['context_summary', ['task_id']],
      ])
      const text = async (name: string, args: Record<string, string>) => {
        const { messages } = await client.getPrompt({ name, arguments: args })
        return textOf(messages)
      }
      expect(await text('task_start', { task_id: taskId, agent_id: agentId })).toContain('屋根を作る')
      expect(await text('handoff_template', { task_id: taskId, from_agent_id: agentId })).toContain('recommendations:')
      expect(await text('context_summary', { task_id: taskId })).toContain('Nothing was saved yet.')
      await expect(client.getPrompt({ name: 'session_start' })).rejects.toMatchObject({ code: -32602 })
      await expect(client.getPrompt({ name: 'context_summary', arguments: { task_id: 'x' } })).rejects.toMatchObject({
        code: -32602,
      })

      const complete = async (prompt: string, name: string, value: string) =>
        (await client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } })).completion
          .values
      expect(await complete('task_start', 'task_id', 'tsk_d')).toEqual([taskId])
      expect(await complete('task_start', 'agent_id', 'agt_o')).toEqual(['agt_other', 'agt_other_peer'])
      expect(await complete('context_summary', 'task_id', 'nothing')).toEqual([])
    }))
})

function textOf(messages: { content: unknown }[]): string {
  return messages.map(({ content }) => (content as { text: string }).text).join('')
}

test('a prompt is as long as it may be, not as long as its history', () =>
  onStage({}, async ({ hub, worker, taskId, agentId }) => {
    for (let note = 0; note < 5; note++)
      await worker.call('save_context', { task_id: taskId, progress: `${note} ${'x'.repeat(200_000)}` })
    const { client } = await hub.connect()
    const { messages } = await client.getPrompt({
      name: 'task_start',
      arguments: { task_id: taskId, agent_id: agentId },
    })
    const text = textOf(messages)
    expect(Buffer.byteLength(text)).toBeLessThan(300_000)
    expect(text).toContain('4 xxx')
  }))

test('an agent’s completions show tasks of its own project only', () =>
  onStage({}, async ({ worker, taskId }) => {
    const { completion } = await worker.client.complete({
      ref: { type: 'ref/prompt', name: 'task_start' },
      argument: { name: 'task_id', value: 'tsk_' },
    })
    expect(completion.values).toEqual([taskId])
  }))

test.each(['2024-11-05', '2025-03-26', '2025-06-18'])('a client of %s is answered in its own version', version =>
  onStage({}, async ({ hub, taskId }) => {
    const socket = await RawSocket.open(hub, { protocolVersion: version })
    expect(await socket.call('get_task', { task_id: taskId })).toMatchObject({ success: true })
    const reply = await socket.request('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    })
    expect(reply.result?.['protocolVersion'] ?? reply.error).toBe(version)
    socket.cut()
  }),
)
