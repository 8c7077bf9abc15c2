// Every command with `--json` prints what it says that it prints (src/cli/outputs.ts): a real hub, real documents. That the
// program that is built has all of them is looked at in test/cli-built.slow.test.ts.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '#cli/catalogue.gen.ts'
import { scriptedConfig } from './crews.ts'
import { checkOutput, commandIn } from './json-output.ts'
import { build, HEAVY, until } from './processes.ts'
import { git, SCRIPTED_TUI } from './tabs.ts'
import { Toryo } from './toryo.ts'

/** Commands whose documents are looked at elsewhere, or that have none of their own kind. */
const ELSEWHERE: Record<string, string> = {
  'task pr': 'test/cli-pr.slow.test.ts: needs a remote and gh',
}

// Every command there is, and a hub for them.
test('every command prints what it says that it prints', { ...HEAVY, timeout: 240_000 }, async () => {
  build()
  await using toryo = new Toryo()
  const seen = new Set<string>()
  const repository = path.join(toryo.folder, 'shop')
  const notes = path.join(toryo.folder, 'notes')
  for (const folder of [repository, notes]) fs.mkdirSync(folder)
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const config = scriptedConfig()
  const tui = { terminal: [process.execPath, SCRIPTED_TUI, notes] }
  const scripted = { ...config.engines.scripted, ...tui, resume: [...tui.terminal, '--resume', '{session}'] }
  fs.writeFileSync(
    path.join(toryo.home, 'config.json'),
    JSON.stringify({ ...config, engines: { ...config.engines, scripted, tui }, worktrees: { setup: ['true'] } }),
  )
  fs.writeFileSync(path.join(repository, 'a.txt'), 'a\n')
  git(repository, 'init', '-q', '-b', 'main')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'first')

  /** Its document, whatever its exit code: a doctor that found something has one, too. */
  const say = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const { code, out, err } = await toryo.here(['--json', ...args], { cwd: repository })
    if (out === '') throw new Error(`toryo ${args.join(' ')} exited ${code}: ${err}${out}`)
    const document = JSON.parse(out) as T
    seen.add(commandIn(args))
    return document
  }

  await say('status')
  await say('project', 'add', 'shop', '--dir', repository)
  await say('status')
  for (const line of ['whoami', 'doctor', 'open --no-open', 'token', 'engine list', 'logs', 'project list'])
    await say(...line.split(' '))
  await say('engine', 'resume', 'claude')
  await say('completion', 'bash')
  for (const line of [
    'token create ci',
    'token list',
    'token revoke ci',
    'runner token r1',
    'runner list',
    'runner revoke r1',
  ])
    await say(...line.split(' '))
  await say('project', 'show', 'shop')
  await say('project', 'edit', 'shop', '--description', 'sells')
  await say('project', 'trust', 'shop')
  await say('project', 'setup', 'shop')
  await say('project', 'check', 'add', 'test', '--', 'true')
  await say('project', 'check', 'edit', 'test', '--minutes', '5')
  await say('project', 'check', 'list')
  await say('project', 'check', 'trust')
  await say('agent', 'add', 'Aoi', '--engine', 'scripted')
  for (const line of [
    'list',
    'show Aoi',
    'edit Aoi --role builder',
    'toolsets Aoi memory',
    'rotate Aoi',
    'disable Aoi',
    'enable Aoi',
    'copy Aoi',
  ])
    await say('agent', ...line.split(' '))
  await say('project', 'assign', 'shop', 'Aoi')
  await say('init', '--yes')

  await say('task', 'add', 'Log in')
  await say('task', 'add', 'Pay', 'Ship')
  await say('task', 'edit', 'shop-1', '--label', 'auth')
  await say('task', 'link', 'shop-2', '--after', 'shop-1')
  await say('task', 'tree')
  await say('task', 'unlink', 'shop-2', '--after', 'shop-1')
  await say('task', 'assign', 'shop-1', 'Aoi')
  await say('task', 'start', 'shop-1')
  await say('task', 'list')
  await say('task', 'show', 'shop-1')
  await say('task', 'move', 'shop-1', 'blocked')
  await say('inbox')
  await say('task', 'answer', 'shop-1', '8080')
  await say('overlaps')
  await say('queue')

  const { tab_id } = await say<{ tab_id: string }>('tab', 'launch', 'tui', '--task', 'shop-3')
  await say('tab', 'list')
  await say('tab', 'show', tab_id)
  await say('tab', 'send', tab_id, 'hello')
  await say('tab', 'broadcast', 'hello')
  await say('run', 'list')
  await say('run', 'show', tab_id)
  const { worktrees } = await say<{ worktrees: { worktree_id: string; path: string; branch: string }[] }>(
    'tab',
    'worktrees',
  )
  fs.writeFileSync(path.join(worktrees[0]?.path ?? '', 'b.txt'), 'b\n')
  await say('tab', 'files', tab_id)
  await say('tab', 'diff', tab_id)
  await say('tab', 'setup', worktrees[0]?.branch ?? '')
  await say('tab', 'stop', tab_id)

  // What lies in the workspace is the work: a person accepts it.
  await say('task', 'move', 'shop-3', 'in_progress')
  await say('task', 'move', 'shop-3', 'done')
  await until(async () => (await say<{ stage: string }>('task', 'show', 'shop-3')).stage === 'merged')
  await say('task', 'review', 'shop-3')
  await say('task', 'comment', 'shop-3', 'b.txt:1', 'Nice')
  await say('task', 'comment', 'shop-3', '--list')
  await say('task', 'merge', 'shop-3')
  await say('task', 'undo-merge', 'shop-3')
  await say('task', 'delete', 'shop-2')
  await say('task', 'restore', 'shop-2')
  await say('queue')
  await say('tab', 'launch', 'tui', 'other', '--base', 'main')
  await say('tab', 'stop', 'other')
  await say('tab', 'remove', 'other', '--force')
  await say('tab', 'restore', 'other')

  const crew = await say<{ crew: { crew_id: string }; runs: { run_id: string }[] }>(
    'crew',
    'run',
    '--role',
    'worker',
    '!say hi',
  )
  await say('crew', 'list')
  await say('crew', 'show', crew.crew.crew_id)
  await say('run', 'show', crew.runs[0]?.run_id ?? '')
  const lines = await toryo.run(['run', 'logs', crew.runs[0]?.run_id ?? '', '--json'])
  for (const line of lines.out.trim().split('\n')) await checkOutput(['run', 'logs'], JSON.parse(line))
  seen.add('run logs')
  const taken = await say<{ tab_id: string }>('run', 'take', crew.runs[0]?.run_id ?? '')
  await say('tab', 'stop', taken.tab_id)
  await say('run', 'stop', crew.runs[0]?.run_id ?? '')
  await say('crew', 'stop', crew.crew.crew_id)
  await say('crew', 'delete', crew.crew.crew_id)

  const topic = await say<{ topic_id: number }>('memory', 'add', 'Login')
  await say('memory', 'add', 'We tried cookies', '--topic', String(topic.topic_id))
  await say('memory', 'add', 'Use cookies', '--topic', String(topic.topic_id), '--reason', 'simple')
  for (const line of [
    'list',
    `log ${topic.topic_id}`,
    'decisions',
    'search cookies',
    'recall cookies',
    'export',
    'export memory.jsonl',
  ])
    await say('memory', ...line.split(' '))
  await say('memory', 'import', 'memory.jsonl')

  const { url } = await say<{ url: string }>('status')
  const { token } = await say<{ token: string }>('token')
  const { project_id } = await say<{ project_id: string }>('project', 'show', 'shop')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await fetch(`${url}/api/phase.start`, { method: 'POST', headers, body: JSON.stringify({ project_id }) })
  for (const line of ['status', 'advance', 'advance --status failed', 'retry', 'refresh', 'history', 'prompt list'])
    await say('phase', ...line.split(' '))
  await say('phase', 'back', 'phase0', '--reason', 'again')
  for (const _ of ['phase0', 'phase1', 'phase2', 'phase3', 'phase4']) await say('phase', 'advance')
  await say('phase', 'restart')
  const current = 'phase0'
  await say('phase', 'prompt', 'show', current)
  await say('phase', 'prompt', 'edit', current, '--content', 'Do it.', '--project', 'shop')
  await say('phase', 'prompt', 'history', current, '--project', 'shop')
  await say('phase', 'prompt', 'reset', current, '--project', 'shop')

  await say('project', 'check', 'remove', 'test')
  await say('project', 'unassign', 'shop', 'Aoi')
  await say('project', 'archive', 'shop')
  await say('project', 'activate', 'shop')
  await say('register', '--dry-run')
  await say('unregister', '--dry-run')
  await say('export', 'all.jsonl')
  await say('backup', 'copy.db')
  await say('stop')
  await say('restore', 'copy.db', '--db', path.join(toryo.folder, 'second.db'))
  await say('import', 'all.jsonl', '--db', path.join(toryo.folder, 'third.db'))
  await toryo.run(['stop', '--db', path.join(toryo.folder, 'third.db')])

  const up = toryo.start('up', '--json', '--db', path.join(toryo.folder, 'fourth.db'), '--port', '0', '--no-register')
  const [line] = await up.output(/^\{.*\}$/m)
  await checkOutput(['up'], JSON.parse(line))
  seen.add('up')
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)

  const wanted = await Promise.all(
    catalogue.map(async ({ path: name, load }) => ((await load?.())?.default.output ? [name] : [])),
  )
  expect(wanted.flat().filter(name => !seen.has(name) && !(name in ELSEWHERE))).toEqual([])
})
