import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { claude } from './claude.ts'
import { configuredEngine } from './configured.ts'
import { cursor } from './cursor.ts'
import { allEngines } from './all-engines.ts'
import type { Facts } from './facts.ts'
import { judge } from './judge.ts'
import type { ReaderOptions } from './reader.ts'

const FOLDER = new URL('../../test/fixtures/cli-output/', import.meta.url)
const SAMPLES = readdirSync(FOLDER).map(file => file.replace('.jsonl', ''))
const engines = allEngines({ engines: {} })

const bytesOf = (sample: string) => readFileSync(new URL(`${sample}.jsonl`, FOLDER))
const engineOf = (sample: string) => {
  const engine = engines.get(sample.split('-')[0] ?? '')
  if (!engine) throw new Error(`no engine for ${sample}`)
  return engine
}

function read(sample: string, pieces: Iterable<Uint8Array>, options: ReaderOptions = {}): Facts {
  const reader = engineOf(sample).reader({ now: () => 0, ...options })
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return reader.facts
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('what a good run tells', () => {
  const DONE = { toolCalls: 4, lastMessage: 'FINAL full: all four done', badLines: 0, cutLines: 0, denied: 0 }
  const FILE = { created: ['/project/full.txt'], edited: [], deleted: [] }
  const TOKENS = { input: 500, cache_read: 0, cache_write: 0, output: 100, reasoning: 0 }
  const UNSAID = { ...TOKENS, cache_write: null }

  test.each([
    ['claude', { ...DONE, ...FILE, usage: TOKENS, costUsd: 0.004, mcpConnected: true, model: 'claude-opus-5-5' }],
    ['codex', { ...DONE, ...FILE, usage: TOKENS, costUsd: undefined, mcpConnected: true }],
    ['gemini', { ...DONE, ...FILE, usage: UNSAID, model: 'gemini-2.5-pro', mcpConnected: true }],
    ['opencode', { ...DONE, ...FILE, usage: TOKENS, costUsd: 0, mcpConnected: true }],
    ['qwen', { ...DONE, ...FILE, usage: { ...UNSAID, reasoning: null }, model: 'fake-model', mcpConnected: true }],
    ['copilot', { ...DONE, ...FILE, usage: undefined, model: 'fake-model', mcpConnected: true }],
  ])('%s', (sample, expected) => {
    const facts = read(sample, [bytesOf(sample)], { exists: () => false })
    expect(facts).toMatchObject(expected)
    expect(facts.session).toMatch(/^[\w-]{20,}$/)
    expect(judge(engineOf(sample).capabilities, facts, { code: 0, signal: undefined }).outcome).toBe('success')
  })

  test('several turns of one claude process add up, and the last end counts', () => {
    const facts = read('claude-several-turns', [bytesOf('claude-several-turns')])
    expect(facts).toMatchObject({ toolCalls: 2, costUsd: 0.004, usage: { input: 500, output: 100 } })
    expect(facts.end).toEqual({ outcome: 'success', reason: 'completed', message: undefined })
  })

  test('gemini does not say whether a file is new: without being told it counts as edited', () => {
    expect(read('gemini', [bytesOf('gemini')])).toMatchObject({ created: [], edited: ['/project/full.txt'] })
  })

  test('paths are told absolute when the folder is known', () => {
    const reader = engines.get('codex')?.reader({ cwd: '/somewhere' })
    const item = { type: 'file_change', status: 'completed', changes: [{ path: 'a/../b.txt', kind: 'add' }] }
    reader?.push(Buffer.from(`${JSON.stringify({ type: 'item.completed', item })}\n`))
    expect(reader?.facts.created).toEqual(['/somewhere/b.txt'])
  })

  test('each fact is told once, as soon as its line has ended', () => {
    const reader = engines.get('codex')?.reader()
    expect(reader?.push(Buffer.from('{"type":"thread.started","thread_id":"t1"}'))).toEqual([])
    expect(reader?.push(Buffer.from('\n'))).toEqual([{ kind: 'session', id: 't1' }])
    expect(reader?.push(Buffer.from('{"type":"thread.started","thread_id":"t1"}\n'))).toEqual([])
  })

  test('cursor', () => {
    const events = [
      { type: 'system', subtype: 'init', session_id: 'c1', model: 'Auto' },
      {
        type: 'tool_call',
        subtype: 'started',
        call_id: 'a\nb',
        tool_call: { writeToolCall: { args: { path: 'new.txt' } } },
      },
      {
        type: 'tool_call',
        subtype: 'completed',
        call_id: 'a\nb',
        tool_call: { writeToolCall: { args: { path: 'new.txt' }, result: { success: { path: '/project/new.txt' } } } },
      },
      {
        type: 'tool_call',
        subtype: 'completed',
        call_id: 'c',
        tool_call: { editToolCall: { args: { path: '/project/no.txt' }, result: { error: {} } } },
      },
      {
        type: 'tool_call',
        subtype: 'completed',
        call_id: 'd',
        tool_call: { deleteToolCall: { args: { path: '/project/old.txt' }, result: { success: {} } } },
      },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'done' }] } },
      { type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 'c1' },
    ]
    const reader = cursor.reader({ cwd: '/project', exists: () => false })
    for (const event of events) reader.push(Buffer.from(`${JSON.stringify(event)}\n`))
    expect(reader.facts).toMatchObject({
      session: 'c1',
      toolCalls: 3,
      created: ['/project/new.txt'],
      edited: [],
      deleted: ['/project/old.txt'],
      end: { outcome: 'success' },
    })
  })
})

