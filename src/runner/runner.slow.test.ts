import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#client/api.ts'
import { until } from '#test/bridge/world.ts'
import { DIST } from '../../scripts/sources.js'
import { databases, TestClock, testHub } from '#test/hub.ts'
import { bridgeProgram, runnerAt, scriptedConfig, working, yard } from '#test/runner.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { isRunning } from '#test/scripted.ts'

test.each(databases)(
  'an agent with work is started, signs in by its ticket, works and reports (%s)',
  async database => {
    // On a busy machine it may take its time to end; here it shall do so on its own.
    await using place = await yard({ database, pace: { graceMs: 120_000 } })
    const note = 'call save_context {"session_token":"$SESSION","progress":"half"}'
    const worker = await place.agent('amy', working('amy', ['write roof.txt done', note]))
    const task = await place.task(worker, 'tsk_roof')
    await until(async () => (await place.status(task)) === 'done')
    expect(fs.readFileSync(`${worker.directory}/roof.txt`, 'utf8')).toBe('done\n')
    await until(async () => (await place.events('instance.ended')).length === 1)
    expect(await place.events('instance.ended')).toMatchObject([
      { cause: 'itself', exitCode: 0, epoch: 1, message: '' },
    ])
    const rows = await rowsOf(place.hub)
    expect(rows['slots']).toEqual([])
    expect(rows['instances']).toMatchObject([
      { runner: expect.stringMatching(/^[\w-]+:[0-9a-f]{6}$/), ended_at: expect.anything() },
    ])
    expect(place.log(worker)).toContain('"name":"mcp__toryo__report_completed"')
    const { executions } = await place.hub.api('task.show', { task_id: task })
    const read = await place.hub.api('run.logs', { run_id: executions[0]?.execution_id as string })
    expect(read.text).toBe(place.log(worker))
    // The ticket was never visible: not in the prompt, which is the log's own, nor in an argument.
    expect(place.log(worker)).not.toContain('tkt_')
  },
)

test.each(databases)(
  'while it works, its card says what it has done so far, and no other Runner can say it (%s)',
  async database => {
    await using place = await yard({ database, pace: { graceMs: 120_000 } })
    const steps = ['say 合計の丸めを直しています。', 'write roof.txt done', 'wait go']
    const worker = await place.agent('ann', working('ann', steps))
    const task = await place.task(worker, 'tsk_ann')
    const card = async () => (await place.hub.api('task.cards', { ids: [task] })).cards[0]
    const run = await until(async () => {
      const now = (await card())?.run
      return now && (now.tool_calls ?? 0) >= 3 ? now : undefined
    })
    expect(run).toMatchObject({ last_message: '合計の丸めを直しています。', usage: null, cost_usd: null })
    expect((await place.events('run.progressed')).at(-1)).toMatchObject({
      ...{ runId: run.execution_id, taskId: task, crewId: null, files: 1 },
      message: '合計の丸めを直しています。',
    })
    const [instance] = (await rowsOf(place.hub, 'instances'))['instances'] ?? []
    const { token } = await place.hub.api('runner.add', { name: 'thief' })
    const seen = { tool_calls: 99, denied: 0, denied_tools: [], created: [], edited: [], deleted: [] }
    const thief = createClient({ url: place.hub.url, token, lang: 'en' })
    expect(await thief.call('runner.progress', { instance_id: String(instance?.['id']), seen })).toEqual({
      known: false,
    })
    expect((await card())?.run?.tool_calls).toBeLessThan(99)

    fs.writeFileSync(path.join(worker.directory, 'go'), '')
    await until(async () => (await place.events('run.settled')).length === 1)
    const { executions } = await place.hub.api('task.show', { task_id: task })
    expect(executions).toMatchObject([{ usage: { input: 10, output: 2 }, cost_usd: 0.001 }])
  },
)

