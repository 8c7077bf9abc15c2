// What a run may do to us, and what still holds: it ends, once, with nothing of it left running, and its slot is free.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { type CrewHub, onBothCrews, onCrew } from '../crews.ts'
import { HEAVY, until } from '../processes.ts'
import { callBy, eventsOf, invoke, rowsOf } from '../scene.ts'
import { markedProcesses } from '../scripted.ts'

/** Nothing of any run is left: no process, no slot, no ticket, no folder. */
async function nothingLeft({ hub }: CrewHub): Promise<void> {
  const rows = await rowsOf(hub)
  for (const run of rows['runs'] ?? []) {
    expect(run).toMatchObject({ ended_at: expect.any(Number), ticket_digest: null })
    if (run['process'] === null) continue
    expect(markedProcesses((JSON.parse(run['process'] as string) as ProcessRecord).marker)).toEqual([])
  }
  expect(rows['slots']).toEqual([])
  const ends = eventsOf(rows, 'run.ended').map(({ runId }) => String(runId))
  expect(ends.toSorted()).toEqual((rows['runs'] ?? []).map(({ id }) => String(id)).toSorted())
  await until(() => hub.running.hub.processes.size === 0)
}

test.each([
  ['forks', '!leave fork\n!leave setsid\n!leave double-fork\n!leave ignoring\n!say done', 'completed', 'success'],
  ['writes half a line and dies', '!say before\n!half {"type":"result","subt\n!die SIGKILL', 'failed', 'SIGKILL'],
  ['dies before its first byte', '!exit-silently', 'failed', 'exit-code-9'],
  ['ends well by its code, and says nothing of it', '!exit 0', 'failed', 'no-final-event'],
  ['writes what is no JSON', '!line not json\n!line {"type":7}\n!say done', 'completed', 'success'],
])('a run that %s', HEAVY, (_what, prompt, status, endReason) =>
  onCrew({}, async crew => {
    const [id = ''] = await crew.start(prompt)
    const [state] = await crew.ended(id)
    expect(state).toMatchObject({ status, endReason })
    await nothingLeft(crew)
  }),
)

onBothCrews('one that hangs, whatever it ignores, ends when its time is up', async crew => {
  const [id = ''] = await crew.start({ prompt: '!ignore-term\n!leave ignoring\n!say on\n!hang', timeout_ms: 1500 })
  const [state] = await crew.ended(id)
  expect(state).toMatchObject({
    status: 'timedOut',
    endReason: 'time-limit',
    // What it had said by then depends on the machine.
    result: {
      status: 'timeout',
      errorMessage: 'scripted was still at work after 2 s and was stopped',
      source: 'hub',
    },
  })
  await nothingLeft(crew)
})

test('one that says nothing for too long ends', HEAVY, () =>
  onCrew({ limits: { silenceMinutes: 0.02 } }, async crew => {
    const [id = ''] = await crew.start('!say on\n!hang')
    const [state] = await crew.ended(id)
    expect(state).toMatchObject({ status: 'timedOut', endReason: 'silence', result: { status: 'timeout' } })
    await nothingLeft(crew)
  }),
)

test('three that flood do not keep others from working, and their logs stay within bounds', HEAVY, () =>
  onCrew({}, async crew => {
    const floods = await crew.start('!flood lines', '!flood lines', '!flood zeros')
    for (const id of floods) await crew.until(id, 'running')
    const [quick = ''] = await crew.start('!report success quick')
    expect((await crew.ended(quick))[0]).toMatchObject({ status: 'completed', result: { summary: 'quick' } })
    for (const id of floods) await crew.hub.api('run.stop', { run_id: id })
    for (const state of await crew.ended(...floods))
      expect(state).toMatchObject({ status: 'cancelled', endReason: 'stopped' })
    for (const id of floods)
      expect(statSync(join(crew.hub.target.logDirectory, 'runs', `${id}.log`)).size).toBeLessThanOrEqual(
        64 * 1024 * 1024,
      )
    await nothingLeft(crew)
  }),
)