describe('how a run ended is judged by its last event, not by its exit code', () => {
  const exits = { zero: { code: 0, signal: undefined }, one: { code: 1, signal: undefined } }

  test.each([
    ['claude-server-error', 'error', 'api_error', /500/],
    ['claude-no-such-model', 'error', 'api_error', /no-such-model/],
    ['claude-timeout', 'error', 'api_error', /timed out/],
    ['claude-max-turns', 'error', 'max_turns', undefined],
    ['claude-unauthorized-killed', 'interrupted', 'no-final-event', /authentication_failed 401/],
    ['codex-server-error', 'error', 'turn.failed', /high demand/],
    ['codex-unauthorized', 'error', 'turn.failed', /401/],
    ['codex-too-many-requests', 'error', 'turn.failed', /429/],
    ['gemini-unauthorized', 'error', 'unknown', /401/],
    ['gemini-bad-request', 'error', 'unknown', /400/],
    ['gemini-server-error', 'error', 'unknown', /500/],
    ['gemini-no-such-model', 'error', 'unknown', /no-such-model/],
    ['opencode-unauthorized', 'error', 'APIError', /401/],
    ['opencode-bad-request', 'error', 'APIError', /400/],
    ['opencode-unknown', 'error', 'UnknownError', /server error/],
    ['qwen-unreachable', 'error', 'error_during_execution', /Connection error/],
    ['copilot-unreachable', 'error', 'exit-code-1', /Could not connect/],
  ])('%s', (sample, outcome, reason, message) => {
    const facts = read(sample, [bytesOf(sample)])
    const verdict = judge(engineOf(sample).capabilities, facts, exits.zero)
    expect(verdict).toMatchObject({ outcome, reason })
    if (message) expect(verdict.message).toMatch(message)
    expect(facts.quota !== undefined).toBe(sample === 'codex-too-many-requests')
  })

  test('a good last event stays good whatever the exit code says', () => {
    const facts = read('claude', [bytesOf('claude')])
    expect(judge(claude.capabilities, facts, exits.one).outcome).toBe('success')
  })

  test('a program that always tells its end and did not was interrupted, even with exit code 0', () => {
    const facts = read('gemini', [bytesOf('gemini').subarray(0, 1000)])
    expect(judge({ tellsEnd: true }, facts, exits.zero)).toMatchObject({
      outcome: 'interrupted',
      reason: 'no-final-event',
    })
    const killed = { code: undefined, signal: 'SIGTERM' } as const
    expect(judge({ tellsEnd: true }, facts, killed)).toMatchObject({ outcome: 'interrupted', reason: 'SIGTERM' })
    const obedient = { code: 143, signal: undefined }
    expect(judge({ tellsEnd: true }, facts, obedient)).toMatchObject({ outcome: 'interrupted', reason: 'SIGTERM' })
  })

  test('of one that never tells, the exit code decides', () => {
    const facts = read('opencode', [bytesOf('opencode')])
    expect(judge({ tellsEnd: false }, facts, exits.zero).outcome).toBe('success')
    expect(judge({ tellsEnd: false }, facts, exits.one).outcome).toBe('error')
  })

  test('an end before a further turn does not count', () => {
    const reader = engines.get('codex')?.reader()
    reader?.push(Buffer.from('{"type":"turn.completed","usage":{}}\n{"type":"turn.started"}\n'))
    expect(reader?.facts.end).toBeUndefined()
  })
})

