// Screens of the real programs, as they were drawn in a terminal, and what must be made of each.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Screen } from '#kernel/terminals/terminals.ts'
import { allEngines } from './all-engines.ts'
import { enterAnswers, screenState, type ScreenState, stillHolds } from './screen.ts'

const folder = path.join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'screens')
const engines = allEngines({ engines: {} })

function recorded(file: string): Screen {
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n')
  const at = lines.findIndex(line => line.startsWith('--- {'))
  const facts = JSON.parse(lines[at]?.slice(4) ?? '') as Pick<
    Screen,
    'cursor' | 'alternate' | 'bracketedPaste' | 'title'
  >
  return { ...facts, lines: lines.slice(0, at), quietMs: 5000, typedMs: null, unsent: false, seq: 1 }
}

/** What the name of the file says the screen shows. */
const STATES: Record<string, ScreenState> = {
  idle: 'idle',
  cleared: 'idle',
  'idle-after-turn': 'idle',
  'dialog-refused': 'idle',
  'half-typed': 'typing',
  'busy-half-typed': 'typing',
  pasted: 'typing',
  menu: 'typing',
  busy: 'busy',
  'busy-queued': 'busy',
  interrupted: 'idle',
  'dialog-write': 'dialog',
  'dialog-shell': 'dialog',
  'dialog-trust': 'dialog',
  fresh: 'dialog',
}
const EXCEPT: Record<string, ScreenState> = {
  // The interrupted text is put back into the line.
  'claude-interrupted': 'typing',
  // It could not reach its vendor, and says so without asking anything.
  'claude-fresh': 'unknown',
  // Nothing is drawn yet.
  'opencode-fresh': 'unknown',
  // It was allowed to go on without asking.
  'codex-dialog-shell': 'idle',
}

const files = readdirSync(folder)

test('there are screens of four programs', () => {
  expect(new Set(files.map(file => file.split('-')[0]))).toEqual(new Set(['claude', 'codex', 'gemini', 'opencode']))
})

test.each(files.map(file => file.replace('.txt', '')))('%s', name => {
  const [engine = '', ...state] = name.split('-')
  const rules = engines.get(engine)?.screen
  expect(rules).toBeDefined()
  expect(screenState(recorded(`${name}.txt`), rules)).toBe(EXCEPT[name] ?? STATES[state.join('-')])
})

describe('of any program', () => {
  const screen = (text: string, changes: Partial<Screen> = {}): Screen => {
    const lines = text.split('\n')
    const y = lines.length - 1
    const cursor = { x: lines[y]?.length ?? 0, y }
    const facts = {
      alternate: false,
      bracketedPaste: true,
      title: '',
      quietMs: 5000,
      typedMs: null,
      unsent: false,
      seq: 1,
    }
    return { lines, cursor, ...facts, ...changes }
  }

  test.each<[string, Screen, ScreenState]>([
    ['a menu', screen('Allow this?\n1. Yes\n2. No'), 'dialog'],
    ['a menu in one line', screen('Run rm -rf? 1. Yes 2. No'), 'dialog'],
    ['a menu with a mark', screen('Proceed?\n❯ Yes\n  No'), 'dialog'],
    ['a menu with a line for the number', screen('Allow?\n1) Allow\n2) Deny\n> '), 'dialog'],
    ['yes or no', screen('Overwrite the file? [y/N] '), 'dialog'],
    ['a key is waited for', screen('Press Enter to continue'), 'dialog'],
    ['a choice in Japanese', screen('方式を選んでください\n❯ 1. Cookie\n  2. トークン\nEnter で確定'), 'dialog'],
    ['a menu in Japanese', screen('実行しますか？\n1. はい\n2. いいえ'), 'dialog'],
    ['a half-typed line', screen('hello\n> fix the ro'), 'typing'],
    ['a half-typed line in Japanese', screen('> 屋根を直', { cursor: { x: 10, y: 0 } }), 'typing'],
    ['a half-typed command', screen('user@host:~/x$ git sta'), 'typing'],
    ['somebody types just now', screen('> ', { typedMs: 100 }), 'typing'],
    ['somebody has typed something', screen('anything', { unsent: true, typedMs: 60_000 }), 'typing'],
    ['an empty prompt', screen('hello\n> '), 'idle'],
    ['a list in what was said', screen('To do:\n1. wash\n2. dry\nDone.\n> '), 'idle'],
    ['silence', screen('working'), 'idle'],
    ['output', screen('working', { quietMs: 20 }), 'unknown'],
    ['an empty screen that is being drawn', screen('', { quietMs: 0 }), 'unknown'],
  ])('%s', (_, seen, state) => {
    expect(screenState(seen, undefined)).toBe(state)
  })

  const text = '[gwt msg from x]: Allow it? 1. Yes 2. No'
  const plain = '[gwt msg from x]: mend the roof'

  test.each<[string, Screen, string, boolean]>([
    ['shows it in its prompt', screen(`hello\n> ${plain}`), plain, true],
    ['shows it behind a prompt of its own', screen(`me@host:~/x$ ${text}`), text, true],
    ['shows it in a frame, in several rows', screen('│ > [gwt msg from x]: mend │\n│   the roof'), plain, true],
    ['has sent it', screen(`> ${plain}\n> `), plain, false],
    ['shows something else', screen('> hello'), plain, false],
    ['shows nothing', screen(''), plain, false],
  ])('holds a line when it %s', (_, seen, line, holds) => {
    expect(stillHolds(seen, undefined, line)).toBe(holds)
  })

  test.each<[string, Screen, string, boolean]>([
    ['a menu instead of its prompt', screen('Run this command?\n1. Yes\n2. No'), plain, true],
    ['a menu above its prompt', screen(`1. Yes\n2. No\n> ${plain}`), plain, true],
    ['a menu above a text that reads the same', screen(`1. Yes\n2. No\n> ${text}`), text, true],
    ['only the text, which looks like a question', screen(`hello\n> ${text}`), text, false],
    ['only the end of such a text', screen(`hello\n> ow it? 1. Yes 2. No`), text, false],
    ['such a text, broken where an answer begins', screen('> [gwt msg from x]: Allow it?\n1. Yes\n2. No'), text, false],
    ['a free prompt', screen('hello\n> '), plain, false],
  ])('whether Enter would answer a question of one that shows %s', (_, seen, line, answers) => {
    expect(enterAnswers(seen, undefined, line)).toBe(answers)
  })
})

