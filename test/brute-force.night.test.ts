// T08: guessing a passkey looks the same for agents that exist and agents that do not, and soon has to wait.
import { expect, test } from 'vitest'
import { databases, TestClock } from './hub.ts'
import { callBy, invoke, onStage, operator } from './scene.ts'

test.each(databases)('known and unknown agents give the same answers in the same order (%s)', async database => {
  const clock = new TestClock()
  await onStage({ database, clock }, async ({ hub, peerId, projectId }) => {
    const guess = async (agent_id: string, passkey: string) => {
      const { body } = await hub.call('authenticate', { agent_id, passkey, project_id: projectId })
      return `${String(body['code'])}: ${String(body['error'])}`
    }
    const known: string[] = []
    const unknown: string[] = []
    for (let attempt = 0; attempt < 20; attempt++) {
      known.push(await guess(peerId, `guess ${attempt}`))
      unknown.push(await guess('agt_unknown', `guess ${attempt}`))
      clock.advance(attempt % 4 === 0 ? 2_000 : 500)
    }
    expect(unknown).toEqual(known)
    expect(known.slice(0, 5)).toEqual(
      Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS: Invalid agent_id or passkey'),
    )
    expect(known.slice(5).filter(answer => answer.startsWith('TOO_MANY_ATTEMPTS')).length).toBeGreaterThan(10)
  })
})

test('an unknown agent costs as much time as a wrong passkey', async () => {
  const clock = new TestClock()
  await onStage({ clock }, async ({ hub, peerId, projectId }) => {
    const time = async (agent_id: string) => {
      clock.advance(600_000)
      const from = process.cpuUsage()
      const outcome = await invoke(
        hub,
        'authenticate',
        { agent_id, passkey: 'x', project_id: projectId },
        callBy(operator),
      )
      expect(outcome).toMatchObject({ ok: false, error: { code: 'INVALID_CREDENTIALS' } })
      const { user, system } = process.cpuUsage(from)
      return user + system
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let attempt = 0; attempt < 50; attempt++) {
      known.push(await time(peerId))
      unknown.push(await time('agt_unknown'))
    }
    // Processor time, which other programs do not change; medians, for what the hub does beside.
    const ratio = median(known) / median(unknown)
    expect(ratio).toBeGreaterThan(0.67)
    expect(ratio).toBeLessThan(1.5)
  })
})

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