describe('however the bytes come', () => {
  test.each(SAMPLES)('%s reads the same in pieces of 1 to 7 bytes', sample => {
    const bytes = bytesOf(sample)
    const whole = read(sample, [bytes])
    for (let size = 1; size <= 7; size++) expect(read(sample, cut(bytes, size))).toEqual(whole)
  })

  test.each(SAMPLES)('%s reads the same cut in two at any byte', sample => {
    const bytes = bytesOf(sample)
    const whole = read(sample, [bytes])
    for (let at = 0; at <= bytes.length; at += step(bytes.length)) {
      expect(read(sample, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
    }
  })

  test.each(SAMPLES)('%s that stops at any byte tells what its whole lines told, and at most one is bad', sample => {
    const bytes = bytesOf(sample)
    const upTo = new Map<number, ReturnType<typeof read>>()
    for (let at = 0; at <= bytes.length; at += step(bytes.length)) {
      const facts = read(sample, [bytes.subarray(0, at)])
      const lastEnd = bytes.lastIndexOf(0x0a, at - 1)
      const rest = bytes
        .subarray(lastEnd + 1, at)
        .toString('utf8')
        .trim()
      const isWhole = rest === '' || isJson(rest)
      expect(facts.badLines).toBe(isWhole ? 0 : 1)
      if (isWhole) continue
      const { badLines, lines, ...told } = facts
      const before = upTo.get(lastEnd) ?? read(sample, [bytes.subarray(0, lastEnd + 1)])
      upTo.set(lastEnd, before)
      const { badLines: none, lines: fewer, ...expected } = before
      expect(told).toEqual(expected)
      expect([none, fewer]).toEqual([badLines - 1, lines - 1])
    }
  })

  test.each(SAMPLES)('%s with CRLF and empty lines reads the same', sample => {
    const bytes = bytesOf(sample)
    const changed = Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n\r\n'))
    expect(read(sample, [changed])).toEqual(read(sample, [bytes]))
  })
})

describe('bad lines', () => {
  const good = bytesOf('claude')
  const whole = read('claude', [good])

  test.each([
    ['prose', 'Warning: something\n'],
    ['half an object', '{"type":"assistant","mess\n'],
    ['an object and more', '{"type":"system"} trailing\n'],
    ['a list', '[1,2,3]\n'],
    ['null', 'null\n'],
    ['a NUL', '{"type":"assi\0stant"}\n'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])],
    ['a lonely half of a character', Buffer.from([0xe6, 0x97, 0x0a])],
    ['very deep JSON', `${'['.repeat(300_000)}\n`],
  ])('are counted and skipped: %s', (_name, line) => {
    const facts = read('claude', [Buffer.from(line), good])
    expect(facts).toEqual({ ...whole, lines: whole.lines + 1, badLines: 1 })
  })

  test('a line of 11 MB is cut, counted, and not kept in memory', () => {
    const long = Buffer.concat([
      Buffer.from('{"type":"assistant","x":"'),
      Buffer.alloc(11_000_000, 0x78),
      Buffer.from('"}\n'),
    ])
    const facts = read('claude', [...cut(long, 65_536), good])
    expect(facts).toEqual({ ...whole, lines: whole.lines + 1, badLines: 1, cutLines: 1 })
  })

  test('a flood without an end of line is cut, too', () => {
    const reader = claude.reader()
    for (let at = 0; at < 500; at++) reader.push(Buffer.alloc(65_536, 0x30))
    reader.end()
    expect(reader.facts).toMatchObject({ lines: 1, badLines: 1, cutLines: 1 })
  })

  test('that are no UTF-8 but JSON are counted and used all the same', () => {
    const line = Buffer.from('{"type":"result","subtype":"success","is_error":false,"result":"x?"}\n')
    line[line.indexOf('?')] = 0xff
    const facts = read('claude', [line])
    expect(facts).toMatchObject({ badLines: 1, lastMessage: 'x\uFFFD', end: { outcome: 'success' } })
  })

  test('flipped bytes never stop the reading, and lines that were not hit are read', () => {
    const hit = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 5 })
    for (const sample of SAMPLES) {
      const bytes = bytesOf(sample)
      const { lines } = read(sample, [bytes])
      fc.assert(
        fc.property(hit, flips => {
          const broken = Buffer.from(bytes)
          for (const [at, bits] of flips) broken[at % bytes.length] = (broken[at % bytes.length] ?? 0) ^ bits
          const facts = read(sample, [broken])
          expect(facts.badLines).toBeLessThanOrEqual(facts.lines)
          expect(Math.abs(facts.lines - lines)).toBeLessThanOrEqual(flips.length)
        }),
        { numRuns: 60 },
      )
    }
  })

  test('any JSON at all is read without harm by every engine', () => {
    for (const engine of engines.values()) {
      fc.assert(
        fc.property(
          fc.object({ maxDepth: 4 }),
          fc.constantFrom(
            'system',
            'assistant',
            'user',
            'result',
            'tool_use',
            'error',
            'item.completed',
            'step_finish',
            'tool_call',
            'message',
            'rate_limit_event',
            'tool.execution_complete',
          ),
          (value, type) => {
            const reader = engine.reader()
            for (const name of [
              'message',
              'item',
              'part',
              'data',
              'error',
              'usage',
              'tool_call',
              'stats',
              'mcp_servers',
            ]) {
              reader.push(Buffer.from(`${JSON.stringify({ type, subtype: 'init', [name]: value })}\n`))
              reader.push(Buffer.from(`${JSON.stringify({ type, content: value, ...value })}\n`))
            }
            expect(reader.facts.badLines).toBe(0)
          },
        ),
        { numRuns: 100 },
      )
    }
  })

  test('nobody can fill our memory with files, calls or words', () => {
    const reader = claude.reader()
    for (let at = 0; at < 5000; at++) {
      const result = { type: 'create', filePath: `/f${at}` }
      reader.push(
        Buffer.from(
          `${JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_result' }] }, tool_use_result: result })}\n`,
        ),
      )
    }
    const content = [{ type: 'text', text: 'x'.repeat(500_000) }]
    reader.push(Buffer.from(`${JSON.stringify({ type: 'assistant', message: { content } })}\n`))
    expect(reader.facts.created).toHaveLength(2000)
    expect(reader.facts.lastMessage?.length).toBeLessThan(70_000)
  })
})

