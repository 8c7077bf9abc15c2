// T52: the hub killed at every step of making, removing and restoring a worktree. Work is never lost, and the next start
// brings everything in order.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { WorktreeView } from '#contract/worktrees.ts'
import { folderFor } from '#kernel/git/names.ts'
import { Repo, run } from '../git.ts'
import { isAlive } from '#system/processes.ts'
import { HEAVY, HubChild, post, until, Workshop } from '../processes.ts'

const STRACE = '/usr/bin/strace'
const FOLDERS = '?rename,?renameat,?renameat2,?mkdir,?mkdirat,?rmdir,?unlink,?unlinkat'
const COMMITS = 'fdatasync,fsync'
const MOST_ROUNDS = 40

class Site {
  readonly shop: Workshop
  readonly repo: Repo
  hub: HubChild | undefined

  constructor(shop: Workshop, files = 1) {
    this.shop = shop
    this.repo = new Repo(path.join(shop.home, 'repo'))
    mkdirSync(this.repo.root)
    this.repo.git('init', '-q', '-b', 'main')
    for (let n = 0; n < files; n++) this.repo.write(n === 0 ? 'README' : `d${n % 40}/f${n}`, `${n}\n`.repeat(50))
    this.repo.commit()
  }

  /** One thread for files, so that strace counts their steps in one row. */
  async start(): Promise<void> {
    const child = this.shop.spawn('hub.js', ['--db', this.shop.db(), '--background'], { UV_THREADPOOL_SIZE: '1' })
    this.hub = new HubChild(child, this.shop.target())
    await this.hub.settled()
    if (!this.hub.state) throw new Error(`the hub did not start: ${this.hub.exit?.stderr}`)
  }

  async call(operation: string, input: object): Promise<WorktreeView> {
    const { status, body } = await this.ask(operation, input)
    if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`)
    return body as WorktreeView
  }

  async ask(operation: string, input: object): Promise<{ status: number; body: unknown }> {
    return post(this.hub?.state as NonNullable<HubChild['state']>, operation, input)
  }

  pathOf(branch: string): string {
    return path.join(this.shop.home, 'toryo', 'worktrees', 'shop', folderFor('shop', branch))
  }

  adminOf(branch: string): string {
    return path.join(this.repo.root, '.git', 'worktrees', path.basename(this.pathOf(branch)))
  }

  /** Kills the hub at the nth of these system calls on these paths during the call. True when it came to that. */
  async killedAt(nth: number, calls: string, paths: string[], operation: string, input: object): Promise<boolean> {
    const pid = this.hub?.pid as number
    const threads = readdirSync(`/proc/${pid}/task`).flatMap(thread => ['-p', thread])
    const only = paths.flatMap(one => ['-P', one])
    const what = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${nth}`]
    const strace = spawn(STRACE, ['-o', '/dev/null', ...what, ...only, ...threads], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    strace.stderr.on('data', (text: Buffer) => (said += text.toString()))
    const gone = new Promise(resolve => strace.once('exit', resolve))
    const all = threads.length / 2
    await until(() => (said.match(/attached/g)?.length ?? 0) >= all || strace.exitCode !== null)
    const answer = await this.ask(operation, input).catch(() => undefined)
    if (answer === undefined) {
      await this.hub?.ended
      await gone
      return true
    }
    strace.kill('SIGINT')
    await gone
    if (answer.status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`)
    return false
  }

  /** Nothing half done is left, in the repository or beside it. */
  inOrder(): void {
    const listed = this.repo.git('worktree', 'list', '--porcelain')
    expect(listed).not.toContain('prunable')
    const overlays = path.join(this.shop.home, 'toryo', 'git')
    const left = existsSync(overlays) ? readdirSync(overlays, { recursive: true, encoding: 'utf8' }) : []
    expect(left.filter(name => name.includes('overlay-'))).toEqual([])
  }
}

async function site(shop: Workshop, files?: number): Promise<Site> {
  const made = new Site(shop, files)
  await made.start()
  await made.call('project.add', { id: 'shop', name: 'shop', directory: made.repo.root })
  return made
}

/** What an agent was working on. */
function work(folder: string): void {
  writeFileSync(path.join(folder, 'README'), 'changed\n')
  writeFileSync(path.join(folder, '未保存'), 'loose\n')
}

function expectWork(folder: string): void {
  expect(readFileSync(path.join(folder, 'README'), 'utf8')).toBe('changed\n')
  expect(readFileSync(path.join(folder, '未保存'), 'utf8')).toBe('loose\n')
  expect(run(folder, ['status', '--porcelain', '-z'])).toBe(' M README\0?? 未保存\0')
}

if (!existsSync(STRACE)) console.warn('NOT TESTED HERE: a kill at a chosen step needs strace')

const kinds = [
  ['folders', FOLDERS],
  ['commits', COMMITS],
] as const

// Only strace can kill at one chosen system call; the tests below need nothing.
test.skipIf(!existsSync(STRACE)).each(kinds)(
  'killed while it removes or restores, at every step of its %s',
  HEAVY,
  async (kind, calls) => {
    await using shop = new Workshop()
    const here = await site(shop)
    for (const operation of ['worktree.remove', 'worktree.restore'] as const) {
      let kills = 0
      for (let nth = 1; ; nth++) {
        expect(nth).toBeLessThan(MOST_ROUNDS)
        const branch = `${operation.slice(9)}-${nth}`
        const made = await here.call('worktree.ensure', { project_id: 'shop', branch })
        work(made.path)
        const id = { worktree_id: made.worktree_id }
        if (operation === 'worktree.restore') await here.call('worktree.remove', { ...id, force: true })
        const trash = path.join(shop.home, 'toryo', 'worktrees', '.trash', made.worktree_id)
        const folders = [made.path, trash, path.join(trash, 'tree'), path.join(trash, 'admin'), here.adminOf(branch)]
        const paths = kind === 'folders' ? folders : [`${shop.db()}-wal`]
        const killed = await here.killedAt(nth, calls, paths, operation, { ...id, force: true })
        if (killed) {
          kills++
          await here.start()
        }
        const now = await here.call('worktree.show', id)
        expect(['ready', 'trashed']).toContain(now.state)
        here.inOrder()
        if (now.state === 'trashed') await here.call('worktree.restore', id)
        expectWork(made.path)
        expect(here.repo.git('for-each-ref', `refs/toryo/trash/${made.worktree_id}`)).toBe('')
        await here.call('worktree.remove', { ...id, force: true })
        expect(existsSync(made.path)).toBe(false)
        if (!killed) break
      }
      expect(kills).toBeGreaterThan(1)
    }
    await shop.stopHub()
  },
)

// As above.
test.skipIf(!existsSync(STRACE)).each(kinds)(
  'killed while it makes one, at every step of its %s',
  HEAVY,
  async (kind, calls) => {
    await using shop = new Workshop()
    const here = await site(shop)
    await here.call('worktree.ensure', { project_id: 'shop', branch: 'before' })
    let kills = 0
    for (let nth = 1; ; nth++) {
      expect(nth).toBeLessThan(MOST_ROUNDS)
      const branch = `make-${nth}`
      const paths = kind === 'folders' ? [here.pathOf(branch)] : [`${shop.db()}-wal`]
      const killed = await here.killedAt(nth, calls, paths, 'worktree.ensure', { project_id: 'shop', branch })
      if (killed) {
        kills++
        await here.start()
      }
      here.inOrder()
      const made = await here.call('worktree.ensure', { project_id: 'shop', branch })
      expect(run(made.path, ['status', '--porcelain', '--branch'])).toBe(`## ${branch}\n`)
      expect(existsSync(path.join(made.path, 'README'))).toBe(true)
      if (!killed) break
    }
    expect(kills).toBeGreaterThan(0)
    await shop.stopHub()
  },
)

