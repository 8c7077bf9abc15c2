import { expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { catalogue } from './catalogue.gen.ts'
import { wantsColour } from './io.ts'
import { runCli } from './run.ts'
import { widthOf } from './width.ts'

const installed = { hubProgram: '/nowhere/hub.js', version: '1.2.3' }

async function toryo(line: string, options: Parameters<typeof fakeIo>[0] = {}) {
  const io = fakeIo({ env: { HOME: '/nowhere' }, ...options })
  const code = await runCli(line === '' ? [] : line.split(' '), io, installed)
  return { code, out: io.out(), err: io.err() }
}

const wrong: [line: string, en: string, ja: string][] = [
  ['xyzzy', 'Unknown command xyzzy.', 'コマンド xyzzy はありません。'],
  ['statsu', 'Unknown command statsu. Did you mean status?', 'コマンド statsu はありません。 もしかして: status'],
  ['task lst', 'Unknown command lst. Did you mean list?', 'コマンド lst はありません。 もしかして: list'],
  ['project add', 'The argument <name> is missing.', '引数 <name> がありません。'],
  ['agent add x', 'The option --engine <engine> is needed.', 'オプション --engine <engine> が必要です。'],
  [
    'ls',
    'Unknown command ls. Use `toryo task list`, `toryo project list` or `toryo run list` (what runs now).',
    'コマンド ls はありません。`toryo task list`、`toryo project list`、`toryo run list` (動作中のもの) を使ってください。',
  ],
  [
    'start',
    'Unknown command start. Use `toryo up` to run the hub, or `toryo task start <task>` to have an agent work on a task.',
    'コマンド start はありません。ハブは `toryo up`、タスクは `toryo task start <task>` で開始します。',
  ],
  [
    'version',
    'Unknown command version. Use `toryo --version`.',
    'コマンド version はありません。`toryo --version` を使ってください。',
  ],
  ['task list --limit', 'The option --limit <n> needs a value.', 'オプション --limit <n> の値がありません。'],
  ['task list --foo', 'Unknown option --foo.', 'オプション --foo はありません。'],
  ['status now', 'Too many arguments: 1 in place of 0.', '引数が多すぎます (0 個のところ 1 個)。'],
  [
    'task move t maybe',
    "<status> cannot be 'maybe'; choose one of backlog, todo, in_progress, blocked, done, cancelled.",
    "<status> に 'maybe' は使えません。使えるのは backlog, todo, in_progress, blocked, done, cancelled です。",
  ],
  [
    'task list --status x',
    "--status <status> cannot be 'x'; choose one of backlog, todo, in_progress, blocked, done, cancelled.",
    "--status <status> に 'x' は使えません。使えるのは backlog, todo, in_progress, blocked, done, cancelled です。",
  ],
  [
    'task list --limit 0',
    '--limit "0" must be a whole number of at least 1.',
    '--limit "0" は 1 以上の整数にしてください。',
  ],
  ['up --port x', '--port "x" must be a number from 0 to 65535.', '--port "x" は 0 から 65535 の数にしてください。'],
]

test.each(wrong)('refuses `%s` as wrong use, in both languages and as JSON', async (line, en, ja) => {
  const english = await toryo(line)
  expect(english).toMatchObject({ code: 2, out: '' })
  expect(english.err.split('\n')[0]).toBe(`toryo: ${en}`)
  expect((await toryo(line, { lang: 'ja' })).err.split('\n')[0]).toBe(`toryo: ${ja}`)
  const json = await toryo(`--json ${line}`)
  expect(json).toMatchObject({ code: 2, out: '' })
  expect(JSON.parse(json.err)).toEqual({ error: { code: 'USAGE', message: en } })
})

test.each([80, 40])('breaks refusals between words in a window of %i columns, in both languages', async width => {
  for (const [line] of wrong)
    for (const lang of ['en', 'ja'] as const) {
      const plain = await toryo(line, { lang })
      const { err } = await toryo(line, { lang, width })
      expect(err.replaceAll(/\s/g, '')).toBe(plain.err.replaceAll(/\s/g, ''))
      for (const shown of err.split('\n')) expect(widthOf(shown), shown).toBeLessThanOrEqual(width)
      if (lang === 'en') expect(err.split(/\s+/)).toEqual(plain.err.split(/\s+/))
    }
})

test('points to the help of the command that was used wrongly', async () => {
  expect((await toryo('task move')).err).toContain('`toryo task move --help`')
})

test('refuses --db together with --url, and --url where only this machine will do', async () => {
  expect(await toryo('status --db x --url http://127.0.0.1:1')).toMatchObject({ code: 2 })
  for (const line of ['doctor', 'logs', 'token', 'restore x', 'up'])
    expect(await toryo(`${line} --url http://127.0.0.1:1`)).toMatchObject({ code: 2, out: '' })
})

test('a demo is for this machine and has a database of its own', async () => {
  for (const option of ['--db x', '--url http://127.0.0.1:1', '--host 0.0.0.0', '--no-runner']) {
    const { code, err } = await toryo(`up --demo ${option}`)
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(option.split(' ')[0] as string) })
  }
})

test('sends no token over a network in clear text', async () => {
  for (const url of ['http://example.com', 'http://192.168.0.1:4747', 'ftp://127.0.0.1', 'nonsense'])
    expect((await toryo(`project list --url ${url}`)).code).toBe(2)
})

test('shows what there is when nothing is asked, and what may follow a word that needs more', async () => {
  const all = await toryo('')
  expect(all.code).toBe(0)
  for (const { path } of catalogue.filter(entry => !entry.path.includes(' '))) expect(all.out).toContain(`  ${path} `)
  const project = await toryo('project')
  expect(project).toMatchObject({ code: 2, out: '' })
  expect(project.err).toContain('assign <project> <agent>')
  expect(JSON.parse((await toryo('project --json')).err).error.code).toBe('USAGE')
})

test.each(catalogue.filter(entry => entry.load).map(entry => entry.path))(
  'helps with %s, with an example',
  async path => {
    for (const lang of ['en', 'ja'] as const) {
      const help = await toryo(`${path} --help`, { lang })
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out).toContain(lang === 'ja' ? '例:\n' : 'Examples:\n')
      expect(help.out).toContain('--db <file | url>')
      for (const line of help.out.split('\n').filter(line => !/toryo |https?:/.test(line)))
        expect(widthOf(line)).toBeLessThanOrEqual(110)
    }
    expect((await toryo(`help ${path}`)).out).toBe((await toryo(`${path} --help`)).out)
  },
)

test('lines up the help in Japanese', async () => {
  const { out } = await toryo('task --help', { lang: 'ja' })
  const lines = out.split('\n').filter(line => /^ {2}(add|list|show|move|assign) /.test(line))
  expect(lines).toHaveLength(5)
  expect(new Set(lines.map(line => line.search(/[タ]/))).size).toBe(1)
})

test('tells its version', async () => {
  expect(await toryo('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' })
})

test('uses colour only where it is wanted', () => {
  expect(wantsColour({}, true)).toBe(true)
  expect(wantsColour({}, false)).toBe(false)
  expect(wantsColour({ NO_COLOR: '1' }, true)).toBe(false)
  expect(wantsColour({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false)
  expect(wantsColour({ FORCE_COLOR: '1' }, false)).toBe(true)
  expect(wantsColour({ FORCE_COLOR: '0' }, true)).toBe(false)
  expect(wantsColour({ TERM: 'dumb' }, true)).toBe(false)
})