test('prose is the message of a program that writes nothing else', () => {
  const engine = configuredEngine('mine', {
    headless: ['x'],
    output: 'text',
    models: ['*'],
    env: [],
    projectConfig: [],
  })
  const reader = engine.reader()
  reader.push(Buffer.from('first\nsecond'))
  reader.end()
  expect(reader.facts).toMatchObject({ lastMessage: 'first\nsecond', badLines: 0 })
})

/** Every byte of the small ones; of the large ones enough to finish. */
function step(length: number): number {
  return length < 3000 ? 1 : 7
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

test('Codex says on stderr alone that it refused a patch', () => {
  const reader = engineOf('codex').reader()
  const line = (at: number, said: string) =>
    `2026-11-17T12:43:18.${at}Z ERROR codex_core::tools::router: error=${said}\n`
  const refusal = 'patch rejected: writing outside of the project; rejected by user approval settings'
  for (const said of [line(1, refusal), line(1, refusal), line(2, refusal), line(3, 'patch did not apply')])
    reader.push(Buffer.from(said), 'stderr')
  expect(reader.facts).toMatchObject({ denied: 2, deniedTools: ['apply_patch'], trouble: undefined })
})

describe('what some programs tell on stderr alone', () => {
  test.each([
    [
      'opencode',
      'timestamp=2026-11-16T04:46:08.825Z level=ERROR run=f782a510 message="stream error" providerID=fake agent=build error.error="AI_APICallError: You exceeded your \\"current\\" quota"',
      { trouble: 'You exceeded your "current" quota', quota: { message: 'You exceeded your "current" quota' } },
    ],
    ['opencode', 'timestamp=x level=ERROR run=1 message="failed to load plugin" error.error="quota"', {}],
    [
      'gemini',
      'Attempt 1 failed: Too many requests. Retrying after 34210ms...',
      { trouble: 'Too many requests. retry in 34s...', quota: { resetsAt: 34_000 } },
    ],
    [
      'gemini',
      'Attempt 2 failed with 429 error (no Retry-After header). Retrying with backoff... {',
      { trouble: 'with 429 error (no Retry-After header). Retrying with backoff...', quota: {} },
    ],
    ['gemini', 'Ripgrep is not available. Falling back to GrepTool.', {}],
    ['claude', 'Attempt 1 failed: Too many requests', {}],
  ])('%s: %s', (engine, line, expected) => {
    const reader = engines.get(engine)?.reader({ now: () => 0 })
    for (const byte of Buffer.from(`some line\n${line}\n`)) reader?.push(Uint8Array.of(byte), 'stderr')
    expect(reader?.facts).toMatchObject({ trouble: undefined, quota: undefined, lines: 0, badLines: 0, ...expected })
  })

  test('a last line without its end counts', () => {
    const reader = engines.get('gemini')?.reader()
    reader?.push(Buffer.from('Attempt 1 failed: HTTP 500'), 'stderr')
    expect(reader?.end()).toEqual([{ kind: 'trouble', message: 'HTTP 500' }])
  })
})
