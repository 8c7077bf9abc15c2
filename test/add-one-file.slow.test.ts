// A stranger adds an engine: one file in src/engines, then `npm run gen`. Everything that speaks of engines must know it then.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from '../scripts/sources.js'
import { temporaryFolder } from './scripted.ts'

const execute = promisify(execFile)
const PARTS = ['src', 'scripts', 'docs', 'bin', 'package.json', 'tsconfig.json']

/** A copy of the project with one file more, generated and built, and the home of somebody who has the program. */
class Copy implements AsyncDisposable {
  readonly #folder = temporaryFolder()
  readonly root = path.join(this.#folder.path, 'toryo')
  readonly home = path.join(this.#folder.path, 'home')

  async build(): Promise<void> {
    for (const part of PARTS) fs.cpSync(path.join(ROOT, part), path.join(this.root, part), { recursive: true })
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.root, 'node_modules'))
    fs.copyFileSync(path.join(ROOT, 'test/fixtures/carpenter.ts'), path.join(this.root, 'src/engines/carpenter.ts'))
    await execute(process.execPath, ['scripts/gen.js'], { cwd: this.root })
    await execute(process.execPath, ['scripts/build.js'], { cwd: this.root })
    this.write('home/bin/carpenter-cli', '#!/bin/sh\n[ "$1" = version ] && echo "carpenter 4.5.6"\n', 0o755)
  }

  async toryo(...args: string[]): Promise<string> {
    const env = { HOME: this.home, PATH: `${this.home}/bin:/usr/bin:/bin`, LANG: 'C.UTF-8' }
    const program = path.join(this.root, 'bin/toryo.js')
    return (await execute(process.execPath, [program, ...args], { env, cwd: this.home })).stdout
  }

  write(name: string, content: string, mode = 0o644): string {
    const file = path.join(this.#folder.path, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content, { mode })
    return file
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.root, name), 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.toryo('stop')
    this.#folder[Symbol.dispose]()
  }
}

// It builds all programs, which takes as long as the machine is busy.
test('an engine is one file: found, registered, trusted, diagnosed and documented', { timeout: 600_000 }, async () => {
  await using copy = new Copy()
  await copy.build()

  const { engines } = JSON.parse(await copy.toryo('engine', 'list', '--json'))
  expect(engines.at(-1)).toMatchObject({
    engine: 'carpenter',
    program: path.join(copy.home, 'bin/carpenter-cli'),
    headless: true,
    terminal: false,
  })
  expect((await copy.toryo('agent', 'add', '--help')).replace(/\s+/g, ' ')).toContain('qwen, carpenter,')

  const before = '{\n  "mine": true\n}\n'
  const file = copy.write('home/.carpenter/servers.json', before)
  await copy.toryo('register')
  const entry = { run: [fs.realpathSync(process.execPath), path.join(fs.realpathSync(copy.root), 'dist/bridge.js')] }
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({ mine: true, servers: { 'gwt-agent-bridge': entry } })

  const { findings } = JSON.parse(await copy.toryo('doctor', '--json'))
  const saying = (check: string) => findings.filter((one: { check: string }) => one.check === check)
  expect(saying('engine.carpenter')).toMatchObject([{ message: expect.stringContaining('carpenter 4.5.6') }])
  expect(saying('registration').map(({ message }: { message: string }) => message)).toContainEqual(
    expect.stringContaining(file),
  )
  expect(saying('role.planner')).toMatchObject([{ message: expect.stringContaining('carpenter') }])

  await copy.toryo('unregister')
  expect(fs.readFileSync(file, 'utf8')).toBe(before)

  copy.write('home/work/.carpenter/hooks.json', '{}')
  const trusted = await copy.toryo('project', 'trust', '--dir', path.join(copy.home, 'work'), '--json')
  expect(JSON.parse(trusted)).toMatchObject({ files: ['.carpenter/hooks.json'] })

  for (const page of ['guide/en/agents', 'guide/ja/agents', 'guide/en/registration', 'guide/ja/registration'])
    expect(copy.read(`docs/${page}.md`), page).toContain('~/.carpenter/servers.json')
  for (const page of ['guide/en/tabs', 'guide/ja/tabs', 'reference/engines'])
    expect(copy.read(`docs/${page}.md`), page).toContain('Carpenter')
  expect(copy.read('docs/reference/config.schema.json')).toContain('"carpenter"')
})