onBothCrews(
  'T29: of fifty requests for three at once, as many start as there is room for, each whole',
  async crew => {
    const { hub, folder, group } = crew
    const groupId = await group()
    const agents = ['!hang', '!hang', '!hang'].map(prompt => ({ role: 'worker', prompt, workingDirectory: folder }))
    const answers = await Promise.all(Array.from({ length: 50 }, () => hub.call('run_agents', { groupId, agents })))
    const started = answers.filter(({ isError }) => !isError)
    expect(started).toHaveLength(3)
    for (const { body, isError } of answers) if (isError) expect(body['code']).toBe('MAX_CONCURRENT_REACHED')
    const rows = await rowsOf(hub)
    expect(rows['runs']).toHaveLength(9)
    expect(rows['slots']).toHaveLength(9)
    const ids = started.flatMap(({ body }) => (body['agents'] as { agentId: string }[]).map(({ agentId }) => agentId))
    for (const id of ids) await hub.api('run.stop', { run_id: id })
    await crew.ended(...ids)
    await nothingLeft(crew)
  },
  { limits: { runs: 10 } },
)

test.each([
  ['side by side', '!bomb 2', ['1', '2', '2']],
  ['in stages', '!staged-bomb 2', ['1', '2', '2', '2', '2']],
])('T28: runs that start runs %s for ever are stopped by depth and by slots', HEAVY, (_how, bomb, depths) =>
  onCrew({ limits: { runs: 8, depth: 2 } }, async crew => {
    const { hub } = crew
    const [first = ''] = await crew.start(bomb)
    const open = async () => ((await rowsOf(hub, 'runs'))['runs'] ?? []).filter(run => run['ended_at'] === null)
    for (;;) {
      const now = await open()
      expect(now.length).toBeLessThanOrEqual(8)
      if (now.length === 0) break
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const runs = (await rowsOf(hub, 'runs'))['runs'] ?? []
    expect(runs.map(run => String(run['depth'])).toSorted()).toEqual(depths)
    const states = await crew.ended(...runs.map(({ id }) => String(id)))
    for (const state of states.filter(({ agentId }) => agentId !== first))
      expect((state['result'] as { summary: string }).summary).toContain('DEPTH_LIMIT_REACHED')
    for (const run of runs.filter(run => run['depth'] === 2)) expect(run['started_by']).toBe(`run:${first}`)
    await nothingLeft(crew)
  }),
)

test('the ticket of a run is for its own processes, and only while it lives', HEAVY, () =>
  onCrew({}, async crew => {
    const { hub } = crew
    // Both of its bridges are welcome; the first has the ticket, the second comes from the same run.
    const [id = ''] = await crew.start('!call list_roles {}\n!second list_roles {}\n!ticket\n!hang')
    const state = await crew.until(id, now => String(now['lastMessage']).startsWith('rtk_'))
    const ticket = String(state['lastMessage'])
    expect(state['toolCallCount']).toBe(2)
    await expect(hub.connect({ credential: ticket })).rejects.toThrow('401')
    await hub.api('run.stop', { run_id: id })
    await crew.ended(id)
    await expect(hub.connect({ credential: ticket })).rejects.toThrow('401')
    const [run] = (await rowsOf(hub, 'runs'))['runs'] ?? []
    // Only the run itself knows it, and said it in its message.
    expect(JSON.stringify({ ...run, facts: '', report: '' })).not.toContain(ticket)
  }),
)

onBothCrews('a run that has ended writes no more, as whomever it signed in; it may still report', async crew => {
  const { hub } = crew
  const [id = ''] = await crew.start('!say x')
  const [state = {}] = await crew.ended(id)
  const run = { kind: 'run', runId: id, crewId: String(state['groupId']), projectId: null, depth: 1 } as Caller
  const agent = { kind: 'agent', agentId: 'agt_x', projectId: 'prj_x', epoch: 1 } as Caller
  const connection = { secret: 's', opener: run, identifyAs: () => {} }
  const create = (by: Caller) => invoke(hub, 'create_group', { description: 'd' }, callBy(by, { connection }))
  expect(await create(run)).toMatchObject({ ok: false, error: { code: 'RUN_ENDED' } })
  // This agent is not registered either; what counts is that nothing is written.
  expect(await create(agent)).toMatchObject({ ok: false })
  expect((await rowsOf(hub, 'crews'))['crews']).toHaveLength(1)
  const report = { agentId: id, status: 'success', summary: 'late' }
  expect(await invoke(hub, 'report_result', report, callBy(run, { connection }))).toMatchObject({ ok: true })
  for (const operation of ['run.show', 'run.stop', 'run.logs']) {
    const unknown = await hub.fetch(`/api/${operation}`, { method: 'POST', body: '{"run_id":"run_nobody"}' })
    expect(await unknown.json()).toMatchObject({ error: { code: 'RUN_NOT_FOUND', kind: 'not-found' } })
  }
})