test('an instance that dies is an error, is started again after a while, and at last its task is blocked', async () => {
  const clock = new TestClock()
  await using place = await yard({ clock })
  const steps = working('bob', ['stderr oh no', 'fail no space left on device'])
  const worker = await place.agent('bob', steps)
  const task = await place.task(worker, 'tsk_bob')
  const pauses = [10, 20, 40, 80, 160]
  for (const [index, seconds] of pauses.entries()) {
    await until(async () => (await place.events('instance.lost')).length === index + 1)
    const [lease] = (await rowsOf(place.hub, 'leases'))['leases'] ?? []
    expect(Number(lease?.['next_start_at']) - clock.now()).toBe(seconds * 1000)
    const answer = await place.hub.call('should_start', { agent_id: worker.agentId, project_id: worker.projectId })
    expect(answer.body).toEqual({ should_start: false, reason: 'backing_off' })
    expect(await place.status(task)).toBe('in_progress')
    clock.advance(seconds * 1000)
  }
  await until(async () => (await place.status(task)) === 'blocked')
  const shown = await place.hub.api('task.show', { task_id: task })
  expect(shown.blocked_reason).toContain('started 5 times more')
  expect(shown.blocked_reason).toContain('The last time: scripted failed with exit code 1: no space left on device')
  expect(shown.executions.map(({ status, exit_code }) => [status, exit_code])).toEqual(
    Array.from({ length: 6 }, () => ['error', 1]),
  )
  const detail = await place.hub.call('get_execution_log', { execution_id: shown.executions[0]?.execution_id })
  expect(JSON.stringify(detail.body)).toContain('no space left on device')
  expect((await rowsOf(place.hub, 'slots'))['slots']).toEqual([])
})

test('one that does not end after its report is ended, with all that came from it, and the next waits for that', async () => {
  await using place = await yard()
  const worker = await place.agent('cid', [...working('cid', ['leave setsid']), 'hang'])
  await place.task(worker, 'tsk_first')
  await until(async () => (await place.status('tsk_first')) === 'done')
  await place.task(worker, 'tsk_second')
  await until(async () => (await place.status('tsk_second')) === 'done')
  const rows = await rowsOf(place.hub)
  const [first, second] = (rows['instances'] ?? []).sort((a, b) => Number(a['epoch']) - Number(b['epoch']))
  // Not one moment with both of them in one folder.
  expect(Number(second?.['started_at'])).toBeGreaterThanOrEqual(Number(first?.['ended_at']))
})

test('an account that is used up pauses its engine alone, until the reset, also after a restart of the hub', async () => {
  const clock = new TestClock()
  const resets = Math.floor(clock.now() / 1000) + 7200
  const first = await yard({ clock })
  try {
    const worker = await first.agent('dan', working('dan', [`limit ${resets}`, 'fail You have hit your limit']))
    const task = await first.task(worker, 'tsk_dan')
    await until(async () => (await first.events('engine.paused')).length === 1)
    await until(async () => (await first.hub.api('hub.status', {})).instances === 0)
    const until7200 = new Date(resets * 1000).toISOString()
    expect((await first.hub.api('hub.status', {})).pauses).toMatchObject([{ engine: 'scripted', until: until7200 }])
    // The other engine works on.
    const other = await first.agent('eve', working('eve'), 'second')
    await first.task(other, 'tsk_eve')
    await until(async () => (await first.status('tsk_eve')) === 'done')
    // It is not the agent's fault.
    expect((await rowsOf(first.hub, 'leases'))['leases']).toContainEqual(
      expect.objectContaining({ agent_id: 'agt_dan', restarts: 0, next_start_at: 0 }),
    )
    const ask = async (hub: typeof first.hub) =>
      (await hub.call('should_start', { agent_id: worker.agentId, project_id: worker.projectId })).body
    expect(await ask(first.hub)).toEqual({ should_start: false, reason: 'engine_paused' })

    await first.hub.stop()
    await using again = await testHub({ clock, target: first.hub.target, config: scriptedConfig })
    expect(await ask(again)).toEqual({ should_start: false, reason: 'engine_paused' })
    clock.advance(7_199_000)
    expect(await ask(again)).toEqual({ should_start: false, reason: 'engine_paused' })
    clock.advance(1000)
    expect(await ask(again)).toMatchObject({ should_start: true })
    expect((await again.api('hub.status', {})).pauses).toEqual([])
    expect(task).toBe('tsk_dan')
  } finally {
    await first[Symbol.asyncDispose]()
  }
})

