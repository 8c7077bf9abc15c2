// What a person who finds a failed task in the morning reads: what happened, why, and what to do next.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '#client/api.ts'
import { parseConfig } from '#kernel/config.ts'
import { until } from './bridge/world.ts'
import { databases, TestClock, testHub } from './hub.ts'
import { runnerAt, scriptedConfig, working, Yard, yard } from './runner.ts'
import { eventsOf, rowsOf } from './scene.ts'

/** The first run of the task, once it has ended. */
async function ended(place: Pick<Yard, 'hub'>, taskId: string) {
  return until(async () => {
    const shown = await place.hub.api('task.show', { task_id: taskId })
    return shown.executions.at(-1)?.ended_at ? shown : undefined
  })
}

const trouble = (error: string, status: number) =>
  `line ${JSON.stringify({ type: 'system', subtype: 'api_retry', error, error_status: status })}`

/** name, steps, limits in minutes, kind, words of the sentence */
const FAILURES: [string, string[], object, string, RegExp][] = [
  [
    'a model that is out of quota',
    ['fail API Error: 429 quota'],
    {},
    'quota',
    /used up.*429 quota; wait until the pause/,
  ],
  [
    'a model that fails',
    ['fail API Error: 500 broken'],
    {},
    'service',
    /no usable answer.*500 broken; check the service/,
  ],
  ['a stream that is cut', ['fail API Error: Connection dropped (ECONNRESET)'], {}, 'service', /ECONNRESET/],
  ['no login', ['fail Not logged in · Please run /login'], {}, 'sign-in', /not signed in.*\/login; sign in with/],
  ['silence', ['hang'], { silentMinutes: 0.02 }, 'silence', /wrote nothing .* read its log .*runner\.silentMinutes/],
  ['too long a work', ['hang'], { totalMinutes: 0.02 }, 'time-limit', /still at work .*runner\.totalMinutes/],
  ['words on stderr alone', ['stderr Invalid auth method selected.', 'exit 41'], {}, 'sign-in', /Invalid auth method/],
  ['words that say nothing of a kind', ['stderr no such flag', 'exit 7'], {}, 'failed', /exit code 7: no such flag/],
  [
    'a model that is tried again and again',
    [trouble('server_error', 500), 'hang'],
    { troubledMinutes: 0.01 },
    'service',
    /no usable answer.*server_error 500/,
  ],
  [
    'a quota that is tried again and again until the time is up',
    [trouble('rate_limit', 429), 'hang'],
    { totalMinutes: 0.02 },
    'quota',
    /used up.*rate_limit 429/,
  ],
  [
    'refused tools',
    [
      `line ${JSON.stringify({ type: 'system', subtype: 'permission_denied', tool_name: 'WebFetch', tool_use_id: 'x' })}`,
    ],
    {},
    'denied',
    /refused its calls of WebFetch.*allow them/,
  ],
  ['a death', ['die SIGKILL'], {}, 'killed', /was ended by SIGKILL; read its log/],
]

describe('a start that ends before it has asked for its task', () => {
  test.each(FAILURES)('is a run that says so: %s', async (_name, steps, runner, kind, words) => {
    await using place = await yard({ clock: new TestClock(), config: { ...scriptedConfig, runner } })
    const task = await place.task(await place.agent('amy', steps), 'tsk_amy')
    const shown = await ended(place, task)
    expect(shown.executions).toMatchObject([{ task_id: task, agent_id: 'agt_amy', status: 'error' }])
    expect(shown.failure).toMatchObject({ kind, reason: expect.stringMatching(words) })
    expect(shown.failure).toMatchObject(kind === 'quota' ? { next: 'paused' } : { next: 'again' })
    expect((await place.hub.api('hub.status', {})).pauses).toHaveLength(kind === 'quota' ? 1 : 0)
    const run = await place.hub.api('execution.show', { execution_id: String(shown.executions[0]?.execution_id) })
    expect(run).toMatchObject({ engine: 'scripted', log_file: expect.stringContaining('/logs/instances/') })
    // The log is there to be read, and in the sentence's own words.
    const { text } = await place.hub.api('run.logs', { run_id: run.execution_id })
    expect(text).toContain('"subtype":"init"')
  })
})

/** name, what is taken away between the claim and the start, words in English and Japanese */
const GONE: [string, (place: { directory: string; program: string }) => void, RegExp, RegExp][] = [
  [
    'its folder',
    ({ directory }) => fs.rmSync(directory, { recursive: true, force: true }),
    /^leaving was not started, since its folder is not on the Runner's machine: \/.*\/kit; put the folder back/,
    /^フォルダーが Runner のマシンにないため、leaving を起動しませんでした: \/.*\/kit。フォルダーを戻すか/,
  ],
  [
    'its program',
    ({ program }) => fs.rmSync(program, { force: true }),
    /^leaving could not be started, since leaving is not in the Runner's PATH; install it/,
    /^leaving を起動できませんでした。leaving が Runner の PATH にありません。/,
  ],
]

