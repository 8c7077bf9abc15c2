import { beforeAll, expect, test } from 'vitest'
import type { InboxItem } from '#contract/inbox.ts'
import { MergeView } from '#contract/thread.ts'
import type { WorkView } from '#contract/work.ts'
import { fakeIo } from '../../../test/fake-io.ts'
import { NOT_REPORTED } from '../../../test/work.ts'
import type { Connection } from '../connect.ts'
import { CliError } from '../errors.ts'
import { loadWidths, widthOf } from '../width.ts'
import { Changes, type Look } from './changes.ts'
import { panel } from './panel.ts'
import { connected } from './watch.ts'
import type { ReturnedTask } from './work-text.ts'

beforeAll(loadWidths)

const NOW = Date.parse('2026-01-01T00:03:05Z')
const io = fakeIo({ now: NOW })

const aoi: WorkView = {
  work_id: 'exec_1',
  kind: 'task',
  name: 'Aoi',
  agent_id: null,
  crew_id: null,
  engine: 'claude',
  project_id: null,
  project_name: 'shop',
  task_id: null,
  handle: 'shop-12',
  title: 'Fix the login',
  status: 'running',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: null,
  last_action: 'Bash npm test',
  reason: null,
  next: null,
  created_at: '2026-01-01T00:00:00Z',
  started_by: 'operator',
  ...NOT_REPORTED,
}
const failed: WorkView = {
  ...aoi,
  status: 'error',
  ended_at: '2026-01-01T00:02:00Z',
  reason: 'Claude Code completed without a report.',
  next: { what: 'again', at: '2026-01-01T00:03:25Z', attempt: 2, attempts: 6 },
}
const question = {
  item_id: 'blocked:tsk_1',
  kind: 'blocked',
  title: 'Choose',
  handle: 'shop-9',
  detail: 'Cookie\nor bearer?',
  since: null,
  command: 'toryo task answer shop-9',
  check: null,
  merge: null,
} as InboxItem
const look = (work: WorkView[], items: InboxItem[] = [], merged: MergeView[] = []): Look => ({
  ...{ work, items, merged },
  waiting: [],
  returned: [],
})
const texts = (changes: Changes, now: Look) => changes.take(now).map(({ text }) => text)

test('each start, end and question is said once, with what happens next and what to type', () => {
  const changes = new Changes(io)
  expect(texts(changes, look([aoi]))).toEqual(['▸ Aoi works on shop-12 Fix the login (claude)'])
  expect(texts(changes, look([aoi], [question]))).toEqual([
    '? shop-9 Choose [asks]: Cookie ⏎ or bearer? (toryo task answer shop-9 "…")',
  ])
  const over = look([failed], [question])
  expect(texts(changes, over)).toEqual([
    '✗ Aoi on shop-12 Fix the login: Claude Code completed without a report; try 2 of 6 in 20s (toryo run logs exec_1)',
  ])
  expect(texts(changes, over)).toEqual([])
  // Answered, and asked again.
  expect(texts(changes, look([failed]))).toEqual([])
  expect(texts(changes, look([failed], [question]))).toHaveLength(1)
})

test('what was over before we came is not news; a run that came and went between two looks is', () => {
  const changes = new Changes(io)
  expect(texts(changes, look([failed]))).toEqual([])
  const quick = { ...aoi, work_id: 'exec_2', status: 'completed', ended_at: aoi.started_at, last_action: 'It holds.' }
  expect(texts(changes, look([quick, failed]))).toEqual(['✓ Aoi on shop-12 Fix the login: reported: It holds.'])
})

test('a run that began after we came is news, also when it is over before the first look', () => {
  const changes = new Changes(io)
  const at = new Date(NOW).toISOString()
  const quick = { ...aoi, work_id: 'exec_2', status: 'completed', started_at: at, ended_at: at, last_action: 'done' }
  expect(texts(changes, look([quick, failed]))).toEqual(['✓ Aoi on shop-12 Fix the login: reported: done'])
  expect(texts(changes, look([quick, failed]))).toEqual([])
})

test('a hub that cannot prove itself in time is asked again, until it answers or the view is over', async () => {
  const hub = {} as Connection
  const over = new AbortController()
  let calls = 0
  const connect = async () => {
    calls++
    if (calls === 2) return hub
    if (calls === 4) over.abort()
    throw CliError.HUB_NOT_RUNNING({ db: 'toryo.db' })
  }
  expect(await connected(connect, over.signal)).toBe(hub)
  expect(await connected(connect, over.signal)).toBeUndefined()
  expect(calls).toBe(4)
  const refused = async () => {
    throw CliError.FAILED({ text: { en: 'no', ja: '否' } })
  }
  expect(await connected(refused, new AbortController().signal)).toBeUndefined()
})

test('work that was merged is said, in both languages', () => {
  const at = '2026-01-01T00:03:00Z'
  const ended = {
    position: null,
    queued_at: at,
    ended_at: at,
    outcome: 'merged',
    commit: 'c0ffee',
    waits: null,
    step: null,
    ...{ files: [], check: null, stage: 'merged', agent_id: null },
  }
  const merge = {
    merge_id: 'mrg_1',
    kind: 'merge',
    task_id: 'tsk_12',
    handle: 'shop-12',
    title: 'Fix the login',
    project_id: 'prj_shop',
  }
  const merged = MergeView.parse({ ...merge, ...ended, base: 'main' })
  expect(texts(new Changes(io), look([], [], [merged]))).toEqual(['✓ shop-12 Fix the login: merged into main'])
  const japanese = new Changes(fakeIo({ now: NOW, lang: 'ja' }))
  expect(texts(japanese, look([], [], [merged]))).toEqual(['✓ shop-12 Fix the login: main にマージしました'])
  const undone = { ...merged, kind: 'undo' as const }
  expect(texts(new Changes(io), look([], [], [undone]))).toEqual([
    '↩ shop-12 Fix the login: its merge is undone in main',
  ])
  const redone = { ...merged, kind: 'redo' as const }
  expect(texts(new Changes(io), look([], [], [redone]))).toEqual(['✓ shop-12 Fix the login: merged into main again'])
})

