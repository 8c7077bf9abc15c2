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
  expect(toneOf(event('run.ended', { outcome: 'completed' }))).toBe('good')
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

test('a Runner is called by its machine or the name that people gave it, a tab by its engine and branch', () => {
  const names: EventNames = { ...NO_NAMES, tabs: { tab_1: { engine: 'claude', branch: 'feature/login' } } }
  const said = (caller: string) => whoIs(caller, names, words.en)
  expect(said('runner:macbook:5f3c2a')).toBe('Runner on macbook')
  expect(whoIs('runner:macbook:5f3c2a', names, words.ja)).toBe('macbook の Runner')
  expect(said('runner:attic')).toBe('Runner attic')
  expect(said('tab:tab_1')).toBe('claude in feature/login')
  expect(said('operator:Hanako')).toBe('Hanako')
  expect(said('operator')).toBe('Operator')
})

test('what the hub does by itself is said of the hub, and what a person does of the person', () => {
  const said = (type: string, caller = 'operator') => whoDid({ ...event(type, {}), caller }, NO_NAMES, words.en)
  expect(['check.ended', 'task.verified', 'merge.ended'].map(type => said(type))).toEqual(['Hub', 'Hub', 'Hub'])
  expect(said('task.moved')).toBe('Operator')
  expect(said('engine.resumed')).toBe('Operator')
  expect(said('snapshot.taken', 'operator:Hanako')).toBe('Hanako')
})

test('one of a thing is not said as many', () => {
  const say = (type: string, payload: object) =>
    words.en.sentences[type]?.(new Said(event(type, payload), NO_NAMES, words.en.values, words.en.quote))
  expect(say('snapshot.taken', { taskId: 'tsk_1', changedFiles: 1 })).toMatch(/: 1 changed file$/)
  expect(say('run.progressed', { runId: 'run_1', toolCalls: 1, files: 0 })).toMatch(/: 1 tool call, 0 files$/)
})
