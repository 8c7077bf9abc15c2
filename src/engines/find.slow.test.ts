import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SCRIPTED_ENGINE, scriptedEngine, temporaryFolder } from '#test/scripted.ts'
import { configuredEngine } from './configured.ts'
import { findProgram } from './find-program.ts'
import { checkEngine, versionIn } from './find.ts'

function program(folder: string, name: string, script: string, mode = 0o755): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, mode)
  return file
}

describe.runIf(process.platform !== 'win32')('a program', () => {
  test('is found in the first folder of PATH that has it', () => {
    using folder = temporaryFolder()
    const [a, b] = [join(folder.path, 'a'), join(folder.path, 'b')]
    mkdirSync(a)
    mkdirSync(b)
    mkdirSync(join(a, 'tool'))
    program(a, 'no', '', 0o644)
    const tool = program(b, 'tool', '')
    const PATH = `${a}:${b}`
    expect(findProgram(['tool'], { PATH })).toBe(tool)
    expect(findProgram(['none', 'tool'], { PATH })).toBe(tool)
    expect(findProgram(['no'], { PATH })).toBeUndefined()
    expect(findProgram([tool], {})).toBe(tool)
  })

  test('is not looked for in the current folder, whatever PATH says', () => {
    expect(findProgram(['package.json', 'sh'], { PATH: '.::relative:/bin' })).toBe('/bin/sh')
    expect(findProgram(['./bin/toryo.js', 'bin/toryo.js'], { PATH: '/bin' })).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('an engine', () => {
  const source = { PATH: process.env.PATH }
  const engine = (version: string[]) =>
    configuredEngine('mine', { headless: version, version, output: 'text', models: ['*'], env: [], projectConfig: [] })

  test('is well when its program tells a version', async () => {
    expect(await checkEngine(scriptedEngine(), source)).toEqual({
      ok: true,
      program: process.execPath,
      version: '1.2.3',
    })
    expect(SCRIPTED_ENGINE).toMatch(/scripted-engine\.js$/)
  })

  test('is not when there is no program', async () => {
    expect(await checkEngine(engine(['no-such-cli']), source)).toEqual({
      ok: false,
      problem: 'no-such-cli is not in PATH',
    })
  })

  test('is not when the program fails, and says how', async () => {
    using folder = temporaryFolder()
    const broken = program(folder.path, 'broken', 'echo "native binary not installed" >&2; exit 3')
    expect(await checkEngine(engine([broken, '--version']), source)).toEqual({
      ok: false,
      problem: `${broken} --version ended with 3: native binary not installed`,
    })
  })

  test('is not when the program is none', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'garbage')
    writeFileSync(file, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0]))
    chmodSync(file, 0o755)
    expect(await checkEngine(engine([file]), source)).toMatchObject({ ok: false })
  })
})

test.each([
  ['2.1.325 (Claude Code)', '2.1.325'],
  ['codex-cli 0.166.0', '0.166.0'],
  ['GitHub Copilot CLI 1.0.102.\nRun update', '1.0.102'],
  ['2026.01.28-fd13201', '2026.01.28-fd13201'],
  ['none', undefined],
])('the version in %j is %s', (output, version) => {
  expect(versionIn(output)).toBe(version)
})
