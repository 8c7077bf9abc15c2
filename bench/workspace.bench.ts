// How long a task's workspace takes, from the question to a folder to work in, against `git worktree add` of the same repository.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testHub } from '../test/hub.ts'
import { atMost, figure, median, report } from './report.ts'

const ROUNDS = 9
const FILES = 5000

const home = realpathSync(mkdtempSync(join(tmpdir(), 'toryo-bench-workspace-')))
const root = join(home, 'repo')
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root })
mkdirSync(root)
git('init', '-q', '-b', 'main')
for (let index = 0; index < FILES; index++) {
  const folder = join(root, `d${index % 50}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `f${index}.txt`), `file ${index}\n`.repeat(40))
}
git('add', '-A')
git('commit', '-q', '-m', 'all')

const plain: number[] = []
const ours: number[] = []
try {
  await using hub = await testHub()
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: root, workspace: 'task' })
  const { passkey } = await hub.api('agent.add', { id: 'ann', name: 'ann', engine: 'claude' })
  await hub.api('project.assign', { project_id: 'shop', agent_id: 'ann' })
  const connection = await hub.connect()
  const token = await connection.signIn('ann', passkey, 'shop')
  // By turns, so that both meet the machine in the same state; the first of each fills the caches.
  for (let round = 0; round <= ROUNDS; round++) {
    const folder = join(home, `plain-${round}`)
    const before = performance.now()
    git('worktree', 'add', '-q', '-b', `plain-${round}`, folder)
    const between = performance.now()
    const task = { id: `t${round}`, project_id: 'shop', title: `round ${round}`, assignee_id: 'ann' } as const
    await hub.api('task.add', { ...task, status: 'in_progress' })
    const asked = performance.now()
    const { body } = await connection.call('get_my_task', { session_token: token })
    if ((body['task'] as { task_id?: string })?.task_id !== task.id) throw new Error(JSON.stringify(body))
    const ready = performance.now()
    await hub.api('task.move', { task_id: task.id, status: 'done' })
    if (round === 0) continue
    plain.push(between - before)
    ours.push(ready - asked)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

report(`workspace: ready to work in, ${FILES} files`, [
  figure('git worktree add', median(plain), ' ms'),
  figure('workspace, from get_my_task to its answer', median(ours), ' ms'),
  atMost('workspace ÷ git worktree add', median(ours) / median(plain), 1.5, ' ×'),
])
