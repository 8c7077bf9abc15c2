import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventNames } from '#contract/events.ts'
import { asLines } from '../../parts/save-file.ts'
import { groupOf, mergeNames, NO_NAMES, Said, subjectOf, toneOf, whoOf } from './model.ts'
import { whoDid, whoIs } from './who-is.ts'
import { words } from './words.ts'
import { en } from './sentences.ts'
import { ja } from './sentences-ja.ts'

const folder = 'src/contract'
const sources = readdirSync(folder).map(name => (name.endsWith('.ts') ? readFileSync(`${folder}/${name}`, 'utf8') : ''))
const types = sources.flatMap(text => [...text.matchAll(/eventType\(\s*'([^']+)'/g)].map(match => match[1] ?? ''))

const names: EventNames = {
  ...NO_NAMES,
  tasks: { tsk_1: { handle: 'shop-1', title: 'Prices' } },
  agents: { agt_aoi: 'Aoi' },
  runs: { run_1: { role: 'reviewer', engine: 'codex' } },
  decisions: { 7: 'Integers' },
}
const event = (type: string, payload: unknown) => ({
  ...{ seq: 1, at: '2026-01-01T00:00:00Z', type, project_id: null, caller: 'operator', payload, touches: [] },
})

test('every event of the contract has one sentence in both languages, and no other has', () => {
  expect(types.length).toBeGreaterThan(80)
  for (const sentences of [en, ja]) expect(new Set(Object.keys(sentences))).toEqual(new Set(types))
})

test('a sentence says names instead of ids, and ids where there is no name', () => {
  const moved = { taskId: 'tsk_1', from: 'todo', to: 'in_progress', reason: null }
  expect(en['task.moved']?.(new Said(event('', moved), names))).toBe('moved shop-1 Prices: todo → in progress')
  expect(ja['task.moved']?.(new Said(event('', moved), names, { todo: '未着手', in_progress: '進行中' }))).toBe(
    'shop-1 Prices を移動しました: 未着手 → 進行中',
  )
  expect(en['task.added']?.(new Said(event('', { taskId: 'tsk_2' }), names))).toBe('added tsk_2')
  expect(en['decision.added']?.(new Said(event('', { decisionId: 7, supersedes: 4 }), names))).toBe(
    'decided #7 Integers, which replaces #4',
  )
})

test('whatever an event holds, its sentence is a text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.jsonValue(), (type, payload) => {
      for (const sentences of [en, ja])
        expect(typeof sentences[type]?.(new Said(event(type, payload), names))).toBe('string')
      toneOf(event(type, payload))
      subjectOf(event(type, payload))
    }),
  )
})

test('who did it is said by name; what kind of caller it was is left where it has none', () => {
  expect(whoOf('operator', names)).toEqual({ kind: 'operator', name: undefined })
  expect(whoOf('operator:Hisashi: A', names)).toEqual({ kind: 'operator', name: 'Hisashi: A' })
  expect(whoOf('agent:agt_aoi', names).name).toBe('Aoi')
  expect(whoOf('run:run_1', names).name).toBe('reviewer')
  expect(whoOf('agent:agt_gone', names).name).toBe('agt_gone')
})

test('agents of crews are runs, and those of projects are agents', () => {
  expect(groupOf('agent:created')).toBe('runs')
  expect(groupOf('agent.added')).toBe('projects')
  expect(types.filter(type => groupOf(type) === 'hub').map(type => type.split('.')[0])).toEqual(
    expect.arrayContaining(['runner', 'token', 'page', 'call', 'inbox']),
  )
})

test('what ended badly stands out, and what ended well', () => {
  expect(toneOf(event('run.ended', { outcome: 'failed' }))).toBe('bad')
  expect(toneOf(event('run.ended', { outcome: 'failed', result: 'blocked' }))).toBe('plain')
  expect(toneOf(event('run.ended', { outcome: 'completed' }))).toBe('good')
  expect(toneOf(event('run.ended', { outcome: 'cancelled' }))).toBe('plain')
  expect(toneOf(event('task.returned', { why: 'checks' }))).toBe('bad')
  expect(toneOf(event('task.added', {}))).toBe('plain')
})

