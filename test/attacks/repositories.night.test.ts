// T13–T15 on git: whatever a repository, its configuration or its files say, the hub runs nothing of it and reads nothing
// outside of it.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listBranches } from '#kernel/git/branches.ts'
import { changedFiles, diff } from '#kernel/git/changes.ts'
import { Git } from '#kernel/git/git.ts'
import { createInside, openInside, Reader } from '#kernel/git/inside.ts'
import { type Checkout, withOverlay } from '#kernel/git/overlay.ts'
import { headOfNested } from '#kernel/git/nested.ts'
import { linkedDir, openRepository, readHead, readHeadAnd } from '#kernel/git/repository.ts'
import { adminDirsFor } from '#kernel/git/worktrees.ts'
import { Repo, run, Yard } from '../git.ts'
import { TestClock, testHub } from '../hub.ts'

const HOOKS = [
  'applypatch-msg',
  'pre-applypatch',
  'pre-commit',
  'post-commit',
  'pre-checkout',
  'post-checkout',
  'post-merge',
  'pre-rebase',
  'post-rewrite',
  'reference-transaction',
  'post-index-change',
  'fsmonitor-watchman',
  'pre-auto-gc',
  'update',
  'post-update',
]

/** Everything by which a repository can make git run something. */
function plant(repo: Repo, canary: string, common = repo.at('.git')): void {
  const sing = path.join(path.dirname(canary), 'sing')
  writeFileSync(sing, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat 2>/dev/null\nexit 0\n`, { mode: 0o755 })
  const hooks = path.join(path.dirname(canary), 'planted-hooks')
  mkdirSync(hooks, { recursive: true })
  for (const folder of [hooks, path.join(common, 'hooks')])
    for (const hook of HOOKS) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, hook), readFileSync(sing), { mode: 0o755 })
    }
  const more = path.join(path.dirname(canary), 'more.config')
  writeFileSync(more, `[core]\n\tfsmonitor = ${sing} included\n[diff]\n\texternal = ${sing}\n`)
  const lines = `
[core]
\tfsmonitor = ${sing} fsmonitor
\thooksPath = ${hooks}
\tpager = ${sing}
\teditor = ${sing}
\taskPass = ${sing}
\tsshCommand = ${sing}
\tgitProxy = ${sing}
\talternateRefsCommand = ${sing}
\tattributesFile = ${path.join(path.dirname(canary), 'attributes')}
\tuntrackedCache = true
[pager]
\tdiff = ${sing}
\tworktree = ${sing}
[alias]
\tworktree = !${sing}
\tdiff-index = !${sing}
\tread-tree = !${sing}
\tls-files = !${sing}
\trev-parse = !${sing}
[diff]
\texternal = ${sing}
\tsubmodule = log
[diff "evil"]
\tcommand = ${sing}
\ttextconv = ${sing}
\tcachetextconv = true
[filter "evil"]
\tclean = ${sing} clean
\tsmudge = ${sing} smudge
\trequired = true
[filter "process"]
\tprocess = ${sing} process
\trequired = true
[merge "evil"]
\tdriver = ${sing}
[credential]
\thelper = !${sing}
[gpg]
\tprogram = ${sing}
[log]
\tshowSignature = true
[init]
\ttemplateDir = ${hooks}
[uploadpack]
\tpackObjectsHook = ${sing}
[remote "origin"]
\turl = ext::${sing}
\tpromisor = true
\tpartialclonefilter = blob:none
\tuploadpack = ${sing}
\tproxy = ${sing}
[url "ext::${sing} "]
\tinsteadOf = https://
[submodule "sub"]
\turl = ext::${sing}
\tupdate = !${sing}
[extensions]
\tworktreeConfig = true
[trace2]
\teventTarget = ${canary}-trace
[include]
\tpath = ${more}
[includeIf "gitdir:/"]
\tpath = ${more}
`
  writeFileSync(path.join(common, 'config'), lines, { flag: 'a' })
  writeFileSync(path.join(common, 'config.worktree'), `[core]\n\tfsmonitor = ${sing} worktree\n`)
  writeFileSync(path.join(path.dirname(canary), 'attributes'), '* filter=evil diff=evil merge=evil\n')
  mkdirSync(path.join(common, 'info'), { recursive: true })
  writeFileSync(path.join(common, 'info', 'attributes'), '*.info filter=process diff=evil\n')
}

test('T14: nothing that a repository configures is run, by any way the hub uses git', async () => {
  using yard = new Yard()
  const clock = new TestClock()
  await using hub = await testHub({ clock })
  const repo = yard.repository()
  repo.write('.gitattributes', '*.txt filter=evil diff=evil merge=evil\n*.p filter=process\n')
  repo.write('a.txt', 'one\n')
  repo.write('b.p', 'two\n')
  repo.write('c.info', 'three\n')
  const base = repo.commit()
  repo.git('branch', 'existing')
  const clean = readFileSync(repo.at('.git/config'))
  plant(repo, yard.canary)
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })

  const made = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'feature', base: 'main' })
  const id = { worktree_id: made.worktree_id }
  expect(made.drivers).toEqual(['evil', 'process'])
  expect(readFileSync(path.join(made.path, 'a.txt'), 'utf8')).toBe('one\n')
  const other = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'existing' })
  await hub.api('worktree.ensure', { project_id: 'shop', branch: 'existing' })
  writeFileSync(path.join(made.path, 'a.txt'), 'changed\n')
  writeFileSync(path.join(made.path, 'b.p'), 'changed\n')
  writeFileSync(path.join(made.path, 'new.txt'), 'new\n')
  writeFileSync(
    path.join(repo.at('.git/worktrees'), path.basename(made.path), 'config.worktree'),
    `[core]\n\tfsmonitor = touch ${yard.canary}\n`,
  )
  const { files } = await hub.api('worktree.files', id)
  const found = await hub.api('worktree.diff', id)
  const refused = await hub.fetch('/api/worktree.remove', { method: 'POST', body: JSON.stringify(id) })
  expect(refused.status).toBe(409)
  await hub.api('worktree.remove', { ...id, force: true })
  await hub.api('worktree.restore', id)
  await hub.api('worktree.remove', { worktree_id: other.worktree_id })
  await hub.api('worktree.restore', { worktree_id: other.worktree_id })
  await hub.api('worktree.remove', { worktree_id: other.worktree_id })
  for (const days of [15, 1]) {
    clock.advance(days * 24 * 3600_000)
    await hub.running.hub.worktrees.tend()
  }
  expect((await hub.api('worktree.show', { worktree_id: other.worktree_id })).state).toBe('purged')
  expect(yard.sang && readFileSync(yard.canary, 'utf8')).toBe(false)
  expect(existsSync(`${yard.canary}-trace`)).toBe(false)

  writeFileSync(repo.at('.git/config'), clean)
  rmSync(path.join(repo.at('.git/worktrees'), path.basename(made.path), 'config.worktree'), { force: true })
  for (const hook of HOOKS) rmSync(repo.at(`.git/hooks/${hook}`))
  rmSync(repo.at('.git/info/attributes'))
  run(made.path, ['add', '-A'])
  const plain = run(made.path, ['diff-index', '--cached', '-p', '--full-index', '--no-textconv', base])
  expect(found.diff).toBe(plain)
  expect(files.map(({ path: name, status }) => `${status} ${name}`)).toEqual([
    'modified a.txt',
    'modified b.p',
    'added new.txt',
  ])
  expect(yard.sang).toBe(false)
})

test('T14: the traps do sing when git is run plainly', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('.gitattributes', '*.txt filter=evil diff=evil\n')
  repo.write('a.txt', 'one\n')
  repo.commit()
  plant(repo, yard.canary)
  repo.write('a.txt', 'two\n')
  repo.git('diff')
  const heard = readFileSync(yard.canary, 'utf8')
  for (const word of ['sing worktree', 'sing clean', 'sing a.txt']) expect(heard).toContain(word)
})

test('T14: of the configuration only a few words are taken over, and none that says more', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.commit()
  plant(repo, yard.canary)
  const more = `\\n[diff]\\n\\texternal = touch ${yard.canary}`
  const lines = `[core]\n\tautocrlf = input\n\tignorecase\n\teol = "lf${more}"\n`
  writeFileSync(repo.at('.git/config'), lines, { flag: 'a' })
  const { checkout } = await openRepository(yard.git, repo.root)
  const config = await withOverlay(yard.git, checkout as Checkout, async ({ dir }) =>
    readFileSync(`${dir}/config`, 'utf8'),
  )
  const taken = config.split('\n').filter(line => !/^\t(?:excludesFile|hooksPath) = /.test(line))
  expect(taken).toEqual([
    '[core]',
    '\trepositoryformatversion = 0',
    '\tbare = false',
    '\tlogAllRefUpdates = false',
    '\tfilemode = true',
    '\tautocrlf = input',
    '\tignorecase = true',
    '',
  ])
  expect(config).toContain('\thooksPath = /dev/null\n')
})

test('T14: the environment that the hub was started with does not reach git', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'one\n')
  const base = repo.commit()
  repo.write('a', 'two\n')
  const git = new Git({
    folder: path.join(yard.home, 'git'),
    env: {
      PATH: process.env['PATH'],
      HOME: yard.home,
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/',
      GIT_INDEX_FILE: '/nowhere',
      GIT_EXTERNAL_DIFF: `touch ${yard.canary}`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: `touch ${yard.canary}`,
      GIT_EXEC_PATH: '/nowhere',
      GIT_TRACE: `${yard.canary}-trace`,
    },
  })
  const { checkout } = await openRepository(git, repo.root)
  expect((await changedFiles(git, checkout as Checkout, base)).files).toEqual([{ path: 'a', status: 'modified' }])
  expect(yard.sang).toBe(false)
  expect(existsSync(`${yard.canary}-trace`)).toBe(false)
})

test("T14: the user's own list of ignored files counts, and the rest of that file does not", async () => {
  using yard = new Yard()
  writeFileSync(
    path.join(yard.home, '.gitconfig'),
    `[core]\n\texcludesFile = ~/my-ignore\n\tfsmonitor = touch ${yard.canary}\n`,
  )
  writeFileSync(path.join(yard.home, 'my-ignore'), '.DS_Store\n')
  const repo = yard.repository()
  repo.write('a', 'one\n')
  const base = repo.commit()
  repo.write('.DS_Store', 'x')
  repo.write('b', 'x')
  const { checkout } = await openRepository(yard.git, repo.root)
  expect((await changedFiles(yard.git, checkout as Checkout, base)).files).toEqual([{ path: 'b', status: 'added' }])
  expect(yard.sang).toBe(false)
})

test('T15: a repository that claims another folder as its checkout is read where it lies', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'one\n')
  const base = repo.commit()
  const outside = path.join(yard.home, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'secret'), 'SECRET\n')
  repo.git('config', 'core.worktree', outside)
  const { checkout } = await openRepository(yard.git, repo.root)
  expect(checkout?.path).toBe(repo.root)
  const found = await diff(yard.git, checkout as Checkout, base, 1_000_000)
  expect(found.diff).not.toContain('SECRET')
})

const traps: [name: string, lay: (file: string) => void][] = [
  ['a pipe', file => execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', file])],
  ['a link to something endless', file => symlinkSync('/dev/zero', file)],
  ['a folder', file => mkdirSync(file)],
]

// Git itself waits for a pipe until its time is over; a few such reads of ours would block all file reads.
test.each(traps)("T15: %s in the place of git's own files holds us up in none", async (_name, lay) => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.commit()
  const { checkout } = await openRepository(yard.git, repo.root)
  const admin = repo.at('.git/worktrees/w')
  const nested = repo.at('nested/.git')
  for (const folder of [admin, nested, repo.at('linked')]) mkdirSync(folder, { recursive: true })
  for (const file of ['.git/HEAD', '.git/worktrees/w/gitdir', 'nested/.git/HEAD', 'linked/.git']) {
    rmSync(repo.at(file), { force: true })
    lay(repo.at(file))
  }
  // More often than there are threads to wait in.
  for (let round = 0; round < 20; round++) {
    await expect(readHead(yard.git, checkout as Checkout)).rejects.toMatchObject({ problem: 'bad-head' })
    expect(await headOfNested(repo.root, 'nested')).toBeUndefined()
    expect(await adminDirsFor(repo.at('.git'), repo.root)).toEqual([])
    await expect(linkedDir(repo.at('linked/.git'))).rejects.toMatchObject({ problem: 'bad-link' })
  }
})

test('T15: git that waits for a pipe in the place of a ref is ended soon, and the pipe is named', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.commit()
  const found = await openRepository(yard.git, repo.root)
  const pipe = repo.at('.git/refs/heads/deep/odd')
  mkdirSync(path.dirname(pipe), { recursive: true })
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', pipe])
  await expect(listBranches(yard.git, found, 10)).rejects.toMatchObject({ problem: 'not-a-file', path: pipe })
  const checkout = found.checkout as Checkout
  await expect(readHeadAnd(yard.git, checkout, 'refs/heads/deep/odd')).rejects.toMatchObject({ path: pipe })
  rmSync(pipe)
  symlinkSync('/dev/zero', pipe)
  await expect(listBranches(yard.git, found, 10)).rejects.toMatchObject({ path: pipe })
  rmSync(pipe)
  expect(await listBranches(yard.git, found, 10)).toMatchObject([{ name: 'main' }])
})

describe('T15: paths', () => {
  function ground(yard: Yard): { inside: string; outside: string } {
    const inside = path.join(yard.home, 'project')
    const outside = path.join(yard.home, 'project-evil')
    for (const folder of [inside, outside]) mkdirSync(path.join(folder, 'sub'), { recursive: true })
    writeFileSync(path.join(inside, 'sub', 'file'), 'inside')
    writeFileSync(path.join(outside, 'sub', 'file'), 'OUTSIDE')
    writeFileSync(path.join(outside, 'file'), 'OUTSIDE')
    symlinkSync(outside, path.join(inside, 'link-to-folder'))
    symlinkSync(path.join(outside, 'file'), path.join(inside, 'link-to-file'))
    symlinkSync('/proc/self/root', path.join(inside, 'root'))
    return { inside, outside }
  }

  const strange = [
    '..',
    '../project-evil/file',
    'sub/../../project-evil/file',
    '/etc/passwd',
    '',
    '.',
    'sub//file',
    'a\0b',
    './sub/file',
  ]
  test.each(strange)('%j is no path inside of a folder', async name => {
    using yard = new Yard()
    const { inside } = ground(yard)
    await expect(openInside(inside, name)).rejects.toThrow(/is not a path inside/)
    using reader = new Reader(inside)
    expect(() => reader.read(name, 100)).toThrow(/is not a path inside/)
    await expect(createInside(inside, name, 0o600)).rejects.toThrow(/is not a path inside/)
  })

  test('links are not followed, neither at the end nor on the way', async () => {
    using yard = new Yard()
    const { inside, outside } = ground(yard)
    const target = Buffer.from(path.join(outside, 'file'))
    expect(await openInside(inside, 'link-to-file')).toEqual({ kind: 'link', target })
    using reader = new Reader(inside)
    expect(reader.read('link-to-file', 100)).toEqual({ kind: 'link', target })
    expect(reader.read('sub/file', 3)).toMatchObject({ kind: 'file', bytes: undefined, size: 6 })
    for (const name of ['link-to-folder/file', 'link-to-folder/sub/file', `root${outside}/file`]) {
      expect(await openInside(inside, name)).toBeUndefined()
      expect(reader.read(name, 100)).toBeUndefined()
    }
    expect(reader.read('sub/file', 100)).toMatchObject({ bytes: Buffer.from('inside') })
    for (const name of ['link-to-folder/new', `root${outside}/new`, 'link-to-file'])
      await expect(createInside(inside, name, 0o600)).rejects.toThrow(/ENOTDIR|ELOOP|EEXIST/)
    expect(existsSync(path.join(outside, 'new'))).toBe(false)
    expect(readFileSync(path.join(outside, 'file'), 'utf8')).toBe('OUTSIDE')
  })

  test('a folder that is swapped for a link all the time never lets anything in or out', async () => {
    using yard = new Yard()
    const { inside, outside } = ground(yard)
    const swap = `
      const fs = require('node:fs')
      process.chdir(${JSON.stringify(inside)})
      fs.mkdirSync('put')
      process.stdout.write('ready')
      // We race with the one who looks: a step that comes too late fails, and the next round tries again.
      const attempt = step => { try { step() } catch {} }
      for (;;) {
        attempt(() => { fs.renameSync('sub', 'aside'); fs.symlinkSync(${JSON.stringify(path.join(outside, 'sub'))}, 'sub') })
        attempt(() => { fs.rmSync('put', { recursive: true }); fs.symlinkSync(${JSON.stringify(outside)}, 'put') })
        attempt(() => { fs.unlinkSync('sub'); fs.renameSync('aside', 'sub') })
        attempt(() => { fs.unlinkSync('put'); fs.mkdirSync('put') })
      }`
    await using _swapping = await running(swap)
    let read = 0
    let written = 0
    for (let round = 0; round < 1000 || read === 0 || written === 0; round++) {
      const entry = await openInside(inside, 'sub/file')
      if (entry?.kind === 'file') {
        expect(await entry.handle.readFile('utf8')).toBe('inside')
        await entry.handle.close()
        read++
      }
      const again = new Reader(inside)
      const content = again.read('sub/file', 1000)
      if (content?.kind === 'file') expect(content.bytes?.toString()).toBe('inside')
      again[Symbol.dispose]()
      const made = await createInside(inside, `put/new-${round}`, 0o600).catch(() => undefined)
      if (made) written++
      await made?.close()
      expect(existsSync(path.join(outside, `new-${round}`))).toBe(false)
    }
  })

  test('a diff of such a folder shows nothing from outside', async () => {
    using yard = new Yard()
    const repo = yard.repository()
    repo.write('sub/file', 'one\n')
    const base = repo.commit()
    repo.write('sub/file', 'two\n')
    const outside = path.join(yard.home, 'outside')
    mkdirSync(outside)
    writeFileSync(path.join(outside, 'file'), 'OUTSIDE\n')
    const { checkout } = await openRepository(yard.git, repo.root)
    const swap = `
      const fs = require('node:fs')
      process.chdir(${JSON.stringify(repo.root)})
      process.stdout.write('ready')
      // As above.
      for (;;) {
        try { fs.renameSync('sub', '.git/aside'); fs.symlinkSync(${JSON.stringify(outside)}, 'sub') } catch {}
        try { fs.unlinkSync('sub'); fs.renameSync('.git/aside', 'sub') } catch {}
      }`
    await using _swapping = await running(swap)
    for (let round = 0; round < 15; round++) {
      const found = await diff(yard.git, checkout as Checkout, base, 1_000_000)
      expect(found.diff).not.toContain('OUTSIDE')
    }
  })
})

/** A program that goes on until the test has ended. */
async function running(script: string): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise(resolve => child.once('exit', resolve))
  await new Promise(resolve => child.stdout.once('data', resolve))
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
