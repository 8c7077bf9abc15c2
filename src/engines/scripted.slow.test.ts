import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Ending, supervise } from '#kernel/processes/supervise.ts'
import { markedProcesses, newMarker, scriptedEngine, temporaryFolder } from '#test/scripted.ts'
import type { Facts } from './facts.ts'
import { findProgram } from './find-program.ts'
import { judge, type Verdict } from './judge.ts'

const ECHO = fileURLToPath(new URL('../../test/fixtures/echo-mcp.js', import.meta.url))

/** A run as others will make it: engine, launcher, reader and judge together. */
async function run(folder: string, ...steps: string[]): Promise<{ facts: Facts; ending: Ending; verdict: Verdict }> {
  const engine = scriptedEngine()
  const [own, cwd] = [join(folder, 'own'), join(folder, 'project')]
  for (const path of [own, cwd]) mkdirSync(path)
  const prompt = ['You are a tester.', ...steps.map(step => `!${step}`)].join('\n')
  const mcp = { command: process.execPath, args: [ECHO], env: { TORYO_TICKET_FILE: '/run/ticket' } }
  const call = await engine.headless?.({
    folder: own,
    directory: cwd,
    source: process.env,
    permission: 'edit',
    prompt,
    mcp,
  })
  const program = findProgram(engine.programs, process.env)
  if (!call || program === undefined) throw new Error('the scripted engine is not there')
  const reader = engine.reader({ cwd, exists: existsSync })
  const marker = newMarker()
  const running = await supervise({
    launch: { program, args: call.args, cwd, env: call.env, marker, stdin: call.stdin ?? '' },
    limits: { silenceMs: 60_000 },
    onOutput: (bytes, from) => void (from === 'stdout' && reader.push(bytes)),
  })
  const ending = await running.ended
  reader.end()
  expect(markedProcesses(marker)).toEqual([])
  return { facts: reader.facts, ending, verdict: judge(engine.capabilities, reader.facts, ending) }
}

describe.runIf(process.platform === 'linux')('a run of the scripted engine', () => {
  test('calls tools, writes files and ends well', async () => {
    using folder = temporaryFolder()
    const { facts, verdict } = await run(
      folder.path,
      'call echo {"a":1}',
      'write new.txt one',
      'write new.txt two',
      'say done',
    )
    expect(facts).toMatchObject({
      toolCalls: 3,
      created: [join(folder.path, 'project', 'new.txt')],
      edited: [],
      lastMessage: 'done',
      usage: { input: 10, cache_read: null, cache_write: null, output: 2, reasoning: null },
      costUsd: 0.001,
      badLines: 0,
    })
    expect(verdict).toMatchObject({ outcome: 'success' })
  })

  test('reaches its MCP server with the ticket it was given', async () => {
    using folder = temporaryFolder()
    const { facts } = await run(folder.path, 'call echo {"a":1}')
    expect(JSON.parse(facts.lastMessage ?? '')).toEqual({ a: 1, ticket: '/run/ticket' })
  })

  test.each([
    [
      'an error that its last event tells',
      ['fail the model is gone'],
      { outcome: 'error', message: 'the model is gone' },
    ],
    ['exit code 0 without a last event', ['exit 0'], { outcome: 'interrupted', reason: 'no-final-event' }],
    ['an exit code', ['exit 9'], { outcome: 'error', reason: 'exit-code-9' }],
    ['death', ['die SIGKILL'], { outcome: 'interrupted', reason: 'SIGKILL' }],
    ['half a line', ['half {"type":"result"', 'die SIGKILL'], { outcome: 'interrupted', reason: 'SIGKILL' }],
    ['an unknown step', ['nonsense'], { outcome: 'error', reason: 'error_during_execution' }],
  ])('ends by %s', async (_name, steps, expected) => {
    using folder = temporaryFolder()
    expect((await run(folder.path, ...steps)).verdict).toMatchObject(expected)
  })

  test('tells that the quota is spent, and until when', async () => {
    using folder = temporaryFolder()
    const { facts } = await run(folder.path, 'limit 1999999999', 'fail limit reached')
    expect(facts.quota).toEqual({ message: 'limit reached', resetsAt: 1_999_999_999_000 })
  })
})
