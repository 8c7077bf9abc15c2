import { expect } from 'vitest'
import { onBothCrews, onCrew, refusesCrew } from '#test/crews.ts'
import { databases, TestClock, testHub } from '#test/hub.ts'
import { callBy, eventsOf, invoke, rowsOf, success } from '#test/scene.ts'
import { test } from 'vitest'
import type { Caller } from '#contract/caller.ts'

const QUICK = { runs: { times: { reportGraceMs: 50 } } }

onBothCrews(
  'one that goes on after its report is asked to end, and ended as it said',
  async ({ hub, start, until, ended }) => {
    const [good = '', bad = ''] = await start('!report success done\n!hang', '!report failure no\n!ignore-term\n!hang')
    const states = await ended(good, bad)
    expect(states).toMatchObject([
      { status: 'completed', endReason: 'reported', result: { status: 'success', summary: 'done' } },
      { status: 'failed', endReason: 'reported', result: { status: 'failure', summary: 'no' } },
    ])
    expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
    void until
  },
  QUICK,
)

test('until then its status is resultReported, and waiting goes on', () =>
  onCrew({}, async ({ hub, start, until }) => {
    const [id = ''] = await start('!report success done\n!hang')
    await until(id, 'resultReported')
    const { body } = await hub.call('wait_agent', { agentIds: [id], timeout_ms: 10 })
    expect(body).toMatchObject({ completed: [], pending: [{ agentId: id, status: 'resultReported' }], timedOut: true })
  }))

onBothCrews('what it reports is joined with what was seen; said again it changes nothing', async crew => {
  const { hub, folder, start, until } = crew
  const [id = ''] = await start('!write seen.txt x\n!hang')
  await until(id, now => now['toolCallCount'] === 1)
  const report = { agentId: id, status: 'failure', summary: 's', editedFiles: ['told.txt'], errorMessage: 'e' }
  for (let time = 0; time < 2; time++)
    expect(success(await hub.call('report_result', report))).toEqual({ registered: true, agentId: id })
  const events = eventsOf(await rowsOf(hub, 'events'), 'agent:result_reported')
  expect(events).toEqual([
    {
      agentId: id,
      groupId: expect.any(String),
      role: 'worker',
      model: 'small',
      status: 'failure',
      summary: 's',
      editedFiles: ['told.txt'],
      createdFiles: [`${folder}/seen.txt`],
      errorMessage: 'e',
      toolCallCount: 1,
      duration_ms: expect.any(Number),
      timestamp: expect.stringMatching(/Z$/),
      source: 'report',
    },
  ])
})

onBothCrews('a file is one file, however it is spelled', async ({ hub, folder, start, until, state }) => {
  const [id = ''] = await start('!write seen.txt x\n!hang')
  await until(id, now => now['toolCallCount'] === 1)
  const createdFiles = ['seen.txt', './seen.txt', `${folder}/seen.txt`, 'sub/../seen.txt', 'other.txt']
  const editedFiles = ['src/told.txt', `${folder}/src/told.txt`, '/elsewhere/told.txt']
  await hub.call('report_result', { agentId: id, status: 'success', summary: 's', createdFiles, editedFiles })
  const merged = {
    createdFiles: [`${folder}/seen.txt`, 'other.txt'],
    editedFiles: ['src/told.txt', '/elsewhere/told.txt'],
  }
  expect(await state(id)).toMatchObject({ ...merged, result: merged })
})

test.each(databases)('how long it took does not change after its report (%s)', database => {
  const clock = new TestClock()
  return onCrew({ clock, database }, async ({ hub, start, until, ended }) => {
    const [id = ''] = await start('!hang')
    await until(id, 'running')
    clock.advance(5_000)
    // Elapsed time is not the wall clock's.
    clock.jump(-7_200_000)
    await hub.call('report_result', { agentId: id, status: 'success', summary: 's' })
    clock.jump(9_000_000)
    clock.advance(60_000)
    await hub.api('run.stop', { run_id: id })
    const [state] = await ended(id)
    expect(state).toMatchObject({ status: 'completed', elapsed_ms: 65_000, result: { duration_ms: 5_000 } })
    await hub.stop()
    await using next = await testHub({ target: hub.target, clock })
    const { body } = await next.call('get_agent_status', { agentId: id })
    expect(body).toMatchObject({ elapsed_ms: 65_000, result: { duration_ms: 5_000 } })
  })
})

onBothCrews('a run that failed does not give success as its reason', async ({ start, ended }) => {
  const [broken = '', honest = ''] = await start('!fail no such model', '!report failure no\n!say bye')
  expect(await ended(broken, honest)).toMatchObject([
    { status: 'failed', endReason: 'error', result: { status: 'failure' } },
    { status: 'failed', endReason: 'reported', exitCode: 0, result: { status: 'failure', source: 'report' } },
  ])
})

onBothCrews('a late report completes the result and leaves the end as it was', async ({ hub, start, ended, state }) => {
  const [id = ''] = await start('!exit 3')
  await ended(id)
  const report = { agentId: id, status: 'success', summary: 'I did it after all' }
  expect(success(await hub.call('report_result', report))).toEqual({ registered: true, agentId: id })
  expect(await state(id)).toMatchObject({
    status: 'failed',
    exitCode: 3,
    result: { summary: 'I did it after all', source: 'report' },
  })
})

onBothCrews('nobody but a person reports for another', async ({ hub, folder, start, until }) => {
  await hub.api('project.add', { id: 'prj_p', name: 'p', directory: folder })
  const [id = ''] = await start('!hang')
  await until(id, now => now['sessionId'] !== null)
  const callers: Caller[] = [
    { kind: 'run', runId: 'run_other', crewId: 'grp-1-1', projectId: 'prj_p', depth: 1 } as Caller,
    { kind: 'tab', tabId: 'tab_1', projectId: 'prj_p', depth: 1 } as Caller,
    { kind: 'agent', agentId: 'agt_1', projectId: 'prj_p', epoch: 1 } as Caller,
  ]
  for (const caller of callers) {
    const outcome = await invoke(hub, 'report_result', { agentId: id, status: 'success', summary: 's' }, callBy(caller))
    // An agent that does not exist is refused even before.
    expect(outcome).toMatchObject({ ok: false, error: { code: 'AGENT_MISMATCH' } })
  }
  expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([{ report: null }])
})

refusesCrew('report_result', [
  {
    name: 'an unknown agent',
    args: () => ({ agentId: 'run_nobody', status: 'success', summary: 's' }),
    code: 'AGENT_NOT_FOUND',
    message: /run_nobody/,
  },
  {
    name: 'another status',
    args: () => ({ agentId: 'run_nobody', status: 'fine', summary: 's' }),
    code: 'INVALID_ARGUMENT',
    message: /status/,
  },
])
