import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eventMigrations } from '#kernel/events.ts'
import { digest, systemIds } from '#kernel/ids.ts'
import { placeFor } from '#test/database.ts'
import { databases } from '#test/hub.ts'
import { identityMigrations } from './schema.ts'

type Tables = {
  agents: Record<string, string | number>
  events: Record<string, string | number>
  sign_in_failures: Record<string, string | number>
}

const all = [...eventMigrations, ...identityMigrations]
const before = all.filter(({ id }) => id !== 'identity.3')

describe.each(databases)('on %s', kind => {
  test('credentials that were stored as ids are taken out of the data of an older hub', async () => {
    await using place = await placeFor(kind)
    const passkey = systemIds.secret('key')
    const event = (type: string, payload: object) => ({
      ...{ at: 1, type, caller: 'operator', touches: '[]' },
      payload: JSON.stringify(payload),
    })
    const old = await place.open(before)
    await old.tx(async tx => {
      const q = tx.tables<Tables>()
      const agent = { id: 'agt_a', name: 'a', engine: 'e', role: '', system_prompt: '', passkey: 'h', enabled: 1 }
      await q
        .insertInto('agents')
        .values({ ...agent, created_at: 1 })
        .execute()
      for (const agent_id of [passkey, 'agt_a'])
        await q.insertInto('sign_in_failures').values({ agent_id, failures: 7, blocked_until: 9 }).execute()
      const failed = [passkey, 'agt_a', 'agt_gone'].map(agentId => event('agent.sign_in_failed', { agentId }))
      const refused = [passkey, 'tsk_1'].map(claimed => event('call.refused', { tool: 't', code: 'C', claimed }))
      // More than one page of them, so that the last is reached.
      const many = Array.from({ length: 600 }, () => event('agent.sign_in_failed', { agentId: passkey }))
      await q
        .insertInto('events')
        .values([...failed, ...refused, event('task.added', { taskId: 'tsk_1' }), ...many])
        .execute()
    })
    await old.close()

    const database = await place.open(all)
    const q = database.tables<Tables>()
    const payloads = (await q.selectFrom('events').select('payload').orderBy('seq').execute()).map(
      ({ payload }) => JSON.parse(String(payload)) as unknown,
    )
    expect(payloads.slice(0, 6)).toEqual([
      { agentId: null },
      { agentId: 'agt_a' },
      { agentId: null },
      { tool: 't', code: 'C', claimed: 'key_[hidden]' },
      { tool: 't', code: 'C', claimed: 'tsk_1' },
      { taskId: 'tsk_1' },
    ])
    expect(payloads).toHaveLength(606)
    expect(JSON.stringify(payloads)).not.toContain(passkey)
    // Who had to wait still has to.
    const failures = await q.selectFrom('sign_in_failures').selectAll().execute()
    expect(failures).toHaveLength(2)
    for (const claimed of [passkey, 'agt_a'])
      expect(failures).toContainEqual({ claimed_digest: digest(claimed), failures: 7, blocked_until: 9 })
    await database.close()
    if (kind === 'sqlite') expect(readFileSync(place.db, 'latin1')).not.toContain(passkey)
  })
})
