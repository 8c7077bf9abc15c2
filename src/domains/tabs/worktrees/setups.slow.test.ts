import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { WorktreeId } from '#contract/id-types.ts'
import { runSetup } from './setup-run.ts'
import { locate } from '#client/locate.ts'
import { Repo, Yard } from '../../../../test/git.ts'
import { TestHub, testHub } from '../../../../test/hub.ts'
import { until } from '../../../../test/processes.ts'

const OPERATOR = { kind: 'operator' } as const

/** A hub with this configuration, and a project in a repository. */
async function shop(yard: Yard, config: object = {}): Promise<{ hub: TestHub; repo: Repo; home: string }> {
  const home = path.join(yard.home, 'toryo')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(path.join(home, 'config.json'), JSON.stringify(config))
  const repo = yard.repository('shop')
  repo.write('README', 'shop\n')
  repo.commit()
  const hub = await testHub({ target: locate(path.join(home, 'toryo.db'), { env: { TORYO_HOME: home, HOME: home } }) })
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  return { hub, repo, home }
}

const ensure = (hub: TestHub, branch = 'feature') => hub.api('worktree.ensure', { project_id: 'shop', branch })
const prepare = (hub: TestHub, id: string, progress?: (line: string) => void) =>
  hub.running.hub.worktrees.setup(id as WorktreeId, OPERATOR, { progress })

test("the user's command prepares a new worktree, with progress and a log, once", async () => {
  using yard = new Yard()
  const script =
    'echo "\\033[1mbegin\\033[0m"; echo "$TORYO_BRANCH $TORYO_PROJECT_DIR" > made; echo x >> times; pwd; echo end'
  const setup = ['sh', '-c', script]
  const { hub, repo } = await shop(yard, { projects: { shop: { worktrees: { setup } } } })
  await using _hub = hub
  const made = await ensure(hub)
  expect(made).toMatchObject({ setup: 'pending', setup_command: setup, setup_log: null })
  const lines: string[] = []
  const done = await prepare(hub, made.worktree_id, line => lines.push(line))
  expect(done.setup).toMatchObject({ state: 'succeeded', error: null, record: null })
  expect(lines.at(-1)).toBe('end')
  expect(lines.join()).not.toContain('\u001B')
  expect(readFileSync(path.join(made.path, 'made'), 'utf8')).toBe(`feature ${repo.root}\n`)
  const shown = await hub.api('worktree.show', { worktree_id: made.worktree_id })
  expect(readFileSync(shown.setup_log as string, 'utf8')).toContain(`${made.path}\nend\n`)
  await prepare(hub, made.worktree_id)
  expect(readFileSync(path.join(made.path, 'times'), 'utf8')).toBe('x\n')
  expect((await ensure(hub)).setup).toBe('succeeded')
  await hub.api('worktree.setup', { worktree_id: made.worktree_id })
  await until(async () => (await hub.api('worktree.show', { worktree_id: made.worktree_id })).setup === 'succeeded')
  expect(readFileSync(path.join(made.path, 'times'), 'utf8')).toBe('x\nx\n')
})

test('a failure is shown and leaves the worktree usable', async () => {
  using yard = new Yard()
  const { hub } = await shop(yard, {
    worktrees: { setup: ['sh', '-c', 'echo working; echo no such package >&2; exit 3'] },
  })
  await using _hub = hub
  const made = await ensure(hub)
  const failed = await prepare(hub, made.worktree_id)
  expect(failed).toMatchObject({
    state: 'ready',
    setup: { state: 'failed', error: { kind: 'ended', exitCode: 3, last: 'no such package' } },
  })
  const events = await hub.running.hub.events.since(0)
  expect(events.at(-1)).toMatchObject({ type: 'worktree.setup_ended', payload: { setup: 'failed', branch: 'feature' } })
})

test.each([[['no-such-program-anywhere']], [['../outside.sh']], [['./leads-out.sh']]])(
  '%j cannot be run',
  async setup => {
    using yard = new Yard()
    const { hub, repo } = await shop(yard, { worktrees: { setup } })
    await using _hub = hub
    writeFileSync(path.join(yard.home, 'outside.sh'), `#!/bin/sh\ntouch ${yard.canary}\n`, { mode: 0o755 })
    symlinkSync(path.join(yard.home, 'outside.sh'), repo.at('leads-out.sh'))
    repo.commit()
    const made = await ensure(hub)
    writeFileSync(path.join(path.dirname(made.path), 'outside.sh'), `#!/bin/sh\ntouch ${yard.canary}\n`, {
      mode: 0o755,
    })
    expect((await prepare(hub, made.worktree_id)).setup).toMatchObject({
      state: 'failed',
      error: { kind: 'not-found', program: setup[0] },
    })
    expect(yard.sang).toBe(false)
  },
)

