// Commands are tested in the tests' own process, from the sources. The program that is built has each of them, too.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { catalogue } from '#cli/catalogue.gen.ts'
import { build } from './processes.ts'
import { DIST } from '../scripts/sources.js'

const EVERY_HELP = `
  process.stdout.setMaxListeners(0)
  process.stderr.setMaxListeners(0)
  const { main } = await import(process.argv[1])
  for (const command of JSON.parse(process.argv[2])) {
    console.log('# ' + command + ' ' + await main([...command.split(' '), '--help']))
  }`

test('the built program loads every command, and knows how each is used', async () => {
  build()
  const commands = catalogue.flatMap(({ path: name, load }) => (load ? [name] : []))
  const cli = pathToFileURL(path.join(DIST, 'cli.js')).href
  const args = ['--input-type=module', '-e', EVERY_HELP, cli, JSON.stringify(commands)]
  const env = { PATH: process.env['PATH'], LANG: 'C' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 })
  const helped = [...stdout.matchAll(/^# (.*) (\d+)$/gm)].map(([, command, code]) => [command, code])
  expect(helped).toEqual(commands.map(command => [command, '0']))
  const used = new Set([...stdout.matchAll(/^Usage: toryo ([a-z -]+?)(?= \[| <|$)/gm)].map(([, words]) => words))
  expect(commands.filter(command => !used.has(command))).toEqual([])
})