test('killed while git writes the files', HEAVY, async () => {
  await using shop = new Workshop()
  const here = await site(shop, 3000)
  for (const sign of ['.git', 'README', 'd1']) {
    const branch = `while-${sign.replace('.', '')}`
    const input = { project_id: 'shop', branch, base: 'main' }
    const asked = here.ask('worktree.ensure', input).catch(() => undefined)
    await until(() => existsSync(path.join(here.pathOf(branch), sign)))
    await here.hub?.kill()
    await asked
    await here.start()
    here.inOrder()
    const made = await here.call('worktree.ensure', input)
    expect(run(made.path, ['status', '--porcelain', '--branch'])).toBe(`## ${branch}\n`)
    expect(existsSync(path.join(made.path, 'd39', 'f2999'))).toBe(true)
  }
  await shop.stopHub()
})

test('killed while a worktree is prepared: the command is ended and its end is told', HEAVY, async () => {
  await using shop = new Workshop()
  mkdirSync(path.join(shop.home, 'toryo'), { recursive: true, mode: 0o700 })
  const setup = ['sh', '-c', 'echo $$ > pid; exec sleep 600']
  writeFileSync(path.join(shop.home, 'toryo', 'config.json'), JSON.stringify({ worktrees: { setup } }))
  const here = await site(shop)
  const made = await here.call('worktree.ensure', { project_id: 'shop', branch: 'feature' })
  const id = { worktree_id: made.worktree_id }
  expect((await here.call('worktree.setup', id)).setup).toBe('running')
  const pidFile = path.join(made.path, 'pid')
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
  const pid = readFileSync(pidFile, 'utf8').trim()
  await here.hub?.kill()
  expect(isAlive(Number(pid))).toBe(true)
  await here.start()
  expect(isAlive(Number(pid))).toBe(false)
  expect(await here.call('worktree.show', id)).toMatchObject({
    setup: 'failed',
    setup_error: 'the hub ended meanwhile',
    state: 'ready',
  })
  await shop.stopHub()
})