test('a pause can be lifted by hand', async () => {
  await using place = await yard()
  const steps = working('flo', ['fail 429 too many requests'])
  const worker = await place.agent('flo', steps)
  await place.task(worker, 'tsk_flo')
  await until(async () => (await place.events('engine.paused')).length === 1)
  expect(await place.hub.api('engine.resume', { engine: 'scripted' })).toEqual({ engine: 'scripted', was_paused: true })
  await until(async () => (await place.events('engine.paused')).length === 2)
  expect(await place.hub.api('engine.resume', { engine: 'claude' })).toEqual({ engine: 'claude', was_paused: false })
})

test('T23: an instance sees what the list allows, its own files, and no secret', async () => {
  const { PATH, HOME, LANG } = process.env
  process.env['TORYO_SECRET_CANARY'] = 'canary'
  await using place = await yard()
  const worker = await place.agent('gil', ['env', ...working('gil')])
  await place.task(worker, 'tsk_gil')
  await until(async () => (await place.status('tsk_gil')) === 'done')
  const line =
    place
      .log(worker)
      .split('\n')
      .find(text => text.includes('"type":"scripted"')) ?? '{}'
  const seen = JSON.parse(line) as { argv: string[]; env: Record<string, string>; cwd: string; umask: number }
  expect(Object.keys(seen.env).sort()).toEqual(
    [
      'HOME',
      'LANG',
      'PATH',
      'TORYO_HOME',
      'TORYO_LANG',
      'TORYO_MARK',
      'TORYO_MCP_CONFIG',
      'TORYO_RUN_ID',
      'TORYO_TICKET_FILE',
    ].sort(),
  )
  expect(seen.env['TORYO_RUN_ID']).toMatch(/^ins_/)
  expect(fs.realpathSync(seen.cwd)).toBe(fs.realpathSync(worker.directory))
  expect(JSON.stringify(seen)).not.toMatch(/tkt_|rnr_|hub_|canary/)
  // Its files are gone with it.
  await until(() => !fs.existsSync(seen.env['TORYO_TICKET_FILE'] as string))
  expect([PATH, HOME, LANG]).toEqual([process.env.PATH, process.env.HOME, process.env.LANG])
})

test('a hub that stops ends every instance first, and it counts as nobody’s fault', async () => {
  const place = await yard()
  const worker = await place.agent('hal', working('hal', ['leave setsid', 'write pid.txt x', 'ignore-term', 'hang']))
  const task = await place.task(worker, 'tsk_hal')
  await until(() => fs.existsSync(path.join(worker.directory, 'pid.txt')))
  await place.hub.stop()
  const rows = await rowsOf(place.hub)
  expect(rows['slots']).toEqual([])
  expect(rows['leases']).toMatchObject([{ session_id: null, start_by: null, restarts: 0, next_start_at: 0 }])
  expect(rows['runs']).toMatchObject([
    { task_id: task, outcome: 'error', ending: expect.stringContaining('"runner-stopped"') },
  ])
  expect(fs.existsSync(path.join(place.hub.home, 'runners'))).toBe(true)
  expect(fs.readdirSync(path.join(place.hub.home, 'runners'))).toEqual([])
  await place[Symbol.asyncDispose]()
})

test.each([
  ['works', 'instance.signed_in'],
  ['was granted a start and has no process yet', 'instance.start_claimed'],
])('an agent that %s is ended when it is disabled', async (_, point) => {
  await using place = await yard()
  const worker = await place.agent('ida', working('ida', ['hang']))
  await place.task(worker, 'tsk_ida')
  await until(async () => (await place.events(point)).length === 1)
  await place.hub.api('agent.disable', { agent_id: worker.agentId })
  await until(async () => (await place.hub.api('hub.status', {})).instances === 0)
  expect(await place.events('run.ended')).toMatchObject([{ outcome: 'error', reason: 'taken-away' }])
})

