import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fakeIo } from '../../test/fake-io.ts'
import { ActivityText, asWritten } from './activity-text.ts'

const OUTPUT = path.join(import.meta.dirname, '../../test/fixtures/cli-output')

function read(file: string, engine: string | null): string[] {
  const lines = fs.readFileSync(path.join(OUTPUT, file), 'utf8').trimEnd().split('\n')
  const shown = ActivityText.of(engine, lines[0] ?? '', fakeIo({ width: 80 }))
  return lines.flatMap(line => shown?.lines(line) ?? ['not known'])
}

test('calls are single lines, results are below them, and what it says is as it was said', () => {
  const lines = read('codex.jsonl', 'codex')
  expect(lines).toEqual(
    expect.arrayContaining([
      '→ echo_task step one',
      '    echo_task got: step one',
      '→ file_change /project/full.txt',
      "→ command_execution /bin/bash -lc 'echo shell-says-hi'",
      '    shell-says-hi',
      '● FINAL full: all four done',
    ]),
  )
  expect(lines.join('\n')).not.toContain('{"type"')
  for (const line of lines.filter(one => !one.startsWith('●'))) expect(line.length).toBeLessThanOrEqual(80)
})

test('paths in the folder of the run are named from it on, and last words that are repeated are shown once', () => {
  const shown = ActivityText.of(
    'claude',
    '',
    fakeIo({ width: 60 }),
    '/home/aoi/.toryo/worktrees/prj_06gupa767hvf1ff9i2iimf68hj/shop-1',
  )
  const said = (text: string) => JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
  const input = { file_path: '/home/aoi/.toryo/worktrees/prj_06gupa767hvf1ff9i2iimf68hj/shop-1/src/cart.js' }
  const call = { type: 'tool_use', id: '1', name: 'Write', input }
  expect(shown?.lines(JSON.stringify({ type: 'assistant', message: { content: [call] } }))).toEqual([
    '→ Write src/cart.js',
  ])
  expect(shown?.lines(said('All done'))).toEqual(['● All done'])
  const end = { type: 'result', subtype: 'success', is_error: false, result: 'All done' }
  expect(shown?.lines(JSON.stringify(end))).toEqual([])
})

test('an engine of the configuration is read by what it writes', () => {
  expect(read('claude.jsonl', 'my-claude').some(line => line.startsWith('→ '))).toBe(true)
  expect(read('codex.jsonl', null)).toContain('● FINAL full: all four done')
})

test('credentials, escape sequences and all but the first lines of a result are left out', () => {
  const token = `sess_${'aB3'.repeat(14)}x`
  const shown = ActivityText.of('claude', '', fakeIo())
  const event = (type: string, block: object) => JSON.stringify({ type, message: { content: [block] } })
  const call = shown?.lines(
    event('assistant', { type: 'tool_use', id: '1', name: 'mcp__toryo__get_my_task', input: { session_token: token } }),
  )
  expect(call).toEqual(['→ toryo get_my_task'])
  const content = `${token}\nb\u001b[2J\nc\nd\ne`
  expect(shown?.lines(event('user', { type: 'tool_result', tool_use_id: '1', content }))).toEqual([
    '    sess_[hidden]',
    '    b␛[2J',
    '    c',
    '    … +2',
  ])
})

test('credentials are left out of lines that are no JSON, and of output whose form is not known', () => {
  const token = `sess_${'aB3'.repeat(14)}x`
  expect(ActivityText.of('claude', '', fakeIo())?.lines(`token ${token}`)).toEqual(['token sess_[hidden]'])
  expect(asWritten(`{"output":"done\\n${token}\u001b"}`)).toBe('{"output":"done\\nsess_[hidden]␛"}')
})
