// What one change in one of ten worktrees costs the radar, from the look to the compared pairs, in CPU time.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import type { Found } from '#domains/thread/overlap-model.ts'
import { type Member, Radar } from '#domains/thread/radar.ts'
import { Git } from '#kernel/git/git.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { atMost, figure, median, report } from './report.ts'

const FILES = 10_000
const WORKTREES = 10
const ROUNDS = 5

const home = realpathSync(mkdtempSync(join(tmpdir(), 'toryo-bench-radar-')))
const root = join(home, 'repository')
const plain = (...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: root })
const git = new Git({ folder: join(home, 'git'), env: { PATH: process.env['PATH'], HOME: home } })

try {
  mkdirSync(root)
  await plain('init', '-q', '-b', 'main')
  for (let n = 0; n < FILES; n++) write(root, n, `${n}\n`.repeat(40))
  await plain('add', '-A')
  await plain('commit', '-qm', 'all')
  const base = (await plain('rev-parse', 'HEAD')).stdout.trim()
  const checkouts = new Map<WorktreeId, Checkout>()
  for (let n = 0; n < WORKTREES; n++) {
    await plain('worktree', 'add', '-q', '-b', `w${n}`, join(home, `w${n}`))
    const { checkout } = await openRepository(git, join(home, `w${n}`))
    checkouts.set(`wtr_${n}` as WorktreeId, checkout as Checkout)
    // All of them change one file, so that every pair is merged.
    write(join(home, `w${n}`), 7, `${n}\n`)
    for (let round = 0; round < ROUNDS && n > 0; round++) write(join(home, `w${n}`), 500 + round, `${n}\n`)
  }
  const members = [...checkouts].map(([worktreeId, repository]): Member => {
    const side = { worktreeId, taskId: null, tabId: null, projectId: 'prj' as ProjectId }
    return { ...side, repository, active: true }
  })
  let written: readonly Found[] = []
  let told = () => {}
  const radar = new Radar({
    git,
    log: { warn: console.error, debug: console.error } as never,
    clock: { monotonic: () => performance.now() },
    members: async () => ({ home, members }),
    readNow: (id, _what, read, signal) => read(git, checkouts.get(id) as Checkout, signal),
    baseOf: async () => base,
    record: async (_home, now) => {
      written = now
      told()
    },
    by: { kind: 'operator' },
    pauseMs: 0,
  })
  const look = async () => {
    const before = cpuMs()
    const wait = new Promise<void>(resolve => (told = resolve))
    radar.wake()
    await wait
    await new Promise(resolve => setTimeout(resolve, 50))
    return cpuMs() - before
  }
  const first = await look()
  if (written.length !== WORKTREES * (WORKTREES - 1)) throw new Error(`${written.length} were found`)
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // The others have changed this file before: each pair is merged again, and found to overlap in one file more.
    write(join(home, 'w0'), 500 + round, `round ${round}\n`)
    costs.push(await look())
  }
  await radar.dispose()
  report(`radar: ${WORKTREES} worktrees of ${FILES} files, all of which change the same file`, [
    figure('the first look at all of them, CPU', first, ' ms'),
    atMost('a change in one of them, CPU, median', median(costs), 1000, ' ms'),
  ])
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Of this process and of those that it has started and that have ended. */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

function write(folder: string, n: number, content: string): void {
  mkdirSync(join(folder, `d${n % 100}`), { recursive: true })
  writeFileSync(join(folder, `d${n % 100}`, `f${n}.txt`), content)
}
