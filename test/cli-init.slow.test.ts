// `toryo init`: from a folder to a project with checks and agents, with questions, without them, and again.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '#cli/run.ts'
import { createClient } from '#client/api.ts'
import { locate } from '#client/locate.ts'
import { findHub } from '#client/start-hub.ts'
import { fakeIo } from './fake-io.ts'
import { run as git, Yard } from './git.ts'
import { databases, testHub } from './hub.ts'
import { build } from './processes.ts'
import { Toryo } from './toryo.ts'

const PACKAGE = JSON.stringify({ scripts: { test: 'node --test', lint: 'node lint.js' } })
type Init = {
  complete: boolean
  repository: boolean
  directory: string
  project: { project_id: string; key: string; name: string; workspace: string } | null
  steps: { step: string; name: string; detail: string; state: string }[]
}

/** A home in which these agent programs are installed and no others. */
class Desk extends Toryo {
  constructor(engines: readonly string[] = ['claude', 'codex']) {
    super()
    build()
    const bin = path.join(this.folder, 'bin')
    fs.mkdirSync(bin)
    for (const name of engines) fs.writeFileSync(path.join(bin, name), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 })
    for (const name of ['git', 'node', 'sh']) fs.symlinkSync(programOf(name), path.join(bin, name))
    this.more = { PATH: bin }
  }

  folderWith(name: string, files: Record<string, string>): string {
    const folder = path.join(fs.realpathSync(this.folder), name)
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      fs.writeFileSync(path.join(folder, file), text)
    }
    return folder
  }

  repository(name: string, files: Record<string, string> = { 'package.json': PACKAGE }): string {
    const folder = this.folderWith(name, files)
    git(folder, ['init', '-q', '-b', 'main'])
    git(folder, ['add', '.'])
    git(folder, ['commit', '-q', '-m', 'first'])
    return folder
  }

  async init(cwd: string, ...more: string[]): Promise<{ code: number; json: Init; err: string }> {
    const { code, out, err } = await this.here(['init', '--json', ...more], { cwd })
    return { code, json: out === '' ? ({} as Init) : (JSON.parse(out) as Init), err }
  }

  /** At a terminal, with what the person types. */
  async asked(
    cwd: string,
    answers: string,
    lang: 'en' | 'ja' = 'en',
  ): Promise<{ code: number; out: string; err: string }> {
    // The hub of this home, with its PATH.
    await this.json('project', 'list')
    const env = { HOME: this.folder, TORYO_HOME: this.home, PATH: this.more['PATH'] }
    const io = fakeIo({ env, cwd, lang, width: 100 })
    Object.assign(io.stdin, { isTTY: true })
    ;(io.stdin as unknown as NodeJS.WritableStream).end(answers)
    const code = await runCli(['init'], io, { hubProgram: '/nowhere/hub.js', version: '0' })
    return { code, out: io.out(), err: io.err() }
  }
}

function programOf(name: string): string {
  if (name === 'node') return process.execPath
  const folder = (process.env['PATH'] ?? '').split(path.delimiter).find(one => fs.existsSync(path.join(one, name)))
  return path.join(folder ?? '', name)
}

const lines = ({ steps }: Init) => steps.map(({ step, name, detail, state }) => `${state} ${step} ${name}: ${detail}`)

