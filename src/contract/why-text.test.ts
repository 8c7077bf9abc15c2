import { expect, test } from 'vitest'
import type { Text } from './errors.ts'
import { runEnd } from './run-end.ts'
import { Blocked, CheckRemark, MergeNeeds, type SetupFailure } from './why.ts'
import { blockedText, needsText, remarkText, setupText } from './why-text.ts'

const check = { handle: 'shop-1', check: 'test', evidence: 'evd_1' }
const merge = { base: 'main', merge: 'mrg_1' }
const why = { en: 'The folder is gone.', ja: 'フォルダーがありません。' }
const place = { base: 'main', path: '/shop' }
const notFound = { kind: 'not-found', program: 'make' } as const

const BLOCKED: Blocked[] = [
  { kind: 'check-not-started', ...check, remark: notFound },
  { kind: 'check-not-started', ...check, remark: null },
  ...(['failed', 'timed_out', 'stale'] as const).map(
    outcome => ({ kind: 'check-failed', ...check, count: 4, exitCode: 1, outcome }) as const,
  ),
  { kind: 'check-unchanged', ...check },
  { kind: 'unreadable', why },
  { kind: 'sent-back', count: 4 },
  { kind: 'handed-back', count: 2, unchanged: true },
  { kind: 'handed-back', count: 8, unchanged: false },
  { kind: 'silent', restarts: 5, run: 'run_1', end: runEnd('failed', { label: 'Claude', exitCode: 1 }) },
  { kind: 'silent', restarts: 5, run: null, end: runEnd('silent') },
  { kind: 'conflicts', ...merge, count: 4, files: ['a', 'b'] },
  { kind: 'merge-check-failed', ...merge, count: 4, check: 'test' },
  { kind: 'merge-check-not-started', ...merge, check: 'test', remark: notFound },
  { kind: 'imported' },
  { kind: 'base-lacks', ...merge, commit: '0123456789abcdef', handle: 'shop-1' },
]

const REMARKS: CheckRemark[] = [
  { kind: 'clean' },
  { kind: 'changed-before' },
  { kind: 'hub-ended' },
  { kind: 'no-folder', folder: 'packages/app' },
  { kind: 'setup-failed', why: { kind: 'not-found', program: 'npm' } },
  { kind: 'setup-changes', files: ['a', 'b'], more: 2 },
  notFound,
  { kind: 'too-long', minutes: 0.5 },
  { kind: 'changed', files: ['a.txt', '$1.txt'], more: 3 },
  { kind: 'changed', files: ['a.txt'], more: 0 },
]

const NEEDS: MergeNeeds[] = [
  { kind: 'no-base', base: 'main' },
  { kind: 'unseen-checks', project: 'shop', checks: [{ name: 'test', command: ['npm', 'test'] }] },
  { kind: 'no-folder', project: 'Shop' },
  { kind: 'dirty', ...place, files: ['a', 'b'], more: true },
  { kind: 'gone', ...place },
  { kind: 'unclear', ...place },
  { kind: 'operation', ...place, operation: 'rebase' },
  { kind: 'locked', ...place },
  { kind: 'refused', why },
  { kind: 'fault' },
]

const SETUPS: SetupFailure[] = [
  notFound,
  { kind: 'stopped' },
  { kind: 'hub-ended' },
  { kind: 'too-long', minutes: 5 },
  { kind: 'ended', exitCode: 3, signal: null, last: 'broken' },
  { kind: 'ended', exitCode: null, signal: 'SIGKILL', last: '' },
]

const SAID: [string, Text][] = [
  ...SETUPS.map((fact): [string, Text] => [JSON.stringify(fact), setupText(fact)]),
  ...BLOCKED.map((fact): [string, Text] => [JSON.stringify(Blocked.parse(fact)), blockedText(fact)]),
  ...REMARKS.map((fact): [string, Text] => [JSON.stringify(CheckRemark.parse(fact)), remarkText(fact)]),
  ...NEEDS.map((fact): [string, Text] => [JSON.stringify(MergeNeeds.parse(fact)), needsText(fact)]),
]

test.each(SAID)('%s is said in each language', (_fact, { en, ja }) => {
  expect(en).not.toMatch(/[ぁ-んァ-ヶ一-龠]|undefined|null|<run>/)
  expect(ja).toMatch(/[ぁ-んァ-ヶ一-龠]/)
  expect(ja).not.toMatch(/undefined|null|<実行>|[ぁ-んァ-ヶ一-龠][.;] |[.;] ?[ぁ-んァ-ヶ一-龠]/)
})

test.each([
  ...Blocked.options
    .filter(({ shape }) => shape.kind.value !== 'said')
    .map(({ shape }) => ['blocked', shape.kind.value]),
  ...CheckRemark.options
    .filter(({ shape }) => shape.kind.value !== 'said')
    .map(({ shape }) => ['remark', shape.kind.value]),
  ...MergeNeeds.options
    .filter(({ shape }) => shape.kind.value !== 'git')
    .map(({ shape }) => ['needs', shape.kind.value]),
])('there is a sample of %s: %s', (of, kind) => {
  const samples = { blocked: BLOCKED, remark: REMARKS, needs: NEEDS }[of] ?? []
  expect(samples.map(one => one.kind)).toContain(kind)
})

test('what a person, an agent or another program wrote stays as it is', () => {
  expect(blockedText({ kind: 'said', text: 'Which color?' })).toEqual({ en: 'Which color?', ja: 'Which color?' })
  expect(remarkText({ kind: 'said', text: 'spawn EAGAIN' }).ja).toBe('spawn EAGAIN')
  expect(needsText({ kind: 'git', said: 'fatal: bad object' }).ja).toBe(
    'git でマージできませんでした: fatal: bad object',
  )
})
