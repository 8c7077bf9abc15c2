// What a person reads in `toryo task show` when a real program fails under the Runner.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeClis } from './clis.ts'
import type { Script } from './model/conversation.ts'
import { inTurn } from './scripts.ts'
import { CliWorld, until } from './world.ts'

const TROUBLES: [string, Script, string, RegExp][] = [
  ['out of quota', () => ({ refuse: 429, message: 'You exceeded your current quota.' }), 'quota', /quota/],
  ['broken', () => ({ refuse: 500, message: 'scripted 500' }), 'service', /scripted 500/],
  ['cut', () => ({ cut: 'half a sent' }), 'service', /; check the service/],
]

/** opencode tries again for hours unless it is given up. */
const config = { runner: { troubledMinutes: 0.2 }, limits: { runs: 8, startsPerMinute: 1000 } }

async function failure(world: CliWorld) {
  const { taskId } = await world.employ()
  return until(async () => {
    const { executions } = await world.hub.api('task.show', { task_id: taskId })
    const last = executions.at(-1)
    if (!last?.completedAt) return undefined
    const run = await world.hub.api('execution.show', { execution_id: last.executionId })
    const { pauses } = await world.hub.api('hub.status', {})
    return { run, pauses }
  })
}

describeClis(['claude', 'gemini', 'opencode'], cli => {
  test.each(TROUBLES)('a model that is %s', async (_name, usual, kind, words) => {
    await using world = await CliWorld.open(cli, { usual }, { runner: true, config })
    const { run, pauses } = await failure(world)
    expect(run).toMatchObject({ status: 'error', engine: cli, logFilePath: expect.stringContaining('.log') })
    expect(run.reason).toMatch(words)
    expect(run.reason).toMatch(kind === 'quota' ? /is used up/ : /no usable answer/)
    expect(pauses).toHaveLength(kind === 'quota' ? 1 : 0)
  })

  test('tools that its permissions refuse are named', async () => {
    const outside = path.join('/nowhere', 'never.txt')
    const usual = inTurn({ write: outside, content: 'x' }, { say: 'I could not write.' })
    await using world = await CliWorld.open(cli, { usual }, { runner: true, config })
    const { run } = await failure(world)
    expect(run.deniedTools.join().toLowerCase()).toContain('write')
    expect(run.reason).toMatch(/refused its calls of write.*I could not write/i)
  })
})

describeClis(['claude', 'gemini'], cli => {
  test('without a login its own sentence is given', async () => {
    await using world = await CliWorld.open(cli, { usual: () => ({ say: 'hi' }) }, { runner: true, config })
    for (const name of ['ANTHROPIC_API_KEY', 'GEMINI_API_KEY']) delete world.source[name]
    const settings = path.join(world.home, '.gemini/settings.json')
    if (cli === 'gemini') {
      const { security: _, ...rest } = JSON.parse(fs.readFileSync(settings, 'utf8')) as Record<string, unknown>
      fs.writeFileSync(settings, JSON.stringify(rest))
    }
    const { run } = await failure(world)
    expect(run.reason).toMatch(/is not signed in to its model: .*(?:auth method|log ?in).*; sign in with/i)
    expect(run.reason).not.toMatch(/exit-code/)
  })
})
