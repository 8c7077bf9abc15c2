// What every command owes to people who have never used it. A command that is added is found here automatically.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { GIVEN_TOOLSETS } from '#contract/toolsets.ts'
import { fakeIo } from '#test/fake-io.ts'
import { catalogue } from './catalogue.gen.ts'
import { runCli } from './run.ts'
import { loadWidths, widthOf } from './width.ts'

await loadWidths()
const commands = await Promise.all(
  catalogue.flatMap(({ path, load }) => (load ? [load().then(loaded => ({ path, spec: loaded.default }))] : [])),
)
const installed = { hubProgram: '/nowhere/hub.js', version: '1.2.3' }
const LANGS = ['en', 'ja'] as const

async function help(path: string, lang: (typeof LANGS)[number]): Promise<string> {
  const io = fakeIo({ lang, width: 80, env: { HOME: '/nowhere' } })
  await runCli([...path.split(' '), '--help'], io, installed)
  return io.out()
}

test.each(commands)(
  'the help of `toryo $path` begins with when one would use it, in one line',
  async ({ path, spec }) => {
    for (const lang of LANGS) {
      const line = spec.when?.[lang] ?? ''
      expect(line, 'state `when`').not.toBe('')
      expect(widthOf(line)).toBeLessThanOrEqual(80)
      expect((await help(path, lang)).split('\n')[0]).toBe(line)
    }
    expect(spec.when?.ja).toMatch(/[ぁ-んァ-ヶ一-龠]/)
  },
)

test.each(catalogue.filter(({ load }) => !load))(
  'the help of `toryo $path`, which holds other commands, begins with when one would use them',
  async ({ path, when }) => {
    for (const lang of LANGS) {
      expect(when?.[lang], 'state `when` in words.ts').toBeTruthy()
      expect(widthOf(when?.[lang] ?? '')).toBeLessThanOrEqual(80)
      expect((await help(path, lang)).split('\n')[0]).toBe(when?.[lang])
    }
  },
)

/** The hub's own prompts are the usual ones; a project's are the exception that is named. */
const OF_THE_HUB = /^phase prompt (?:list|show|edit|history)$/

test.each(commands)('`toryo $path` takes the project of this folder where none is named', ({ path, spec }) => {
  const projects = (spec.options ?? []).filter(({ flags }) => flags.includes('<project>'))
  for (const { text, required } of OF_THE_HUB.test(path) ? [] : projects) {
    expect(required).not.toBe(true)
    expect(text.en).toContain('this folder')
    expect(text.ja).toContain('このフォルダー')
  }
})

test('toolsets are named where they are given', async () => {
  for (const lang of LANGS)
    for (const path of ['agent add', 'agent toolsets'])
      for (const toolset of GIVEN_TOOLSETS) expect(await help(path, lang)).toContain(toolset)
})

test('`toryo stop` says what it ends', async () => {
  expect(await help('stop', 'en')).toMatch(/agents, crews and tabs/)
  expect(await help('stop', 'ja')).toMatch(/エージェント・クルー・タブ/)
})

test('what one command says stays in its file; what no command says is gone', () => {
  const folder = import.meta.dirname
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /(?<!\.test)\.ts$/.test(name))
  const sources = new Map(names.map(name => [name, readFileSync(path.join(folder, name), 'utf8')]))
  const found = [...sources].flatMap(([file, source]) => {
    if (!/^texts[\w-]*\.ts$/.test(file)) return []
    return sharedTexts(source).flatMap(text => {
      const users = [...sources]
        .filter(([name, other]) => name !== file && new RegExp(`\\b${text.join('\\.')}\\b`).test(other))
        .map(([name]) => name)
      const isOwn = users.length === 1 && users[0]?.startsWith('commands')
      return users.length === 0 || isOwn ? [`${file}: ${text.join('.')} is used by ${users[0] ?? 'none'}`] : []
    })
  })
  expect(found).toEqual([])
})

/** `['texts', 'name']` for each member of an object that the file exports. */
function sharedTexts(source: string): [string, string][] {
  const objects = source.matchAll(/^export const (\w+) = \{\n(.*?)^\}/gms)
  return [...objects].flatMap(([, object = '', body = '']) =>
    [...body.matchAll(/^ {2}(\w+):/gm)].map(([, member = '']): [string, string] => [object, member]),
  )
}
