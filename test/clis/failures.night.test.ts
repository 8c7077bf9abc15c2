// What a person reads in `toryo task show` when a real program fails under the Runner.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeClis, EVERY_CLI } from './clis.ts'
import type { Script } from './model/conversation.ts'
import { inTurn } from './scripts.ts'
import { CliWorld, until } from './world.ts'

const TROUBLES: [string, Script, string, RegExp][] = [
  ['out of quota', () => ({ refuse: 429, message: 'You exceeded your current quota.' }), 'quota', /quota|429/],
  ['broken', () => ({ refuse: 500, message: 'scripted 500' }), 'service', /scripted 500|high demand/],
  ['cut', () => ({ cut: 'half a sent' }), 'service', /; check the service/],
]

/** opencode tries again for hours unless it is given up. */
const config = { runner: { troubledMinutes: 0.2 }, limits: { runs: 8, startsPerMinute: 1000 } }

/** What happened, why, and what to do, in one sentence. */
const SENTENCE = /^[^\n]+; [^\n]+\.$/

/** What a person reads in the morning, and the run behind it. */
async function failure(world: CliWorld) {
  const { taskId } = await world.employ()
  return until(async () => {
    const { executions, failure } = await world.hub.api('task.show', { task_id: taskId })
    const last = executions.at(-1)
    if (!last?.ended_at || !failure) return undefined
    const run = await world.hub.api('execution.show', { execution_id: last.execution_id })
    const { pauses } = await world.hub.api('hub.status', {})
    expect(failure.reason).toMatch(SENTENCE)
    expect(run).toMatchObject({ status: 'error', engine: world.cli, reason: failure.reason })
    expect(run.log_file).toContain('.log')
    return { run, pauses, failure }
  })
}

describeClis(EVERY_CLI, cli => {
  test.each(TROUBLES)('a model that is %s', async (_name, usual, kind, words) => {
    await using world = await CliWorld.open(cli, { usual }, { runner: true, config })
    const { pauses, failure: told } = await failure(world)
    expect(told).toMatchObject({ kind, next: kind === 'quota' ? 'paused' : 'again' })
    expect(told.reason).toMatch(words)
    expect(told.reason).toMatch(kind === 'quota' ? /is used up.*; wait until/ : /no usable answer.*; check the service/)
    expect(pauses).toHaveLength(kind === 'quota' ? 1 : 0)
  })

  test('a model that says nothing', async () => {
    const settings = { ...config, runner: { ...config.runner, silentMinutes: 0.4 } }
    await using world = await CliWorld.open(
      cli,
      { usual: () => ({ silence: true }) },
      { runner: true, config: settings },
    )
    const { failure: told } = await failure(world)
    expect(told.kind).toBe('silence')
    expect(told.reason).toMatch(/wrote nothing for .*; read its log \(`toryo run logs exec_\w+`\)/)
  })

  test('tools that its permissions refuse are named', async () => {
    const outside = path.join('/nowhere', 'never.txt')
    const usual = inTurn({ write: outside, content: 'x' }, { say: 'I could not write.' })
    await using world = await CliWorld.open(cli, { usual }, { runner: true, config })
    const { run, failure: told } = await failure(world)
    const tool = cli === 'codex' ? 'apply_patch' : 'write'
    expect(run.denied_tools.join().toLowerCase()).toContain(tool)
    expect(told.reason.toLowerCase()).toMatch(`refused its calls of ${tool}`)
    expect(told.reason).toMatch(/I could not write; allow them in the settings of/i)
  })

  test('without a login its own sentence is given', async () => {
    // As a service refuses a client without a key; the other programs do not even ask it.
    const usual: Script = () => ({ refuse: 401, message: 'You did not log in.' })
    await using world = await CliWorld.open(cli, { usual }, { runner: true, config })
    for (const name of ['ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'FAKE_API_KEY']) delete world.source[name]
    const settings = path.join(world.home, '.gemini/settings.json')
    if (cli === 'gemini') {
      const { security: _, ...rest } = JSON.parse(fs.readFileSync(settings, 'utf8')) as Record<string, unknown>
      fs.writeFileSync(settings, JSON.stringify(rest))
    }
    const { failure: told } = await failure(world)
    expect(told.kind).toBe('sign-in')
    expect(told.reason).toMatch(
      /is not signed in to its model: .*(?:auth method|log ?in|FAKE_API_KEY).*; sign in with/i,
    )
    expect(told.reason).not.toMatch(/exit-code/)
  })

  test('a program that is missing is named before anything is tried', async () => {
    await using world = await CliWorld.open(cli, { usual: () => ({ say: 'hi' }) }, { runner: true, config })
    world.source['PATH'] = '/nowhere'
    const { taskId } = await world.employ()
    const waits = await until(async () => {
      const { not_started, executions } = await world.hub.api('task.show', { task_id: taskId })
      expect(executions).toEqual([])
      return not_started?.includes('does not have') && not_started
    })
    expect(waits).toMatch(
      new RegExp(`^Waits for a Runner with ${cli} .* does not have ${cli}\\. Install what is missing`),
    )
  })
})
