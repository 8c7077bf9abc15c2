import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { quietLog } from '#test/database.ts'
import { until } from '#test/until.ts'
import { configSchema } from '#contract/config.ts'
import { ConfigFile, parseConfig, readConfig } from './config.ts'

const USUAL = {
  ...{ runs: 8, tabs: 8, checks: 2, launchesPerMinute: 4, depth: 2 },
  ...{ startsPerMinute: 12, runMinutes: 240, silenceMinutes: 30, troubledMinutes: 10, hops: 10 },
  ...{ callsPerMinute: 30_000, writeMegabytesPerMinute: 16 },
}

let home: string
let file: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toryo-config-'))
  file = join(home, 'config.json')
})
afterEach(() => rmSync(home, { recursive: true }))

test('no file means the defaults', () => {
  expect(readConfig(file)).toMatchObject({ limits: USUAL, engines: {}, roles: [] })
})

test('comments, trailing commas and a byte order mark are welcome', () => {
  writeFileSync(file, '\uFEFF{\n  // how many\n  "limits": { "runs": 3, }, /* more */\n}')
  expect(readConfig(file).limits).toEqual({ ...USUAL, runs: 3 })
})

test.each([
  ['{\n  "limits": {\n    "runs": 0\n  }\n}', 'c.json:3: limits.runs: '],
  ['{\n\n  "limit": {}\n}', 'c.json:1: the file: Unrecognized key: "limit"'],
  ['{\n  "limits": {\n    "runs": 1\n', 'c.json:4: a } is missing'],
  ['{ "roles": [\n  { "id": "a", "engine": "claude" }\n] }', 'c.json:2: roles.0.model: '],
  ['{ "engines": {\n  "Mine": { "headless": ["x"] } } }', 'c.json:2: engines.Mine: '],
  ['{ "engines": {\n  "mine": {} } }', 'c.json:2: engines.mine: an engine needs headless or terminal'],
])('an error names its line (%#)', (text, message) => {
  expect(() => parseConfig(text, 'c.json')).toThrow(message)
})

test.each([
  ['{\n  "limits": {\n    "runs": 0\n  }\n}', 'c.json:3: limits.runs: 1 以上にしてください'],
  ['{ "limits": { "runs": "many" } }', 'c.json:1: limits.runs: 数値を指定してください'],
  ['{\n\n  "limit": {}\n}', 'c.json:1: ファイル全体: 不明なキーです: "limit"'],
  ['{\n  "limits": {\n    "runs": 1\n', 'c.json:4: } がありません'],
  ['{ "roles": [\n  { "id": "a", "engine": "claude" }\n] }', 'c.json:2: roles.0.model: 指定してください'],
  ['{ "engines": {\n  "mine": {} } }', 'c.json:2: engines.mine: headless または terminal が必要です'],
])('an error is said in Japanese, too (%#)', (text, message) => {
  const parsed = () => parseConfig(text, 'c.json')
  expect(parsed).toThrow(expect.objectContaining({ text: expect.objectContaining({ ja: message }) }))
})

test('a changed file is read again; a broken one is reported and the last good one stays', async () => {
  const log = quietLog()
  const config = new ConfigFile(file, log)
  config.watch()
  // As editors do it: a new file in the place of the old one.
  const save = (text: string) => {
    writeFileSync(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  }
  save('{ "limits": { "tabs": 2 } }')
  await until(() => config.current.limits.tabs === 2)
  save('{ "limits": { "tabs": "many" } }')
  await until(() => log.lines.some(line => line[1] === 'configuration kept as it was'))
  expect(config.current.limits.tabs).toBe(2)
  save('{ "limits": { "tabs": 5 } }')
  await until(() => config.current.limits.tabs === 5)
  config.dispose()
})

test('what was written between the first look and the watch holds, and is said', () => {
  const config = new ConfigFile(file, quietLog())
  writeFileSync(file, '{ "limits": { "tabs": 2 } }')
  const said: string[] = []
  config.watch(paths => said.push(...paths))
  config.dispose()
  expect(config.current.limits.tabs).toBe(2)
  expect(said).toEqual(['limits.tabs'])
})

test('toolsets are given by their names, and a wrong one is refused with its line', () => {
  const given = parseConfig('{ "registration": { "toolsets": ["memory"] }, "tabs": { "toolsets": ["crews"] } }', 'c')
  expect([given.registration.toolsets, given.tabs.toolsets]).toEqual([['memory'], ['crews']])
  const none = parseConfig('{}', 'c')
  expect([none.registration.toolsets, none.tabs.toolsets]).toEqual([[], []])
  for (const name of ['everything', 'runner', ''])
    expect(() => parseConfig(`{\n"tabs": { "toolsets": ["crews",\n"${name}"] } }`, 'c')).toThrow(
      `c:3: tabs.toolsets.1: toolset "${name}" cannot be given; use any of agent, projects,`,
    )
})

test('the schema that ships describes the file', () => {
  expect(configSchema()).toMatchObject({ type: 'object', properties: { limits: {}, engines: {}, roles: {} } })
})
