import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { onStage, rowsOf, type Scene } from '#test/scene.ts'

async function work({ hub, worker, token, taskId, agentId, peerId }: Scene): Promise<string> {
  await worker.call('get_my_task', { session_token: token })
  await worker.call('save_context', { task_id: taskId, progress: '半分 🏠 "quoted"\n\\' })
  await worker.call('create_handoff', { task_id: taskId, from_agent_id: agentId, to_agent_id: peerId, summary: 's' })
  await worker.call('report_completed', { session_token: token, result: 'success', next_steps: 'n' })
  return (await hub.fetch('/api/export')).text()
}

describe.runIf(databases.includes('postgres')).each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('from %s to %s', (from, to) => {
  test('what is exported here and imported there is the same, and both go on behind it', () =>
    onStage({ database: from }, async scene => {
      const lines = await work(scene)
      await using other = await testHub({ database: to })
      const imported = await other.fetch('/api/import', { method: 'POST', body: lines })
      expect(await imported.json()).toEqual({ rows: lines.trim().split('\n').length - 1, secrets: true })
      expect(await (await other.fetch('/api/export')).text()).toBe(lines)

      const project = await other.api('project.add', { name: 'next' })
      expect(project.number).toBe(3)
      const peer = await other.connect()
      await peer.signIn(scene.peerId, scene.peerPasskey, scene.projectId)
      const seqs = (await rowsOf(other, 'events'))['events']?.map(({ seq }) => Number(seq)) ?? []
      expect(new Set(seqs).size).toBe(seqs.length)
    }))
})

describe.each(databases)('on %s', database => {
  test('an import is all or nothing', () =>
    onStage({ database }, async scene => {
      const lines = (await work(scene)).trim().split('\n')
      await using fresh = await testHub({ database })
      const attempt = async (...text: string[]) => {
        const response = await fresh.fetch('/api/import', { method: 'POST', body: text.join('\n') })
        return {
          status: response.status,
          body: (await response.json()) as { error?: { code: string; message: string } },
        }
      }
      // The hub makes the note of its search index on its own, some time after its start.
      const data = async () => ({ ...(await rowsOf(fresh)), memory_index: [] })
      const before = await data()
      const orphan = '{"table":"notes","row":{"id":"n","task_id":"nobody","at":1}}'
      const wrong: [string, string[], string][] = [
        ['nothing', [''], 'Line 1 is not JSON'],
        ['another program’s file', ['{"format":"other"}'], 'not a Toryo export'],
        ['a newer version', ['{"format":"toryo-export","version":2}'], 'not a Toryo export'],
        ['a table of its own', [...lines, '{"table":"sessions","row":{}}'], `Line ${lines.length + 1} is not one`],
        ['a broken line', [...lines, '{'], `Line ${lines.length + 1} is not JSON`],
        ['a row whose owner is missing', [...lines, orphan], 'do not fit'],
        ['a column that does not exist', [...lines, '{"table":"tasks","row":{"id":"t","colour":"red"}}'], 'do not fit'],
        ['the same row twice', [...lines, lines[1] ?? ''], 'do not fit'],
      ]
      for (const [name, text, message] of wrong) {
        const { status, body } = await attempt(...text)
        expect({ name, status, code: body.error?.code }).toEqual({ name, status: 400, code: 'INVALID_ARGUMENT' })
        expect(body.error?.message, name).toContain(message)
        expect(await data(), name).toEqual(before)
      }
      expect((await attempt(...lines)).status).toBe(200)
      const again = await attempt(...lines)
      expect(again).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('holds data already') } },
      })
    }))
})