test('makes a project with checks and an agent for each program, and nothing a second time', async () => {
  await using desk = new Desk()
  const shop = desk.repository('shop')
  fs.mkdirSync(path.join(shop, 'src'))

  const planned = await desk.run(['init'], { cwd: shop })
  expect(planned).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was changed. `toryo init --yes`') })
  expect(planned.out).toContain('to be added: check lint (npm run lint)')
  expect((await desk.json<{ projects: unknown[] }>('project', 'list')).projects).toEqual([])
  expect((await desk.json<{ agents: unknown[] }>('agent', 'list')).agents).toEqual([])

  // Below its top, too: the project is the repository.
  const made = await desk.run(['init', '--yes'], { cwd: path.join(shop, 'src') })
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain(`added: project shop (${shop})`)
  expect(made.out).toContain('toryo task add "What is to be done" --start\n  toryo up\n')
  expect(made.out).toContain('toryo agent rotate Claude')
  expect(made.out).not.toMatch(/key_/)

  const again = await desk.init(shop, '--yes')
  expect(again.code).toBe(0)
  expect(again.json).toMatchObject({ complete: true, repository: true, directory: shop, project: { key: 'shop' } })
  expect(lines(again.json)).toEqual([
    `there project shop: ${shop}`,
    'there check test: npm test',
    'there check lint: npm run lint',
    'there agent Claude: claude',
    'there agent Codex: codex',
  ])
  expect((await desk.json<{ agents: unknown[] }>('agent', 'list')).agents).toHaveLength(2)
  expect((await desk.json<{ checks: unknown[] }>('project', 'check', 'list', '--project', 'shop')).checks).toHaveLength(
    2,
  )
  expect((await desk.here(['init'], { cwd: shop })).code).toBe(0)
  const ja = await desk.here(['init'], { cwd: shop, env: { LANG: 'ja_JP.UTF-8' } })
  expect(ja.out).toContain('登録済み: チェック test (npm test)')
  expect(ja.out).toContain('次の手順:')
})

test('adds only what is missing: a new program, a removed check, a second repository of the same name', async () => {
  await using desk = new Desk(['claude'])
  const shop = desk.repository('shop')
  expect((await desk.init(shop, '--yes')).code).toBe(0)
  await desk.json('project', 'check', 'remove', 'lint', '--project', 'shop')
  await desk.here(['stop'])
  fs.copyFileSync(path.join(desk.folder, 'bin', 'claude'), path.join(desk.folder, 'bin', 'gemini'))
  const more = await desk.init(shop, '--yes')
  expect(lines(more.json).filter(line => line.startsWith('added'))).toEqual([
    'added check lint: npm run lint',
    'added agent Gemini: gemini',
  ])

  const other = desk.repository(path.join('old', 'shop'))
  const second = await desk.init(other, '--yes')
  expect(second.json.project).toMatchObject({ name: 'shop-2' })
  // The same agents: one may work in several projects.
  expect(lines(second.json)).toContain('added agent Claude: claude')
  expect((await desk.json<{ agents: unknown[] }>('agent', 'list')).agents).toHaveLength(2)
  expect((await desk.init(other, '--yes', '--name', 'till')).json.project).toMatchObject({ name: 'shop-2' })
})

test('asks before each step at a terminal, and trusts nothing unless told to', async () => {
  await using desk = new Desk()
  const shop = desk.repository('shop', { 'package.json': PACKAGE, '.claude/settings.json': '{}' })
  const refused = await desk.asked(shop, 'n\n')
  expect(refused).toMatchObject({ code: 1, err: '' })
  expect(refused.out).toMatch(/to be added: project shop .*\nMake this folder a project\? \[Y\/n\] /)
  expect(refused.out).not.toContain('Must reported work')
  expect((await desk.json<{ projects: unknown[] }>('project', 'list')).projects).toEqual([])

  // Enter: the project, no trust; then checks; no agents.
  const partly = await desk.asked(shop, '\n\ny\nno\n')
  expect(partly.out).toContain('Make this folder a project? [Y/n] ')
  expect(partly.out).toContain('.claude/settings.json\nThese files tell agents what to run.')
  expect(partly.out).toContain('left out: trust in .claude/settings.json')
  expect(partly.out).toContain('added: check test (npm test)')
  expect(partly.out).toContain('left out: agent Claude (claude)')
  expect(partly.code).toBe(1)
  const hub = await clientOf(desk)
  expect(await hub.call('trust.look', { directory: shop })).toMatchObject({ unknown: ['.claude/settings.json'] })

  // The input ends: what was not answered is left out.
  const rest = await desk.asked(shop, 'はい\n', 'ja')
  expect(rest.out).toContain('追加しました: エージェント設定の信頼 .claude/settings.json')
  expect(rest.out).toContain('追加しませんでした: エージェント Codex (codex)')
  expect(await hub.call('trust.look', { directory: shop })).toMatchObject({ unknown: [] })
  expect((await desk.init(shop, '--yes')).json.complete).toBe(true)
})

