// What the hub's own steps from a report to a merge cost beside git's commands for the same.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Git } from '#kernel/git/git.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { takeSnapshot } from '#kernel/git/snapshot.ts'
import { Queue } from '../test/queue.ts'
import { atMost, figure, median, report } from './report.ts'

const FILES = 10_000
const ROUNDS = 15
const MERGE_FILES = 1000
const MERGE_ROUNDS = 7
const execute = promisify(execFile)
const NAMES = ['-c', 'user.name=b', '-c', 'user.email=b@b']

const home = realpathSync(mkdtempSync(join(tmpdir(), 'toryo-bench-')))
const root = join(home, 'repository')
const plain = (...args: string[]) => execute('git', [...NAMES, ...args], { cwd: root })
const git = new Git({ folder: join(home, 'git'), env: { PATH: process.env['PATH'], HOME: home } })

try {
  mkdirSync(root)
  await plain('init', '-q', '-b', 'main')
  for (let n = 0; n < FILES; n++) write(n, `${n}\n`.repeat(40))
  await plain('add', '-A')
  await plain('commit', '-qm', 'all')
  const { checkout } = await openRepository(git, root)
  const snapshots = await snapshotRounds(checkout as Checkout)
  const merges = await mergeRounds()
  report(`thread: snapshots of ${FILES} files, merges into a checkout of ${MERGE_FILES}`, [...snapshots, ...merges])
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function snapshotRounds(checkout: Checkout) {
  const own: Cost[] = []
  const stash: Cost[] = []
  const wish = { ref: 'refs/toryo/snapshots/bench', message: 'bench', hold: () => undefined }
  for (let round = 0; round <= ROUNDS; round++) {
    for (let n = 0; n < 10; n++) write(n * 997, `${round} ${n}\n`)
    // Each in its turn is the first: what the first reads, the second finds in the cache.
    const turns = [
      async () => stash.push(await costOf(() => plain('stash', 'create'))),
      async () => own.push(await costOf(() => takeSnapshot(git, checkout, { ...wish, at: round * 1000 }))),
    ]
    for (const turn of round % 2 ? turns : turns.reverse()) await turn()
    // The first of both fills the caches, and is not counted.
    if (round === 0) own.length = stash.length = 0
  }
  return [
    figure('git stash create, ten files changed, median', median(stash.map(({ ms }) => ms)), ' ms'),
    figure('snapshot, median', median(own.map(({ ms }) => ms)), ' ms'),
    atMost('snapshot ÷ git stash create', ratio(own, stash, 'ms'), 3, ' ×'),
    figure('the same in CPU time', ratio(own, stash, 'cpu'), ' ×'),
  ]
}

/** Through the queue, its rows and its claims, into a base that is checked out; and what a person would type for the same. */
async function mergeRounds() {
  await using queue = await Queue.open('sqlite')
  for (let n = 0; n < MERGE_FILES; n++) queue.repo.write(`d${n % 20}/f${n}`, `${n}\n`.repeat(20))
  queue.repo.commit()
  const [own, byHand]: [Cost[], Cost[]] = [[], []]
  const hub = queue.hub()
  const type = async (...args: string[]) =>
    (await execute('git', [...NAMES, ...args], { cwd: queue.repo.root })).stdout.trim()
  for (let round = 0; round <= MERGE_ROUNDS; round++) {
    const id = await queue.task(folder => folder.write(`d1/own${round}`, 'x\n'))
    const other = await queue.task(folder => folder.write(`d1/hand${round}`, 'x\n'))
    const theirs = queue.repo.git('rev-parse', `refs/toryo/snapshots/snp_${Number(other.slice(4))}`).trim()
    await queue.enqueue(id)
    const ours = await costOf(() => queue.drive(hub))
    const hand = await costOf(async () => {
      const tip = await type('rev-parse', 'main')
      const tree = await type('merge-tree', '--write-tree', tip, theirs)
      const commit = await type('commit-tree', tree, '-p', tip, '-p', theirs, '-m', 'merge')
      await type('read-tree', '-m', '-u', tip, commit)
      await type('update-ref', 'refs/heads/main', commit, tip)
    })
    if (round === 0) continue
    own.push(ours)
    byHand.push(hand)
  }
  return [
    figure(
      'merge-tree, commit-tree, read-tree and update-ref by hand, median',
      median(byHand.map(({ ms }) => ms)),
      ' ms',
    ),
    figure('the queue from its look to the recorded end, median', median(own.map(({ ms }) => ms)), ' ms'),
    atMost('queue ÷ by hand', ratio(own, byHand, 'ms'), 3, ' ×'),
    figure('the same in CPU time', ratio(own, byHand, 'cpu'), ' ×'),
  ]
}

type Cost = { ms: number; cpu: number }

function ratio(own: readonly Cost[], floor: readonly Cost[], of: keyof Cost): number {
  return median(own.map((cost, round) => cost[of] / (floor[round] as Cost)[of]))
}

async function costOf(act: () => Promise<unknown>): Promise<Cost> {
  const [ms, cpu] = [performance.now(), cpuMs()]
  await act()
  return { ms: performance.now() - ms, cpu: cpuMs() - cpu }
}

/** Of this process and of those that it has started and that have ended. */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

function write(n: number, content: string): void {
  const folder = join(root, `d${n % 100}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `f${n}.txt`), content)
}