test('a command of the repository runs only when exactly it was allowed', async () => {
  using yard = new Yard()
  const { hub, repo } = await shop(yard)
  await using _hub = hub
  const propose = (text: string) =>
    repo.write('.toryo/config.json', `{ "worktrees": { "setup": ["touch", "${text}"] } }`)
  const plan = () => hub.api('worktree.setup.show', { project_id: 'shop' })
  expect(await plan()).toEqual({ project_id: 'shop', command: null, trusted: false })
  const refused = await hub.fetch('/api/worktree.setup.trust', { method: 'POST', body: '{"project_id":"shop"}' })
  expect(await refused.text()).toContain('NO_SETUP')
  propose('one')
  const first = await ensure(hub, 'first')
  expect(first.setup).toBe('untrusted')
  expect((await prepare(hub, first.worktree_id)).setup.state).toBe('untrusted')
  expect(existsSync(path.join(first.path, 'one'))).toBe(false)
  expect(await hub.api('worktree.setup.trust', { project_id: 'shop' })).toMatchObject({ trusted: true })
  const second = await ensure(hub, 'second')
  expect(second.setup).toBe('pending')
  await prepare(hub, second.worktree_id)
  expect(existsSync(path.join(second.path, 'one'))).toBe(true)
  propose('two')
  expect(await plan()).toEqual({ project_id: 'shop', command: ['touch', 'two'], trusted: false })
  expect((await ensure(hub, 'third')).setup).toBe('untrusted')
  await hub.api('worktree.setup', { worktree_id: second.worktree_id })
  expect(existsSync(path.join(second.path, 'two'))).toBe(false)
})

test('a worktree is not removed while it is being prepared, and a hub that stops ends it', async () => {
  using yard = new Yard()
  const { hub, home } = await shop(yard, { worktrees: { setup: ['sh', '-c', 'echo $$ > pid; sleep 600'] } })
  const made = await ensure(hub)
  const running = prepare(hub, made.worktree_id)
  const pidFile = path.join(made.path, 'pid')
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
  const refused = await hub.fetch('/api/worktree.remove', {
    method: 'POST',
    body: JSON.stringify({ worktree_id: made.worktree_id, force: true }),
  })
  expect(await refused.text()).toContain('WORKTREE_BUSY')
  await hub[Symbol.asyncDispose]()
  expect((await running).setup).toMatchObject({ state: 'failed', error: { kind: 'stopped' } })
  expect(existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`)).toBe(false)
  expect(existsSync(path.join(home, 'worktrees'))).toBe(true)
})

test('ignored files that are named come along, and nothing else', async () => {
  using yard = new Yard()
  const { hub, repo } = await shop(yard)
  await using _hub = hub
  const outside = path.join(yard.home, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'secret'), 'OUTSIDE')
  repo.write('.gitignore', '.env*\nlocal/\nnode_modules/\n')
  repo.write('.worktreeinclude', '# for agents\n.env*\nlocal/*.json\nREADME\nconf/\nleads-out\n')
  symlinkSync(outside, repo.at('conf'))
  repo.commit()
  repo.git('rm', '-q', '--cached', 'conf')
  repo.write('.env', 'KEY=1', 0o600)
  repo.write('.env.local', 'KEY=2')
  repo.write('local/a.json', '{}')
  repo.write('local/b.txt', 'b')
  repo.write('node_modules/x/index.js', 'x')
  repo.write('README', 'changed here only')
  symlinkSync(path.join(outside, 'secret'), repo.at('leads-out'))
  const made = await ensure(hub)
  expect(made.copied).toBe(3)
  const at = (name: string) => path.join(made.path, name)
  expect(readFileSync(at('.env'), 'utf8')).toBe('KEY=1')
  expect(readFileSync(at('local/a.json'), 'utf8')).toBe('{}')
  expect(readFileSync(at('README'), 'utf8')).toBe('shop\n')
  for (const name of ['local/b.txt', 'node_modules', 'leads-out']) expect(existsSync(at(name))).toBe(false)
  expect((await hub.api('worktree.remove', { worktree_id: made.worktree_id })).state).toBe('trashed')
})

test('what comes along never leaves the worktree through a link that the branch brings', async () => {
  using yard = new Yard()
  const { hub, repo } = await shop(yard, { projects: { shop: { worktrees: { copy: ['conf/*.env'] } } } })
  await using _hub = hub
  const outside = path.join(yard.home, 'outside')
  mkdirSync(outside)
  repo.git('checkout', '-q', '-b', 'trap')
  symlinkSync(outside, repo.at('conf'))
  repo.commit()
  repo.git('checkout', '-q', 'main')
  repo.write('conf/x.env', 'SECRET')
  const made = await ensure(hub, 'trap')
  expect(made.copied).toBe(0)
  expect(existsSync(path.join(outside, 'x.env'))).toBe(false)
  expect((await ensure(hub, 'plain')).copied).toBe(1)
})

test('the command gets what the user’s shell would pass on, and nothing that changes programs or is a secret', async () => {
  using yard = new Yard()
  const secret = { NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '', GIT_DIR: '/nowhere', TORYO_TICKET: 'x', API_KEY: 'x' }
  const problem = await runSetup({
    command: ['sh', '-c', 'env > seen'],
    path: yard.home,
    marker: 'a'.repeat(32),
    logFile: path.join(yard.home, 'log'),
    minutes: 1,
    env: { PATH: process.env['PATH'], HOME: yard.home, LANG: 'C', ...secret },
    facts: { branch: 'feature', projectDirectory: null },
    started: async () => {},
  })
  expect(problem).toBeUndefined()
  const seen = readFileSync(path.join(yard.home, 'seen'), 'utf8')
  for (const line of [`HOME=${yard.home}`, 'TORYO_BRANCH=feature', `TORYO_WORKTREE=${yard.home}`, 'CI=true'])
    expect(seen.split('\n')).toContain(line)
  for (const name of Object.keys(secret)) expect(seen).not.toContain(`${name}=`)
})