test('a report that comes back is no success: which check failed, or which files do not merge', () => {
  const evidence = [{ check: 'test', outcome: 'failed', merge_id: null }] as unknown as ReturnedTask['evidence']
  const back = { handle: 'shop-2', agent: 'Claude', why: 'checks', count: 1, evidence, merge: null } as ReturnedTask
  const merge = { base: 'main', files: ['README.md'] } as unknown as ReturnedTask['merge']
  const apart: ReturnedTask = { ...back, handle: 'shop-5', why: 'conflict', merge }
  const asked: WorkView = { ...failed, work_id: 'exec_3', result: 'blocked', reason: 'Cookie or bearer?', next: null }
  const all = (lang: 'en' | 'ja') => {
    const changes = new Changes(fakeIo({ now: NOW, lang }))
    changes.take(look([{ ...asked, ended_at: null }]))
    return texts(changes, { ...look([asked], [question]), returned: [back, apart] })
  }
  expect(all('en')).toEqual([
    '✗ shop-2: check test failed (1 of 4), back to Claude',
    '↩ shop-5: does not merge with main (README.md); back to Claude',
    '? shop-9 Choose [asks]: Cookie ⏎ or bearer? (toryo task answer shop-9 "…")',
  ])
  expect(all('ja').slice(0, 2)).toEqual([
    '✗ shop-2: チェック test が失敗 (4 回中 1 回目)、Claude に差し戻し',
    '↩ shop-5: main とマージできません (README.md)。Claude に差し戻し',
  ])
})

test('work that waits for a person because it failed is no question', () => {
  const detail =
    'Check test failed twice on the same files: the agent reported again without a change. `toryo run logs shop-3 --check test` shows what it wrote. Fix the cause.'
  const check = { evidence_id: 'evd_1', name: 'test', tail: 'not ok 1' }
  const about = { item_id: 'blocked:tsk_3', handle: 'shop-3', title: 'Add a test' }
  const failed = { ...question, ...about, detail, check, command: 'toryo task answer shop-3' } as InboxItem
  const apart = { ...question, ...about, merge: 'conflict', detail: 'It does not merge with main.' } as InboxItem
  const said = (item: InboxItem) => texts(new Changes(io), look([], [item]))
  expect(said(failed)).toEqual([
    '✗ shop-3 Add a test [check failed]: Check test failed twice on the same files: the agent reported again without a change. (toryo task answer shop-3 "…")',
  ])
  expect(said(apart)[0]).toMatch(/^✗ shop-3 Add a test \[does not merge\]/)
  const text = panel(look([], [failed]), { columns: 80, rows: 24 }, io).join('\n')
  expect(text).toContain('Needs you (1)\n  ✗ shop-3 Add a test: Check test failed twice')
})

test('the panel says who works on what, for how long, what it does, and what waits for the person', () => {
  const text = panel(look([aoi], [question]), { columns: 80, rows: 24 }, io).join('\n')
  expect(text).toContain('Working (1)')
  expect(text).toMatch(/ {2}Aoi \(claude\) {2}shop-12 Fix the login +3m 05s\n {4}Bash npm test/)
  expect(text).toContain('Needs you (1)\n  ? shop-9 Choose: Cookie ⏎ or bearer?\n    → toryo task answer shop-9 "…"')
})

test.each([
  [80, 24],
  [30, 10],
  [200, 60],
])('the panel fits a window of %i × %i, and says what it leaves out', (columns, rows) => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    ...aoi,
    work_id: `exec_${at}`,
    title: 'とても長い題名'.repeat(9),
  }))
  const asked = Array.from({ length: 9 }, (_, at) => ({ ...question, item_id: `blocked:${at}` }))
  const lines = panel(look(many, asked), { columns, rows }, fakeIo({ now: NOW, lang: 'ja' }))
  expect(lines.length).toBeLessThan(rows)
  for (const line of lines) expect(widthOf(line)).toBeLessThan(columns)
  if (rows < 40) expect(lines.join('\n')).toMatch(/… 他 \d+ 件/)
  expect(lines.join('\n')).toContain('対応待ち (9)')
})

test('a task that waits for a busy agent is said once, with what adds another one, and stays in the panel', () => {
  const waiting = [
    {
      ...{ task_id: 'tsk_3', handle: 'shop-3', title: 'Tiles', project_id: 'prj_1', agent_id: 'agt_1' },
      ...{ agent_name: 'Aoi', agent_busy_with: { handle: 'shop-12' } },
    },
  ] as unknown as Look['waiting']
  const now = { ...look([aoi]), waiting }
  const changes = new Changes(io)
  expect(texts(changes, now)).toEqual([
    '▸ Aoi works on shop-12 Fix the login (claude)',
    '· shop-3 Tiles waits: Aoi works on shop-12 (toryo agent copy Aoi --task shop-3)',
  ])
  expect(texts(changes, now)).toEqual([])
  expect(texts(changes, look([aoi]))).toEqual([])
  expect(texts(changes, now)).toHaveLength(1)
  expect(panel(now, { columns: 80, rows: 24 }, io)).toContain('  shop-3 Tiles waits: Aoi works on shop-12')
  const ja = fakeIo({ now: NOW, lang: 'ja' })
  expect(panel(now, { columns: 80, rows: 24 }, ja)).toContain('  shop-3 Tiles は待機中: Aoi は shop-12 を作業中')
})