test('never more instances than slots, and no more starts in a minute than allowed, also after a restart', async () => {
  const clock = new TestClock()
  const config = { ...scriptedConfig, limits: { runs: 2, startsPerMinute: 5 } }
  const place = await yard({ clock, config })
  const most = { running: 0 }
  const watching = setInterval(() => {
    const open = place.hub.running.hub.invoker ? countProcesses(place.hub.home) : 0
    most.running = Math.max(most.running, open)
  }, 20)
  try {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const name of names) {
      const worker = await place.agent(name, working(name, ['sleep 200']))
      await place.task(worker, `tsk_${name}`)
    }
    await until(async () => (await place.events('instance.ended')).length === 5)
    const blocked = async (hub: typeof place.hub) => {
      const asked = await Promise.all(
        names.map(name => hub.call('should_start', { agent_id: `agt_${name}`, project_id: `prj_${name}` })),
      )
      return asked.map(({ body }) => body['reason']).filter(reason => reason === 'rate_limited').length
    }
    expect(await blocked(place.hub)).toBe(2)
    expect(await place.events('instance.start_claimed')).toHaveLength(5)
    expect(most.running).toBeLessThanOrEqual(2)
    expect(most.running).toBeGreaterThan(0)
    await place.hub.stop()
    await using again = await testHub({ clock, target: place.hub.target, config })
    expect(await blocked(again)).toBe(2)
    clock.advance(60_000)
    expect(await blocked(again)).toBe(0)
  } finally {
    clearInterval(watching)
    await place[Symbol.asyncDispose]()
  }
})

/** Engine processes that work in this folder, seen from outside. */
function countProcesses(home: string): number {
  const parents = new Map<number, number>()
  for (const pid of fs.readdirSync('/proc').map(Number)) {
    try {
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      if (!command.includes('scripted-engine.js') || !fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(home)) continue
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
      if (isRunning(pid)) parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended while we looked.
    }
  }
  // One that an engine is just starting looks like the engine for a moment.
  return [...parents.values()].filter(parent => !parents.has(parent)).length
}

test('what cannot be started says why; where another Runner could, that one does it', async () => {
  const clock = new TestClock()
  await using hub = await testHub({ clock, config: scriptedConfig })
  const { token } = await hub.api('runner.add', { name: 'bare' })
  const { token: able } = await hub.api('runner.add', { name: 'able' })
  await hub.api('agent.add', { id: 'agt_x', name: 'x', engine: 'second', system_prompt: '!exit 0' })
  await hub.api('project.add', { id: 'prj_x', name: 'x', directory: hub.home })
  await hub.api('project.assign', { agent_id: 'agt_x', project_id: 'prj_x' })
  const task = { project_id: 'prj_x', title: 't', assignee_id: 'agt_x', status: 'in_progress' } as const
  await hub.api('task.add', { id: 'tsk_x', ...task })
  const ends = async () => eventsOf(await rowsOf(hub, 'events'), 'instance.ended')
  const runner = { totalMinutes: 1, silentMinutes: 1, troubledMinutes: 1 }
  const bare = await runnerAt(hub, token, path.join(hub.home, 'bare'), { config: () => ({ engines: {}, runner }) })
  try {
    const waits = async () => (await hub.api('task.show', { task_id: 'tsk_x' })).not_started
    await until(async () => (await waits())?.includes('bare does not have second.'))
    expect(await ends()).toEqual([])
    const second = await runnerAt(hub, able, path.join(hub.home, 'able'))
    try {
      await until(async () => {
        const { runners } = await hub.api('runner.list', {})
        return runners.find(({ name }) => name === 'able')?.engines.includes('second')
      })
      await until(async () => (await ends()).length === 1)
      expect(await ends()).toMatchObject([{ cause: 'itself', exitCode: 0 }])
      expect((await rowsOf(hub, 'instances'))['instances']).toMatchObject([{ runner: 'able', epoch: 1 }])
    } finally {
      await second.stop()
    }
  } finally {
    await bare.stop()
  }
})

test('the bridge that instances of tests start is the built one: no folder of its own is left behind', async () => {
  expect(await bridgeProgram()).toBe(path.join(DIST, 'bridge.js'))
  expect(fs.existsSync(path.join(DIST, 'bridge.js'))).toBe(true)
})