test.each(GONE)('a start says so when %s is gone by then, and what to do', async (_name, take, en, ja) => {
  const { headless, ...rest } = scriptedConfig.engines.scripted
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-leaving-'))
  const program = path.join(folder, 'leaving')
  fs.writeFileSync(program, `#!/bin/sh\nexec ${headless.join(' ')}\n`, { mode: 0o755 })
  const config = { ...scriptedConfig, engines: { leaving: { ...rest, headless: [program] } } }
  await using hub = await testHub({ clock: new TestClock(), config })
  const place = new Yard(hub)
  const worker = await place.agent('kit', ['hang'], 'leaving')
  const at = (point: string) => {
    if (point === 'begun') take({ directory: worker.directory, program })
  }
  const task = await place.task(worker, 'tsk_kit')
  const { token } = await hub.api('runner.add', { name: 'far' })
  const parsed = parseConfig(JSON.stringify(config), 'test')
  const runner = await runnerAt(hub, token, path.join(hub.home, 'far'), { config: () => parsed, at })
  try {
    expect((await ended(place, task)).failure?.reason).toMatch(en)
    const japanese = createClient({ url: hub.url, token: hub.token, lang: 'ja' })
    expect((await japanese.call('task.show', { task_id: task })).failure?.reason).toMatch(ja)
  } finally {
    await runner.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

test.each(databases)('exit code, log, tokens, cost and files of a good run are kept (%s)', async database => {
  await using place = await yard({ database, pace: { graceMs: 120_000 } })
  const worker = await place.agent('bob', working('bob', ['write roof.txt done']))
  const task = await place.task(worker, 'tsk_bob')
  await until(async () => (await place.events('run.settled')).length === 1)
  const shown = await place.hub.api('task.show', { task_id: task })
  expect(shown).toMatchObject({ status: 'done', failure: null, executions: [{ status: 'completed', exit_code: 0 }] })
  const run = await place.hub.api('execution.show', { execution_id: String(shown.executions[0]?.execution_id) })
  expect(run).toMatchObject({
    reason: null,
    summary: 'done',
    engine: 'scripted',
    model: 'scripted',
    tool_calls: 4,
    created_files: [path.join(worker.directory, 'roof.txt')],
    usage: { input: 10, output: 2 },
    cost_usd: 0.001,
    denied_tools: [],
  })
  // One for the whole life: the start, then taken by the agent.
  expect(await place.events('run.started')).toHaveLength(1)
  expect(await place.events('run.taken')).toMatchObject([{ taskId: task, startedFor: task }])
  expect((await rowsOf(place.hub, 'runs'))['runs']).toHaveLength(1)
})

test.each(databases)('tokens that cannot be are unknown, and the log of the run says so (%s)', async database => {
  await using place = await yard({ database, pace: { graceMs: 120_000 } })
  const usage = { input_tokens: -5, output_tokens: 7 }
  const odd = `line ${JSON.stringify({ type: 'result', subtype: 'success', usage, total_cost_usd: 'NaN' })}`
  const worker = await place.agent('bob', [odd, ...working('bob', ['write roof.txt done'])])
  const task = await place.task(worker, 'tsk_bob')
  await until(async () => (await place.events('run.settled')).length === 1)
  const shown = await place.hub.api('task.show', { task_id: task })
  const execution_id = String(shown.executions[0]?.execution_id)
  const run = await place.hub.api('execution.show', { execution_id })
  // The total that it gives later counts; a sum with an unknown part does not.
  expect(run).toMatchObject({ status: 'completed', usage: null, cost_usd: 0.001 })
  const { text } = await place.hub.api('run.logs', { run_id: execution_id })
  expect(text).toContain(
    '[toryo] It gives its tokens as input -5,cache_read unknown,cache_write unknown,output 7,reasoning unknown, which cannot be.',
  )
  expect(text).toContain('[toryo] It gives its cost as NaN')
})

test('one that ends in order without a report says so, signed in or not', async () => {
  await using place = await yard({ clock: new TestClock() })
  const who = JSON.stringify({ agent_id: 'agt_cid', project_id: 'prj_cid' })
  const cid = await place.agent('cid', [`call authenticate ${who}`, 'say I am finished'])
  const dan = await place.agent('dan', ['call authenticate {"agent_id":"agt_x","project_id":"prj_x","passkey":"no"}'])
  const silent = await ended(place, await place.task(cid, 'tsk_cid'))
  expect(silent.failure).toMatchObject({
    kind: 'no-report',
    reason: expect.stringMatching(/^scripted completed without a report, with the last words: I am finished; read/),
  })
  const refused = await ended(place, await place.task(dan, 'tsk_dan'))
  expect(refused.failure).toMatchObject({ kind: 'no-sign-in', reason: expect.stringContaining('without signing in') })
  // What the hub answered is what the program said last.
  expect(refused.failure?.reason).toMatch(/agt_x|Invalid/)
})

test('a program that is not there is not tried, and the task says which Runner lacks it', async () => {
  await using hub = await testHub({ clock: new TestClock(), config: scriptedConfig })
  const { token } = await hub.api('runner.add', { name: 'bare' })
  await hub.api('agent.add', { id: 'agt_x', name: 'x', engine: 'gemini' })
  await hub.api('project.add', { id: 'prj_x', name: 'x', directory: hub.home })
  await hub.api('project.assign', { agent_id: 'agt_x', project_id: 'prj_x' })
  const task = { project_id: 'prj_x', title: 't', assignee_id: 'agt_x', status: 'in_progress' } as const
  await hub.api('task.add', { id: 'tsk_x', ...task })
  const runner = await runnerAt(hub, token, path.join(hub.home, 'bare'), { source: { PATH: '/nowhere' } })
  try {
    const waits = async () => (await hub.api('task.show', { task_id: 'tsk_x' })).not_started
    await until(async () => (await waits())?.includes('bare does not have gemini.'))
    expect(await waits()).toMatch(/^Waits for a Runner with gemini .* Install what is missing there/)
    expect(eventsOf(await rowsOf(hub, 'events'), 'run.started')).toEqual([])
  } finally {
    await runner.stop()
  }
})

test.each(databases)('a start that no Runner takes up is a run that says so (%s)', async database => {
  const clock = new TestClock()
  await using hub = await testHub({ database, clock })
  const { agentId, projectId, taskId } = await hub.seed()
  const start = { agent_id: agentId, project_id: projectId }
  expect((await hub.call('should_start', start)).body).toMatchObject({ should_start: true })
  const running = await hub.api('task.show', { task_id: taskId })
  expect(running).toMatchObject({ executions: [{ status: 'running', reason: null }], failure: null })
  clock.advance(121_000)
  expect((await hub.call('should_start', start)).body).toEqual({ should_start: false, reason: 'backing_off' })
  const shown = await hub.api('task.show', { task_id: taskId })
  expect(shown).toMatchObject({ executions: [{ status: 'error' }], failure: { kind: 'not-taken-up', next: 'again' } })
})

test.each(databases)('an agent that comes by its passkey goes on with the run of its start (%s)', async database => {
  await using hub = await testHub({ database })
  const { agentId, projectId, taskId, passkey } = await hub.seed()
  await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  const agent = await hub.connect()
  const token = await agent.signIn(agentId, passkey, projectId)
  await agent.call('get_my_task', { session_token: token })
  await agent.call('report_completed', { session_token: token, result: 'success', summary: 'done' })
  const shown = await hub.api('task.show', { task_id: taskId })
  expect(shown).toMatchObject({ status: 'done', failure: null, executions: [{ status: 'completed', reason: null }] })
  expect(shown.executions).toHaveLength(1)
})

test.each(databases)('one that reports without having asked for its task leaves it as it was (%s)', async database => {
  await using hub = await testHub({ database })
  const { agentId, projectId, taskId } = await hub.seed()
  const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  const agent = await hub.connect({ credential: String(start.body['ticket']) })
  const { body } = await agent.call('authenticate', { agent_id: agentId, project_id: projectId })
  await agent.call('report_completed', { session_token: body['session_token'], result: 'success' })
  const shown = await hub.api('task.show', { task_id: taskId })
  expect(shown).toMatchObject({ status: 'in_progress', executions: [{ status: 'completed', result: 'success' }] })
  expect(shown.failure).toMatchObject({ kind: 'no-task' })
})

test('Japanese readers get the sentence in Japanese, also of a task that was given up', async () => {
  const clock = new TestClock()
  await using place = await yard({ clock })
  const worker = await place.agent('eve', ['fail API Error: 500 broken'])
  const task = await place.task(worker, 'tsk_eve')
  const ja = createClient({ url: place.hub.url, token: place.hub.token, lang: 'ja' })
  await ended(place, task)
  const { failure } = await ja.call('task.show', { task_id: task })
  expect(failure?.reason).toMatch(/^scripted はモデルから応答を得られませんでした: .*500 broken。サービスの稼働状況/)
  for (const [index, seconds] of [10, 20, 40, 80, 160].entries()) {
    await until(async () => (await place.events('instance.lost')).length === index + 1)
    clock.advance(seconds * 1000)
  }
  await until(async () => (await place.status(task)) === 'blocked')
  const shown = await ja.call('task.show', { task_id: task })
  expect(shown.blocked_reason).toMatch(/^エージェントを 5 回再起動しましたが.*500 broken.*「進行中」に戻して/)
})