test('names of several answers are one list, and events become one line each', () => {
  const merged = mergeNames([names, { ...NO_NAMES, agents: { agt_ren: 'Ren' } }])
  expect(merged.agents).toEqual({ agt_aoi: 'Aoi', agt_ren: 'Ren' })
  const lines = asLines([event('a', { text: 'one\ntwo' }), event('b', {})])
  expect(
    lines
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).type),
  ).toEqual(['a', 'b'])
})

test('a Runner of the hub is called by its machine, another one by its name, a tab by its engine and branch', () => {
  const names: EventNames = { ...NO_NAMES, tabs: { tab_1: { engine: 'claude', branch: 'feature/login' } } }
  const said = (caller: string) => whoIs(caller, names, words.en)
  expect(said('runner:macbook:5f3c2a')).toBe('Toryo on macbook')
  expect(whoIs('runner:macbook:5f3c2a', names, words.ja)).toBe('Toryo (macbook)')
  expect(said('runner:attic')).toBe('Runner attic')
  expect(said('tab:tab_1')).toBe('claude in feature/login')
  expect(said('operator:Hanako')).toBe('Hanako')
  expect(said('operator')).toBe('You')
})

test('what the hub does by itself is said of the hub, and what a person does of the person', () => {
  const said = (type: string, caller = 'operator') => whoDid({ ...event(type, {}), caller }, NO_NAMES, words.en)
  expect(['check.ended', 'task.verified', 'merge.ended'].map(type => said(type))).toEqual(['Hub', 'Hub', 'Hub'])
  expect(said('task.moved')).toBe('You')
  expect(said('engine.resumed')).toBe('You')
  expect(said('snapshot.taken', 'operator:Hanako')).toBe('Hanako')
})

test('one of a thing is not said as many', () => {
  const say = (type: string, payload: object) =>
    words.en.sentences[type]?.(new Said(event(type, payload), NO_NAMES, words.en.values, words.en.quote))
  expect(say('snapshot.taken', { taskId: 'tsk_1', changedFiles: 1 })).toMatch(/: 1 changed file$/)
  expect(say('run.progressed', { runId: 'run_1', toolCalls: 1, files: 0 })).toMatch(/: 1 tool call, 0 files$/)
})

test('how a run ended is a sentence, whatever words the hub or the program has for it', () => {
  const say = (outcome: string, reason: string | null, more: object = {}) =>
    (['en', 'ja'] as const).map(lang => {
      const { sentences, values, quote } = words[lang]
      const payload = { runId: 'run_1', outcome, reason, ...more }
      return sentences['run.ended']?.(new Said(event('run.ended', payload), names, values, quote))
    })
  expect(say('completed', 'reported', { toolCalls: 41 })).toEqual([
    'run of reviewer completed, 41 tool calls',
    'reviewer の実行が完了しました (ツール呼び出し 41 回)',
  ])
  expect(say('completed', 'turn.completed', { toolCalls: 1 })[0]).toBe('run of reviewer completed, 1 tool call')
  expect(say('failed', 'reported')).toEqual([
    'run of reviewer reported a failure',
    'reviewer の実行が失敗を報告しました',
  ])
  expect(say('failed', 'exit-code-1')).toEqual([
    'run of reviewer failed: exit code 1',
    'reviewer の実行が失敗しました: 終了コード 1',
  ])
  expect(say('failed', 'SIGKILL')[0]).toBe('run of reviewer failed: ended by SIGKILL')
  expect(say('error', 'no-report')).toEqual([
    'run of reviewer failed: it ended without a report',
    'reviewer の実行が失敗しました: 報告せずに終了',
  ])
  expect(say('cancelled', 'stopped')[0]).toBe('run of reviewer was stopped')
  expect(say('cancelled', 'stage-failed')[0]).toBe('run of reviewer was cancelled: an earlier stage of the crew failed')
  expect(say('timedOut', 'silence')[0]).toBe('run of reviewer timed out: it wrote nothing for too long')
  expect(say('failed', null)[0]).toBe('run of reviewer failed')
  // A program's own name for its failure is all that is known; one that is a name in JavaScript is still a text.
  expect(say('failed', 'ProviderAuthError')[0]).toBe('run of reviewer failed: ProviderAuthError')
  expect(say('failed', 'constructor')[0]).toBe('run of reviewer failed: constructor')
})
