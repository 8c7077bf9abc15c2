// What many readers of events cost those who write, and what a look at a worktree costs beside git's own commands.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { cpuMs, Place } from './programs.ts'
import { atMost, figure, median, percentile, report, timeEach } from './report.ts'

const READERS = 200
const WRITES = 600
const LOOKS = 25
const execute = promisify(execFile)

await using place = new Place()
const hub = await place.startHub()
const { taskId } = await hub.seed(1)
const state = JSON.parse(readFileSync(place.statePath, 'utf8')) as { url: string; token: string }

const alone = await costOfWrites()
const readers = await Promise.all(Array.from({ length: READERS }, reader))
const watched = await costOfWrites()
for (const socket of readers) socket.terminate()

const repository = join(place.home, 'repository')
mkdirSync(repository)
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: repository })
git('init', '-q', '-b', 'main')
writeFileSync(join(repository, 'one.txt'), 'one\n')
git('add', '.')
git('commit', '-qm', 'one')
const project = await hub.api('project.add', { name: 'repository', directory: repository })
const worktree = await hub.api('worktree.ensure', { project_id: project.project_id, branch: 'feature' })
writeFileSync(join(worktree.path, 'one.txt'), 'two\n')
writeFileSync(join(worktree.path, 'new.txt'), 'new\n')
const look = (operation: 'worktree.files' | 'worktree.diff') =>
  hub.api(operation, { worktree_id: worktree.worktree_id })
const ask = (...args: string[]) => execute('git', args, { cwd: worktree.path })

await look('worktree.files')
await look('worktree.diff')
const byGit = async () => {
  await ask('merge-base', 'main', 'HEAD')
  await ask('diff', '--raw', 'main')
  await ask('ls-files', '--others', '--exclude-standard')
}
const [own, files, diffs]: [number[], number[], number[]] = [[], [], []]
// By turns, so that all meet the machine in the same state.
for (let round = 0; round < LOOKS; round++) {
  own.push(...(await timeEach(1, byGit)))
  files.push(...(await timeEach(1, () => look('worktree.files'))))
  diffs.push(...(await timeEach(1, () => look('worktree.diff'))))
}
const besideGit = (times: readonly number[]) => median(times.map((time, round) => time / (own[round] as number)))
const crowded = () => timeEach(3, () => Promise.all(Array.from({ length: 24 }, () => look('worktree.diff'))))
const crowd = await crowded()
const others = await timesUntil(crowded(), () => hub.api('project.list', {}))

report(`scale: ${READERS} readers of events; a worktree with two changes`, [
  figure('hub CPU time of a write, no reader', alone, ' ms'),
  figure(`the same with ${READERS} readers, each of which gets every event`, watched, ' ms'),
  atMost('with readers ÷ without', watched / alone, 4, ' ×'),
  figure('git merge-base, diff and ls-files, one after another, median', median(own), ' ms'),
  atMost('changed files ÷ that', besideGit(files), 3, ' ×'),
  atMost('diff ÷ that', besideGit(diffs), 3, ' ×'),
  atMost('24 callers of the diff at once ÷ one', median(crowd) / median(diffs), 4, ' ×'),
  atMost('another call meanwhile, p99', percentile(others, 0.99), 100, ' ms'),
])

async function costOfWrites(): Promise<number> {
  const before = cpuMs(hub.pid)
  for (let n = 0; n < WRITES; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, more) =>
        hub.api('task.move', { task_id: taskId, status: (n + more) % 2 ? 'todo' : 'in_progress' }),
      ),
    )
  await pause(500)
  return (cpuMs(hub.pid) - before) / WRITES
}

function reader(): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${state.token}` }
    const socket = new WebSocket(`${state.url.replace('http', 'ws')}/events`, { headers })
    socket.on('open', () => resolve(socket))
    socket.on('error', reject)
  })
}

/** One after another, until that is done. */
async function timesUntil(done: Promise<unknown>, call: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  void done.finally(() => (isOver = true))
  const times: number[] = []
  while (!isOver) times.push(...(await timeEach(1, call)))
  await done
  return times
}