test.each(databases)('what was shown is trusted, and nothing that came since (%s)', async database => {
  await using hub = await testHub({ database })
  using yard = new Yard()
  const shop = yard.repository('shop').root
  fs.mkdirSync(path.join(shop, '.claude'))
  fs.writeFileSync(path.join(shop, '.claude/settings.json'), '{}')
  const { hash, unknown } = await hub.api('trust.look', { directory: shop })
  expect(unknown).toEqual(['.claude/settings.json'])
  await hub.api('project.add', { name: 'shop', directory: shop, trust: false })
  fs.writeFileSync(path.join(shop, '.mcp.json'), '{}')
  await expect(hub.api('project.trust', { directory: shop, seen: hash })).rejects.toThrow(/not what was shown/)
  const looked = await hub.api('trust.look', { directory: shop })
  expect(looked.unknown).toHaveLength(2)
  await hub.api('project.trust', { directory: shop, seen: looked.hash })
  expect(await hub.api('trust.look', { directory: shop })).toMatchObject({ unknown: [], files: looked.files })
  await expect(hub.api('trust.look', { directory: 'shop' })).rejects.toThrow(/absolute path/)
})

test('a folder without git is a project without checks; a folder of a project is that project', async () => {
  await using desk = new Desk([])
  const plain = desk.folderWith('plain', { 'package.json': PACKAGE })
  const { code, out } = await desk.here(['init', '--yes'], { cwd: plain })
  expect(code).toBe(0)
  expect(out).toContain('Not a git repository')
  expect(out).not.toMatch(/: check /)
  expect(out).toContain('No agent program was found')
  expect(out).not.toContain('toryo up')
  fs.mkdirSync(path.join(plain, 'below'))
  expect((await desk.init(path.join(plain, 'below'))).json.project).toMatchObject({ name: 'plain' })

  const inner = desk.repository(path.join('plain', 'inner'), { 'go.mod': 'module x\n' })
  const made = await desk.init(inner, '--yes')
  expect(made.json).toMatchObject({ project: { name: 'inner', workspace: 'task' }, directory: inner })
  expect(lines(made.json)).toContain('added check vet: go vet ./...')
})

test('refuses the home and the root as a project, since every folder would belong to it', async () => {
  await using desk = new Desk()
  for (const cwd of ['/', fs.realpathSync(desk.folder)]) {
    const refused = await desk.here(['init', '--yes'], { cwd })
    expect({ cwd, ...refused }).toMatchObject({ cwd, code: 2, out: '', err: expect.stringContaining('is too wide') })
  }
  expect(await desk.json('project', 'list')).toMatchObject({ projects: [] })
})

test('says what the first task would miss: a commit, the packages of a fresh worktree', async () => {
  await using desk = new Desk()
  const manifest = JSON.stringify({ devDependencies: { vitest: '4' } })
  const shop = desk.folderWith('shop', { 'package.json': manifest, 'package-lock.json': '{}' })
  git(shop, ['init', '-q', '-b', 'main'])
  const { out } = await desk.here(['init', '--yes'], { cwd: shop })
  expect(out).toContain('has no commit yet')
  expect(out).toContain('toryo project check add test -- <command>')
  const script = /^ {2}(mkdir .*)$/m.exec(out)?.[1] ?? ''
  expect(script).toBe(`mkdir -p .toryo && echo '{"worktrees":{"setup":["npm","ci"]}}' > .toryo/config.json`)
  expect(out).toContain('  toryo project setup shop --trust\n')
})