test('a person who answers a question is not taken for one who writes', () => {
  const dialog = { ...recorded('claude-dialog-write.txt'), typedMs: 10, unsent: true }
  expect(screenState(dialog, engines.get('claude')?.screen)).toBe('dialog')
})

test('between two drawings nothing is certain', () => {
  expect(screenState({ ...recorded('claude-idle.txt'), quietMs: 50 }, engines.get('claude')?.screen)).toBe('unknown')
})

test('a line that was not sent is seen, whole or as the name of a paste', () => {
  const rules = (id: string) => engines.get(id)?.screen
  for (const id of ['claude', 'gemini', 'opencode'])
    expect(stillHolds(recorded(`${id}-pasted.txt`), rules(id), '[gwt msg from x]: y'), id).toBe(true)
  expect(stillHolds(recorded('codex-half-typed.txt'), rules('codex'), 'fix the roof')).toBe(false)
  expect(stillHolds(recorded('codex-half-typed.txt'), rules('codex'), 'fix the ro')).toBe(true)
  for (const id of ['claude', 'codex', 'gemini', 'opencode'])
    expect(stillHolds(recorded(`${id}-idle.txt`), rules(id), '[gwt msg from x]: y'), id).toBe(false)
})

describe('Enter behind a line that was just pasted', () => {
  const line = '[gwt msg from x]: Do you want to continue? 1. Yes 2. No (press enter to confirm, esc to cancel)'

  test.each(files.filter(file => STATES[file.replace(/^\w+-|\.txt$/g, '')] === 'dialog'))('%s', file => {
    const name = file.replace('.txt', '')
    const expected = (EXCEPT[name] ?? 'dialog') === 'dialog'
    expect(enterAnswers(recorded(file), engines.get(name.split('-')[0] ?? '')?.screen, line)).toBe(expected)
  })

  test.each(['claude', 'codex', 'gemini', 'opencode'])('%s: sends it, whatever it says', id => {
    const rules = engines.get(id)?.screen
    const idle = recorded(`${id}-half-typed.txt`)
    const shown = idle.lines.map(text => text.replace('fix the ro', line))
    const cursor = { ...idle.cursor, x: idle.cursor.x + line.length - 'fix the ro'.length }
    expect(shown).not.toEqual(idle.lines)
    expect(enterAnswers({ ...idle, lines: shown, cursor }, rules, line)).toBe(false)
    expect(enterAnswers(recorded(`${id}-idle.txt`), rules, line)).toBe(false)
    expect(enterAnswers(recorded(`${id}-busy.txt`), rules, line)).toBe(false)
  })
})

test('codex that is being loaded is not idle, although its prompt is there', () => {
  const lines = [
    '',
    '  >_ OpenAI Codex (v0.166.0)',
    '     loading',
    '',
    '› Ask Codex to do anything',
    '',
    '  ? for shortcuts',
  ]
  const screen = { ...recorded('codex-idle.txt'), lines, cursor: { x: 2, y: 4 }, title: '' }
  const rules = engines.get('codex')?.screen
  expect(screenState(screen, rules)).toBe('unknown')
  const loaded = lines.map(line => line.replace('loading', '~/src/shop'))
  expect(screenState({ ...screen, lines: loaded }, rules)).toBe('idle')
})
