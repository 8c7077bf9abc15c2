import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import { engineFindings } from './programs.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-doctor-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const env = () => ({ PATH: `${folder}:/usr/bin:/bin` })

function install(program: string, script: string): string {
  const file = path.join(folder, program)
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}

test('every engine is looked for by its programs and named by its id, as the hub lists them', async () => {
  for (const { programs } of KNOWN_ENGINES) for (const program of programs) install(program, `echo "${program} 7.8.9"`)
  expect(await engineFindings({ env: env() }, [])).toEqual(
    KNOWN_ENGINES.map(({ id, programs: [program = ''] }) => {
      const text = `${id}: ${program} 7.8.9 (${path.join(folder, program)})`
      return { check: `engine.${id}`, level: 'ok', text: { en: text, ja: text } }
    }),
  )
})

test('one that does not tell its version is to be tried by hand; those that are missing are named', async () => {
  install('cursor-agent', 'echo "no license" >&2; exit 3')
  const [broken, others] = await engineFindings({ env: env() }, [])
  expect(broken).toMatchObject({
    check: 'engine.cursor',
    level: 'warn',
    text: { en: expect.stringContaining('no license') },
    fix: { en: expect.stringContaining('cursor-agent --version') },
  })
  const missing = KNOWN_ENGINES.flatMap(({ id }) => (id === 'cursor' ? [] : [id]))
  expect(others).toMatchObject({ check: 'engines', level: 'ok', text: { en: `Not installed: ${missing.join(', ')}` } })
})

test('where there is none, it says how to install one', async () => {
  expect(await engineFindings({ env: { PATH: folder } }, [])).toMatchObject([
    {
      check: 'engines',
      level: 'warn',
      fix: { en: expect.stringContaining('npm install -g @anthropic-ai/claude-code') },
    },
  ])
  expect(await engineFindings({ env: { PATH: folder } }, ['mine'])).toMatchObject([{ check: 'engines', level: 'ok' }])
})
