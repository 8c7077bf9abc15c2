// A path that leads nowhere is named in a sentence with the next step; nothing is written, and no hub takes it for its own fault.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BridgeClient } from './bridge/bridge-client.ts'
import { DIST } from '../scripts/sources.js'
import { Toryo } from './toryo.ts'

test('what is to be written needs a folder that is there', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'shop', '--id', 'shop')
  const none = path.join(toryo.folder, 'none')
  const plain = path.join(toryo.folder, 'plain')
  fs.writeFileSync(plain, '')
  for (const folder of [none, plain])
    for (const words of [
      ['backup', path.join(folder, 'x.db')],
      ['export', path.join(folder, 'x.jsonl')],
      ['memory', 'export', path.join(folder, 'x.md'), '--project', 'shop'],
    ])
      expect(await toryo.here(words), words.join(' ')).toEqual({
        code: 2,
        out: '',
        err: expect.stringMatching(
          `^toryo: The folder ${folder} does not exist; make it first. Nothing was written.\n`,
        ),
      })
  const inJapanese = await toryo.here(['export', path.join(none, 'x')], { env: { TORYO_LANG: 'ja' } })
  expect(inJapanese.err).toContain(`フォルダー ${none} がありません`)
  expect(fs.existsSync(none)).toBe(false)
  expect(fs.readFileSync(plain, 'utf8')).toBe('')
})

test('what is to be read must be a file', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'shop', '--id', 'shop')
  const none = path.join(toryo.folder, 'none')
  const folder = toryo.folder
  const at = ['--url', 'http://127.0.0.1:9', '--token-file']
  for (const words of [
    ['import', none],
    ['import', folder],
    ['memory', 'import', none, '--project', 'shop'],
    ['memory', 'import', folder, '--project', 'shop'],
    ['restore', none],
    ['restore', folder],
    ['status', ...at, none],
    ['status', ...at, folder],
  ]) {
    const { code, out, err } = await toryo.here(words)
    expect([1, 2, 4], words.join(' ')).toContain(code)
    expect(out).toBe('')
    expect(err).toContain(words.includes(none) ? none : folder)
    expect(err).not.toMatch(/^\s+at |Unexpected|Something went wrong/m)
  }
})

test('a bridge whose token file is missing says so, and where the token is from', async () => {
  await using toryo = new Toryo()
  const none = path.join(toryo.folder, 'none')
  const args = ['--url', 'http://127.0.0.1:9', '--token-file', none]
  const bridge = new BridgeClient(path.join(DIST, 'bridge.js'), args, { HOME: toryo.folder, LANG: 'C' })
  const { result, error } = await bridge.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} })
  expect(result).toBeUndefined()
  const sentence = `No token in ${none}: no such file. Put there what \`toryo token\` prints on the hub's machine.`
  expect(error?.message).toBe(sentence)
  expect(bridge.stderr).toContain(sentence)
  bridge.child.stdin.end()
  await bridge.exit
})

test('a home that no folder can be made in is one sentence, for every command that would start a hub', async () => {
  await using toryo = new Toryo()
  const plain = path.join(toryo.folder, 'plain')
  fs.writeFileSync(plain, '')
  const token = path.join(toryo.folder, 'token')
  fs.writeFileSync(token, 'rnr_x', { mode: 0o600 })
  const places = [[path.join(plain, 'home'), 'a part of the path is not a folder']]
  // Here Node's own way of making folders would not return.
  if (process.platform === 'linux') places.push(['/proc/toryo-home', 'its file system takes no new folders'])
  for (const [home = '', why = ''] of places)
    for (const words of [
      ['project', 'list'],
      ['up', '--no-open', '--no-register'],
      ['runner', '--url', 'http://127.0.0.1:9', '--token-file', token],
    ])
      expect(await toryo.run(words, { env: { TORYO_HOME: home } }), words.join(' ')).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(
          `^(Starting agents for .*\n)?toryo: Cannot use ${home}: ${why}. Choose another place with --db or TORYO_HOME.\n$`,
        ),
      })
})
