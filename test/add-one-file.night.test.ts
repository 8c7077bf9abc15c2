// A stranger adds an engine, a command or a tool: one file, then `npm run gen`. Everything that speaks of it must know it then.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../scripts/sources.js'
import { temporaryFolder } from './scripted.ts'

const execute = promisify(execFile)
const PARTS = ['src', 'scripts', 'docs', 'bin', 'package.json', 'tsconfig.json']

const PROGRAM = `#!/bin/sh
case "$1" in
version) echo "carpenter 4.5.6" ;;
models) printf 'oak\\npine\\n' ;;
esac
`

/** What is added, and where. */
const FILES = {
  'carpenter.ts': 'src/engines',
  'token-count.ts': 'src/cli/commands',
  'count-agents.ts': 'src/domains/identity/tools',
}

/** A copy of the project with these files, generated and built, and the home of a person who has the engine's program. */
class Copy implements AsyncDisposable {
  readonly #folder = temporaryFolder()
  readonly root = path.join(this.#folder.path, 'toryo')
  readonly home = path.join(this.#folder.path, 'home')

  async build(): Promise<void> {
    for (const part of PARTS) fs.cpSync(path.join(ROOT, part), path.join(this.root, part), { recursive: true })
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.root, 'node_modules'))
    for (const [name, folder] of Object.entries(FILES))
      fs.copyFileSync(path.join(ROOT, 'test/fixtures', name), path.join(this.root, folder, name))
    await execute(process.execPath, ['scripts/gen.js'], { cwd: this.root })
    await execute(process.execPath, ['scripts/build.js'], { cwd: this.root })
    this.write('home/bin/carpenter-cli', PROGRAM, 0o755)
    const role = { id: 'joiner', engine: 'carpenter', model: 'balsa' }
    this.write('home/.toryo/config.json', JSON.stringify({ roles: [role] }))
  }

  async toryo(...args: string[]): Promise<string> {
    const { program, env } = this
    return (await execute(process.execPath, [program, ...args], { env, cwd: this.home })).stdout
  }

  get program(): string {
    return path.join(this.root, 'bin/toryo.js')
  }

  get env() {
    return { HOME: this.home, PATH: `${this.home}/bin:/usr/bin:/bin`, LANG: 'C.UTF-8' }
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

const copy = new Copy()

// It builds all programs, which takes as long as the machine is busy.
beforeAll(() => copy.build(), 600_000)
afterAll(() => copy[Symbol.asyncDispose]())

test('an engine is one file: found, asked for models, registered, trusted, diagnosed, installed and documented', {
  timeout: 240_000, // It builds a copy of the whole project and writes its reference pages.
}, async () => {
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
  expect(saying('role.joiner')).toMatchObject([{ message: expect.stringContaining('it lists oak, pine') }])

  await copy.toryo('agent', 'add', 'Toku', '--engine', 'carpenter')
  fs.rmSync(path.join(copy.home, 'bin/carpenter-cli'))
  const after = JSON.parse(await copy.toryo('doctor', '--json')).findings
  expect(after.find((one: { check: string }) => one.check === 'agents.carpenter')).toMatchObject({
    fix: expect.stringContaining('npm install -g @carpenter/cli'),
  })

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

// These build the copy and write its pages, too.
const LONG = { timeout: 240_000 }

test('a command is one file: listed, explained, run and documented', LONG, async () => {
  expect(await copy.toryo('token', '--help')).toContain('Count the tokens')
  expect(await copy.toryo('token', 'count', '--help')).toContain('including revoked ones')
  expect(await copy.toryo('token', 'count')).toBe('0 tokens\n')
  expect(JSON.parse(await copy.toryo('token', 'count', '--json'))).toEqual({ tokens: [] })
  expect(copy.read('docs/reference/json.md')).toContain('toryo token count')
})

test('a tool is one file: offered, called and documented', LONG, async () => {
  const client = new Client({ name: 'test', version: '1' })
  const { program, env } = copy
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }))
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('count_agents')
    const answer = await client.callTool({ name: 'count_agents', arguments: {} })
    const { agents } = JSON.parse(await copy.toryo('agent', 'list', '--json'))
    expect(answer.structuredContent).toEqual({ count: agents.length })
  } finally {
    await client.close()
  }
  expect(copy.read('docs/reference/tools.md')).toContain('count_agents')
})
