// A large export, and who asks for something else meanwhile: compared with the same hub a moment before.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { insertRows } from './queries.ts'
import { HEAVY, post, Workshop } from './processes.ts'

const ROWS = 100_000
const BYTES = 2_000
const CALLS = 1_000

test(
  'while 200 MB are exported, the slowest call of a hundred takes no three times what it took before',
  HEAVY,
  async () => {
    await using shop = new Workshop()
    const first = await shop.hub()
    await first.stop()
    const row = {
      ...{ at: 1, type: 'note.saved', project_id: null, caller: 'operator', touches: '[]' },
      payload: JSON.stringify({ text: 'x'.repeat(BYTES) }),
    }
    for (let count = 0; count < ROWS; count += 1000)
      await insertRows(
        shop.db(),
        'events',
        Array.from({ length: 1000 }, () => row),
      )
    const hub = await shop.hub()
    const state = hub.state as NonNullable<typeof hub.state>
    const ask = async () => {
      const began = performance.now()
      expect((await post(state, 'hub.status', {})).status).toBe(200)
      return performance.now() - began
    }
    // Also until the index of events is filled.
    const idle: number[] = []
    for (let count = 0; count < CALLS; count++) idle.push(await ask())
    // In a program of its own: what reads so much has no time for others either.
    const program = `const r = await fetch('${state.url}/api/export', { headers: { authorization: 'Bearer ${state.token}' } })
    let n = 0; for await (const part of r.body) n += part.length; console.log(n)`
    const reading = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    reading.stdout.on('data', (part: Buffer) => (said += part.toString()))
    let isRead = false
    const read = once(reading, 'exit').then(() => (isRead = true))
    const busy: number[] = []
    while (!isRead) busy.push(await ask())
    await read
    expect(Number(said)).toBeGreaterThan(ROWS * BYTES)
    expect(busy.length).toBeGreaterThan(100)
    expect(p99(busy) / p99(idle)).toBeLessThan(3)
    expect((await hub.stop()).code).toBe(0)
  },
)

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}
