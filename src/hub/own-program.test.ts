import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { asRun, ownProgram, withCommandsAsRun } from './own-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'toryo-own-'))
afterAll(() => rmSync(folder, { recursive: true }))

function program(bin: string): string {
  mkdirSync(join(folder, bin), { recursive: true })
  writeFileSync(join(folder, bin, 'toryo'), '#!/bin/sh\n')
  chmodSync(join(folder, bin, 'toryo'), 0o755)
  return join(folder, bin)
}

test('the program is called by its name where a terminal finds it, else as it was started', () => {
  const installed = program('bin')
  const cache = join(folder, '_npx', 'ab12')
  const links = program('_npx/ab12/node_modules/.bin')
  const root = join(cache, 'node_modules', 'toryo')
  expect(ownProgram({ PATH: [links, installed].join(delimiter) }, root)).toBe('toryo')
  // What npx adds to PATH is in no other terminal.
  expect(ownProgram({ PATH: links }, root)).toBe('npx toryo')
  writeFileSync(join(folder, 'toryo-0.1.0.tgz'), '')
  const dependencies = { toryo: 'file:../../toryo-0.1.0.tgz' }
  writeFileSync(join(cache, 'package.json'), JSON.stringify({ dependencies }))
  expect(ownProgram({ PATH: links }, root)).toBe(`npx ${join(folder, 'toryo-0.1.0.tgz')}`)
  expect(ownProgram({}, join(folder, 'app', 'node_modules', 'toryo'))).toBe('npx toryo')
  expect(ownProgram({}, '/opt/my toryo')).toBe("node '/opt/my toryo/bin/toryo.js'")
})

test('commands that are printed name the program and the database', () => {
  const called = { program: 'npx toryo', db: '/tmp/a demo/toryo.db' }
  expect(asRun('toryo overlaps', called)).toBe("npx toryo overlaps --db '/tmp/a demo/toryo.db'")
  const text = 'Wait (`toryo status`), or run `toryo engine resume demo`; `git` stays.'
  expect(withCommandsAsRun(text, { program: 'node t.js', db: '/d' })).toBe(
    'Wait (`node t.js status --db /d`), or run `node t.js engine resume demo --db /d`; `git` stays.',
  )
})
