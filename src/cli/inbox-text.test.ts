import { expect, test } from 'vitest'
import { item } from '#hub/inbox/item.ts'
import { fakeIo } from '../../test/fake-io.ts'
import { inboxText, noticeLine } from './inbox-text.ts'
import { loadWidths, widthOf } from './width.ts'

const question = item({
  kind: 'blocked',
  about: 'tsk_1',
  title: 'Fix the login',
  handle: 'shop-12',
  detail: 'Cookie or bearer?',
  agent_name: 'Aoi',
  engine: 'claude',
  project_name: 'shop',
  at: 0,
  command: 'toryo task answer shop-12',
  held_up: 2,
})

test('an item says what it is about, what is asked, and what to type', () => {
  expect(inboxText([question], fakeIo({ now: 180_000 }))).toBe(
    [
      'asks  shop-12 Fix the login',
      '  Aoi · claude · shop · 3m ago · 2 tasks wait for it',
      '  Cookie or bearer?',
      '  → toryo task answer shop-12 "…"',
    ].join('\n'),
  )
  expect(inboxText([question], fakeIo({ lang: 'ja', now: 180_000 }))).toContain('質問  shop-12 Fix the login')
})

test('a screen is shown from its end, prose from its beginning, and no line is wider than the terminal', async () => {
  await loadWidths()
  const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`).join('\n')
  const screen = inboxText([{ ...question, kind: 'tab_waits', detail: lines }], fakeIo())
  expect(screen).toContain('line 8')
  expect(screen).not.toContain('line 2')
  const prose = inboxText([{ ...question, detail: lines }], fakeIo())
  expect(prose).toContain('line 0')
  expect(prose).toContain('line 5 …')
  expect(prose).not.toContain('line 6')
  const long = { ...question, title: 'とても長い題名'.repeat(20), detail: '長い質問です。'.repeat(30) }
  for (const line of inboxText([long], fakeIo({ width: 80, lang: 'ja' })).split('\n'))
    expect(widthOf(line)).toBeLessThanOrEqual(80)
})

test('text of agents cannot steer the terminal', () => {
  const bad = { ...question, title: 'a\u001b[2Jb', detail: 'c\u001b]0;x\u0007', command: 'toryo tab attach \u001b[1m' }
  expect(inboxText([bad], fakeIo())).not.toContain('\u001b')
  expect(noticeLine(bad, fakeIo())).not.toContain('\u001b')
})

test('a notice is one line with the command', () => {
  expect(noticeLine({ ...question, detail: 'Cookie\nor bearer?' }, fakeIo())).toBe(
    '? shop-12 Fix the login [asks]: Cookie ⏎ or bearer? (toryo task answer shop-12 "…")',
  )
})