test('a task that is started and names nobody goes to the agent with the least to do', async () => {
  await using desk = new Desk()
  const shop = desk.repository('shop')
  const nobody = desk.repository('empty', { a: '' })
  await desk.init(shop, '--yes')
  const added = await desk.here(['task', 'add', 'One', 'Two', 'Three', '--start'], { cwd: shop })
  expect(added.out).toBe(
    'Added "One" (shop-1). Claude does it.\nAdded "Two" (shop-2). Codex does it.\nAdded "Three" (shop-3). Claude does it.\n',
  )
  expect(added.err).toContain('`toryo up`')
  await desk.json('agent', 'disable', 'Codex')
  await desk.here(['task', 'add', 'Four'], { cwd: shop })
  expect((await desk.here(['task', 'start', 'shop-4'], { cwd: shop })).out).toContain('Claude is started for it')
  await desk.json('project', 'add', 'empty', '--dir', nobody)
  const lost = await desk.here(['task', 'add', 'Five', '--start'], { cwd: nobody })
  expect(lost).toMatchObject({ code: 0, out: 'Added "Five" (empty-1).\n' })
  expect(lost.err).toContain('no agent is to do it: `toryo task assign empty-1 <agent>`')
})

async function clientOf(desk: Desk) {
  const state = await findHub(locate(undefined, { env: { HOME: desk.folder, TORYO_HOME: desk.home } }))
  if (!state) throw new Error('no hub runs')
  return createClient({ url: state.url, token: state.token })
}

test('adds as many agents as are wanted, of each program in turn, and none a second time', async () => {
  await using desk = new Desk(['claude'])
  const shop = desk.repository('shop')
  const agentsOf = (init: Init) => lines(init).filter(line => line.includes(' agent '))
  const three = ['Claude: claude', 'Claude 2: claude', 'Claude 3: claude']
  expect(agentsOf((await desk.init(shop, '--yes', '--agents', '3')).json)).toEqual(
    three.map(one => `added agent ${one}`),
  )
  expect(agentsOf((await desk.init(shop, '--yes', '--agents', '3')).json)).toEqual(
    three.map(one => `there agent ${one}`),
  )
  // Fewer are no reason to take one away, and without the option one of a program is enough.
  expect((await desk.init(shop, '--yes', '--agents', '1')).json.complete).toBe(true)
  expect(agentsOf((await desk.init(shop)).json)).toHaveLength(3)
  const { agents } = await desk.json<{ agents: { name: string }[] }>('agent', 'list')
  expect(agents.map(({ name }) => name).toSorted()).toEqual(['Claude', 'Claude 2', 'Claude 3'])

  for (const wrong of ['0', '51', 'x']) {
    const refused = await desk.init(shop, '--yes', '--agents', wrong)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--agents') })
  }

  await using both = new Desk(['claude', 'codex'])
  const cart = both.repository('cart')
  expect(agentsOf((await both.init(cart, '--yes', '--agents', '3')).json)).toEqual([
    'added agent Claude: claude',
    'added agent Codex: codex',
    'added agent Claude 2: claude',
  ])
})

test('another agent like one is added by a command, without a passkey, and takes a task of the first', async () => {
  await using desk = new Desk(['claude'])
  const shop = desk.repository('shop')
  await desk.init(shop, '--yes')
  const copied = await desk.run(['agent', 'copy', 'Claude'], { cwd: shop })
  expect(copied).toMatchObject({ code: 0, out: expect.stringMatching(/^Added Claude 2 \(agt_\w+\)\.\n$/) })
  await desk.json('task', 'add', 'Tiles', '--project', 'shop', '--assignee', 'Claude 2')
  const given = await desk.here(['agent', 'copy', 'Claude 2', '--task', 'shop-1'], { cwd: shop })
  expect(given).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Added Claude 3 .+\nshop-1 is assigned to Claude 3\.\n$/),
  })
  const ja = { cwd: shop, env: { LANG: 'ja_JP.UTF-8' } }
  const again = await desk.here(['agent', 'copy', 'Claude 2', '--task', 'shop-1'], ja)
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('shop-1 はエージェント') })
  const { agents } = await desk.json<{ agents: { name: string }[] }>('agent', 'list')
  expect(agents.map(({ name }) => name).toSorted()).toEqual(['Claude', 'Claude 2', 'Claude 3'])
  const { agents: members } = await desk.json<{ agents: string[] }>('project', 'show', 'shop')
  expect(members).toHaveLength(3)
})
