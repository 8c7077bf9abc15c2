import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, type DatabaseKind, TestClock, testHub, type TestHub } from '../../../../test/hub.ts'
import { Repo, run, Yard } from '../../../../test/git.ts'

type View = Awaited<ReturnType<typeof ensure>>

function ensure(hub: TestHub, branch: string, base?: string) {
  return hub.api('worktree.ensure', { project_id: 'shop', branch, ...(base !== undefined && { base }) })
}

async function refusal(hub: TestHub, operation: string, input: object): Promise<{ code: string; message: string }> {
  const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
  const body = (await response.json()) as { code?: string; error?: { code: string; message: string }; message?: string }
  expect(response.ok, JSON.stringify(body)).toBe(false)
  return (body.error ?? body) as { code: string; message: string }
}

async function scene(options: { database?: DatabaseKind; clock?: TestClock } = {}) {
  const yard = new Yard()
  const repo = yard.repository('shop')
  repo.write('README', 'shop\n')
  const first = repo.commit()
  const hub = await testHub(options)
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  return {
    yard,
    repo,
    first,
    hub,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]()
      yard[Symbol.dispose]()
    },
  }
}

describe.each(databases)('on %s', database => {
  test('a branch gets a worktree, and the next one who asks gets the same', async () => {
    await using s = await scene({ database })
    const made = await ensure(s.hub, 'feature/認証')
    expect(made).toMatchObject({ branch: 'feature/認証', base: 'main', own: true, state: 'ready', setup: 'none' })
    expect(path.relative(s.hub.home, made.path)).toMatch(/^worktrees\/shop\/feature-認証-[0-9a-f]{10}$/)
    expect(readFileSync(path.join(made.path, 'README'), 'utf8')).toBe('shop\n')
    expect(run(made.path, ['status', '--porcelain'])).toBe('')
    expect(run(made.path, ['symbolic-ref', '--short', 'HEAD']).trim()).toBe('feature/認証')
    const again = await ensure(s.hub, 'feature/認証')
    expect(again.worktree_id).toBe(made.worktree_id)
    const list = await s.hub.api('worktree.list', { project_id: 'shop' })
    expect(list.worktrees.map(({ worktree_id }) => worktree_id)).toEqual([made.worktree_id])
  })

  test('a removed one waits in the trash, comes back whole, and is deleted after fourteen days', async () => {
    const clock = new TestClock()
    await using s = await scene({ database, clock })
    const made = await ensure(s.hub, 'feature')
    const removed = await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
    expect(removed).toMatchObject({ state: 'trashed', purge_at: '2026-01-15T00:00:00.000Z' })
    expect(existsSync(made.path)).toBe(false)
    expect(s.repo.git('worktree', 'list')).not.toContain('feature')
    s.repo.git('checkout', '-q', 'feature')
    s.repo.git('checkout', '-q', 'main')
    const trash = await s.hub.api('worktree.list', { trashed: true })
    expect(trash.worktrees).toMatchObject([{ worktree_id: made.worktree_id, state: 'trashed' }])
    const back = await s.hub.api('worktree.restore', { worktree_id: made.worktree_id })
    expect(back).toMatchObject({ state: 'ready', path: made.path, branch: 'feature', trash: null })
    expect(run(made.path, ['status', '--porcelain', '--branch'])).toBe('## feature\n')
    expect(s.repo.git('worktree', 'list')).toContain(made.path)

    await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
    const files = path.dirname(removed.trash as string)
    expect(existsSync(files)).toBe(true)
    clock.advance(14 * 24 * 3600_000 - 1)
    await s.hub.running.hub.worktrees.tend()
    expect(existsSync(files)).toBe(true)
    clock.advance(1)
    await s.hub.running.hub.worktrees.tend()
    expect(existsSync(files)).toBe(true)
    clock.advance(24 * 3600_000)
    await s.hub.running.hub.worktrees.tend()
    expect(existsSync(files)).toBe(false)
    expect((await s.hub.api('worktree.show', { worktree_id: made.worktree_id })).state).toBe('purged')
    expect(await refusal(s.hub, 'worktree.restore', { worktree_id: made.worktree_id })).toMatchObject({
      code: 'WORKTREE_NOT_READY',
    })
    const events = await s.hub.running.hub.events.since(0)
    expect(events.map(({ type }) => type).filter(type => type.startsWith('worktree.'))).toEqual([
      'worktree.created',
      'worktree.removed',
      'worktree.restored',
      'worktree.removed',
      'worktree.purged',
    ])
  })
})

test('begins at any branch, tag, commit or remote branch', async () => {
  await using s = await scene()
  s.repo.git('tag', 'v1')
  s.repo.write('README', 'two\n')
  const second = s.repo.commit()
  s.repo.git('update-ref', 'refs/remotes/origin/far', s.first)
  s.repo.git('config', 'remote.origin.url', '/nowhere')
  s.repo.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  const head = (view: View) => run(view.path, ['rev-parse', 'HEAD']).trim()
  expect(head(await ensure(s.hub, 'from-head'))).toBe(second)
  expect(head(await ensure(s.hub, 'from-branch', 'main'))).toBe(second)
  expect(head(await ensure(s.hub, 'from-tag', 'v1'))).toBe(s.first)
  expect(head(await ensure(s.hub, 'from-commit', s.first.slice(0, 12)))).toBe(s.first)
  expect(head(await ensure(s.hub, 'from-before', 'main~1'))).toBe(s.first)
  expect(head(await ensure(s.hub, 'from-remote', 'origin/far'))).toBe(s.first)
  const far = await ensure(s.hub, 'far')
  expect(head(far)).toBe(s.first)
  expect(run(far.path, ['rev-parse', '--abbrev-ref', '@{upstream}']).trim()).toBe('origin/far')
  for (const base of ['nowhere', '--all', 'main..v1', '@{-1}', 'HEAD:README', '', 'a b'])
    expect(await refusal(s.hub, 'worktree.ensure', { project_id: 'shop', branch: 'x', base })).toMatchObject({
      code: 'BASE_NOT_FOUND',
    })
})

test('a branch that somebody has checked out elsewhere is used there and never removed', async () => {
  await using s = await scene()
  const elsewhere = path.join(s.yard.home, 'elsewhere')
  s.repo.git('worktree', 'add', '-q', '-b', 'mine', elsewhere)
  const used = await ensure(s.hub, 'mine')
  expect(used).toMatchObject({ path: elsewhere, own: false, state: 'ready' })
  expect(await refusal(s.hub, 'worktree.remove', { worktree_id: used.worktree_id, force: true })).toMatchObject({
    code: 'WORKTREE_NOT_OURS',
  })
  const main = await ensure(s.hub, 'main')
  expect(main).toMatchObject({ path: s.repo.root, own: false })
  expect(existsSync(elsewhere)).toBe(true)
})

test('branches that look alike do not share a folder', async () => {
  await using s = await scene()
  const names = ['Feature', 'feature', 'fea-ture', 'fea/ture', 'caf\u00e9', 'cafe\u0301', '機能', '機-能']
  const paths = new Set<string>()
  for (const name of names) {
    const made = await ensure(s.hub, name)
    expect(run(made.path, ['symbolic-ref', 'HEAD']).trim()).toBe(`refs/heads/${name}`)
    paths.add(made.path)
  }
  expect(paths.size).toBe(names.length)
})

test('a repository without a commit can be worked in', async () => {
  using yard = new Yard()
  await using hub = await testHub()
  const repo = yard.repository('empty')
  await hub.api('project.add', { id: 'shop', name: 'empty', directory: repo.root })
  const made = await ensure(hub, 'first-steps')
  expect(run(made.path, ['status', '--porcelain', '--branch'])).toContain('No commits yet on first-steps')
  writeFileSync(path.join(made.path, 'a'), 'a\n')
  const { files } = await hub.api('worktree.files', { worktree_id: made.worktree_id })
  expect(files).toEqual([{ path: 'a', status: 'added' }])
  run(made.path, ['add', '-A'])
  run(made.path, ['commit', '-qm', 'first'])
  expect((await hub.api('worktree.diff', { worktree_id: made.worktree_id })).diff).toContain('+a')
  const main = await ensure(hub, 'main')
  expect(main.path).toBe(repo.root)
})

test('where there is no repository, it says so', async () => {
  await using hub = await testHub()
  await hub.api('project.add', { id: 'shop', name: 'plain', directory: hub.home })
  await hub.api('project.add', { id: 'nowhere', name: 'nowhere' })
  await hub.api('project.add', { id: 'gone', name: 'gone', directory: path.join(hub.home, 'gone') })
  const ask = (project_id: string) => refusal(hub, 'worktree.ensure', { project_id, branch: 'x' })
  expect(await ask('shop')).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  expect(await ask('nowhere')).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  expect(await ask('gone')).toMatchObject({ code: 'GIT_FAILED' })
  expect(existsSync(path.join(hub.home, 'worktrees'))).toBe(false)
})

describe('T13: hostile names of branches', () => {
  const names = [
    '--upload-pack=x',
    '-d',
    '-',
    '@',
    'HEAD',
    'FETCH_HEAD',
    'a..b',
    'refs/heads/x',
    'a/../../b',
    '$(touch CANARY)',
    '`touch CANARY`',
    'a;touch CANARY',
    'a\nb',
    'a\u202eb',
    'a b',
    '',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.',
    'a@{1}',
    'a~1',
    'a^',
    'a:b',
    'a*',
    'a\\b',
    'x'.repeat(300),
    'a'.repeat(40),
  ]
  test('are refused, and nothing is made', async () => {
    await using s = await scene()
    const before = s.repo.git('for-each-ref')
    for (const branch of names)
      expect([branch, (await refusal(s.hub, 'worktree.ensure', { project_id: 'shop', branch })).code]).toEqual([
        branch,
        'INVALID_BRANCH',
      ])
    expect(s.repo.git('for-each-ref')).toBe(before)
    expect(existsSync(s.repo.at('CANARY'))).toBe(false)
    expect((await s.hub.api('worktree.list', {})).worktrees).toEqual([])
  })

  test('one that lies in another is refused, and what was begun is undone', async () => {
    await using s = await scene()
    await ensure(s.hub, 'a')
    expect(await refusal(s.hub, 'worktree.ensure', { project_id: 'shop', branch: 'a/b' })).toMatchObject({
      code: 'INVALID_BRANCH',
    })
    expect((await s.hub.api('worktree.list', {})).worktrees).toHaveLength(1)
    expect(s.repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(2)
  })
})

describe('what would be lost is not removed', () => {
  const cases: [string, (made: View, repo: Repo) => void, string][] = [
    ['a changed file', made => writeFileSync(path.join(made.path, 'README'), 'x'), 'README'],
    ['an untracked file', made => writeFileSync(path.join(made.path, '新規'), 'x'), '新規'],
    [
      'a hidden change',
      made => {
        run(made.path, ['update-index', '--assume-unchanged', 'README'])
        writeFileSync(path.join(made.path, 'README'), 'x')
      },
      'README',
    ],
    [
      'what is staged and nowhere else',
      made => {
        writeFileSync(path.join(made.path, 'README'), 'staged')
        run(made.path, ['add', 'README'])
        writeFileSync(path.join(made.path, 'README'), 'shop\n')
      },
      'README',
    ],
    [
      'a commit that only this branch has',
      made => void run(made.path, ['commit', '-q', '--allow-empty', '-m', 'own']),
      '1 commit',
    ],
    [
      'a commit that no branch has',
      made => {
        run(made.path, ['checkout', '-q', '--detach'])
        run(made.path, ['commit', '-q', '--allow-empty', '-m', 'own'])
      },
      '1 commit',
    ],
    [
      'a repository that lies inside',
      made => {
        mkdirSync(path.join(made.path, 'nested'))
        run(path.join(made.path, 'nested'), ['init', '-q'])
        writeFileSync(path.join(made.path, 'nested', 'x'), 'x')
      },
      'nested',
    ],
    [
      'an unfinished merge',
      (made, repo) => {
        repo.write('other', 'x')
        repo.commit()
        run(made.path, ['merge', '-q', '--no-ff', '--no-commit', 'main'])
      },
      'unfinished merge',
    ],
    ['an unfinished bisect', made => void run(made.path, ['bisect', 'start']), 'unfinished bisect'],
  ]
  test.each(cases)('%s', async (_, work, told) => {
    await using s = await scene()
    const made = await ensure(s.hub, 'feature')
    work(made, s.repo)
    const refused = await refusal(s.hub, 'worktree.remove', { worktree_id: made.worktree_id })
    expect(refused.code).toBe('UNSAVED_WORK')
    expect(JSON.stringify(refused)).toContain(told)
    expect(existsSync(made.path)).toBe(true)
    const before = run(made.path, ['status', '--porcelain=v2', '--branch'])
    await s.hub.api('worktree.remove', { worktree_id: made.worktree_id, force: true })
    expect(existsSync(made.path)).toBe(false)
    s.repo.git('gc', '-q', '--prune=now')
    await s.hub.api('worktree.restore', { worktree_id: made.worktree_id })
    expect(run(made.path, ['status', '--porcelain=v2', '--branch'])).toBe(before)
    expect(s.repo.git('for-each-ref', 'refs/toryo')).toBe('')
  })

  test('merged or pushed commits are saved ones', async () => {
    await using s = await scene()
    const made = await ensure(s.hub, 'feature')
    run(made.path, ['commit', '-q', '--allow-empty', '-m', 'own'])
    s.repo.git('update-ref', 'refs/remotes/origin/feature', 'feature')
    expect((await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })).state).toBe('trashed')
  })

  test('work inside of a submodule', async () => {
    await using s = await scene()
    const inner = s.yard.repository('inner')
    inner.write('x', '1')
    inner.commit()
    s.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub')
    s.repo.commit()
    const made = await ensure(s.hub, 'feature')
    run(made.path, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init'])
    expect((await s.hub.api('worktree.files', { worktree_id: made.worktree_id })).files).toEqual([])
    writeFileSync(path.join(made.path, 'sub', 'x'), '2')
    const refused = await refusal(s.hub, 'worktree.remove', { worktree_id: made.worktree_id })
    expect(refused.code).toBe('UNSAVED_WORK')
    run(path.join(made.path, 'sub'), ['checkout', '-q', 'x'])
    const removed = await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
    expect(removed.state).toBe('trashed')
    await s.hub.api('worktree.restore', { worktree_id: made.worktree_id })
    expect(run(path.join(made.path, 'sub'), ['status', '--porcelain'])).toBe('')
  })

  test('a folder in which a process stands', async () => {
    await using s = await scene()
    const made = await ensure(s.hub, 'feature')
    mkdirSync(path.join(made.path, 'deep'))
    const child = spawn('/bin/sleep', ['600'], { cwd: path.join(made.path, 'deep'), stdio: 'ignore' })
    await new Promise(resolve => child.once('spawn', resolve))
    const ended = new Promise(resolve => child.once('exit', resolve))
    const refused = await refusal(s.hub, 'worktree.remove', { worktree_id: made.worktree_id, force: true })
    expect(refused.code).toBe('WORKTREE_BUSY')
    expect(JSON.stringify(refused)).toContain(`sleep (${child.pid})`)
    child.kill('SIGKILL')
    await ended
    rmSync(path.join(made.path, 'deep'), { recursive: true })
    expect((await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })).state).toBe('trashed')
  })

  test('a locked one', async () => {
    await using s = await scene()
    const made = await ensure(s.hub, 'feature')
    s.repo.git('worktree', 'lock', made.path)
    expect(await refusal(s.hub, 'worktree.remove', { worktree_id: made.worktree_id, force: true })).toMatchObject({
      code: 'WORKTREE_LOCKED',
    })
    s.repo.git('worktree', 'unlock', made.path)
    expect((await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })).state).toBe('trashed')
  })

  test('a folder that is another one by now', async () => {
    await using s = await scene()
    const made = await ensure(s.hub, 'feature')
    const aside = path.join(s.yard.home, 'aside')
    const precious = path.join(s.yard.home, 'precious')
    renameSync(made.path, aside)
    mkdirSync(precious)
    writeFileSync(path.join(precious, 'letter'), 'x')
    symlinkSync(precious, made.path)
    for (const force of [false, true])
      expect(await refusal(s.hub, 'worktree.remove', { worktree_id: made.worktree_id, force })).toMatchObject({
        code: 'WORKTREE_GONE',
      })
    expect(await refusal(s.hub, 'worktree.diff', { worktree_id: made.worktree_id })).toMatchObject({
      code: 'WORKTREE_GONE',
    })
    rmSync(made.path)
    mkdirSync(made.path)
    expect(await refusal(s.hub, 'worktree.files', { worktree_id: made.worktree_id })).toMatchObject({
      code: 'WORKTREE_GONE',
    })
    expect(existsSync(path.join(precious, 'letter'))).toBe(true)
    expect(existsSync(path.join(aside, 'README'))).toBe(true)
  })
})

test('a worktree that somebody made in the place of ours is used, and never removed', async () => {
  await using s = await scene()
  const made = await ensure(s.hub, 'feature')
  // Kept, so that the new folder cannot get its number.
  renameSync(made.path, path.join(s.yard.home, 'aside'))
  s.repo.git('worktree', 'prune')
  s.repo.git('worktree', 'add', '-q', made.path, 'feature')
  const again = await ensure(s.hub, 'feature')
  expect(again).toMatchObject({ worktree_id: made.worktree_id, path: made.path, own: false })
  const refused = await refusal(s.hub, 'worktree.remove', { worktree_id: made.worktree_id, force: true })
  expect(refused.code).toBe('WORKTREE_NOT_OURS')
  expect(existsSync(path.join(made.path, 'README'))).toBe(true)
})

test('a folder that somebody deleted is made anew', async () => {
  await using s = await scene()
  const made = await ensure(s.hub, 'feature')
  rmSync(made.path, { recursive: true })
  const again = await ensure(s.hub, 'feature')
  expect(again.worktree_id).not.toBe(made.worktree_id)
  expect(existsSync(path.join(again.path, 'README'))).toBe(true)
  expect((await s.hub.api('worktree.show', { worktree_id: made.worktree_id })).state).toBe('purged')
  rmSync(again.path, { recursive: true })
  expect((await s.hub.api('worktree.remove', { worktree_id: again.worktree_id })).state).toBe('purged')
  expect(s.repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
})

test("somebody's own worktree whose folder is gone does not keep the branch", async () => {
  await using s = await scene()
  const elsewhere = path.join(s.yard.home, 'elsewhere')
  s.repo.git('worktree', 'add', '-q', '-b', 'mine', elsewhere)
  rmSync(elsewhere, { recursive: true })
  const made = await ensure(s.hub, 'mine')
  expect(made.own).toBe(true)
  expect(readFileSync(path.join(made.path, 'README'), 'utf8')).toBe('shop\n')
})

test('comes back beside the one that took its place, without the branch', async () => {
  await using s = await scene()
  const old = await ensure(s.hub, 'feature')
  run(old.path, ['commit', '-q', '--allow-empty', '-m', 'own'])
  writeFileSync(path.join(old.path, 'loose'), 'x')
  const head = run(old.path, ['rev-parse', 'HEAD'])
  await s.hub.api('worktree.remove', { worktree_id: old.worktree_id, force: true })
  const next = await ensure(s.hub, 'feature')
  expect(next.path).toBe(old.path)
  const back = await s.hub.api('worktree.restore', { worktree_id: old.worktree_id })
  expect(back).toMatchObject({ path: `${old.path}-2`, branch: null, state: 'ready' })
  expect(run(back.path, ['rev-parse', 'HEAD'])).toBe(head)
  expect(run(back.path, ['status', '--porcelain'])).toBe('?? loose\n')
  expect(run(next.path, ['status', '--porcelain'])).toBe('')
})

test('comes back without a branch that went on meanwhile, so that nothing of that is taken back', async () => {
  await using s = await scene()
  const old = await ensure(s.hub, 'feature')
  writeFileSync(path.join(old.path, 'loose'), 'x')
  await s.hub.api('worktree.remove', { worktree_id: old.worktree_id, force: true })
  const next = await ensure(s.hub, 'feature')
  writeFileSync(path.join(next.path, 'later'), 'x')
  run(next.path, ['add', '-A'])
  run(next.path, ['commit', '-q', '-m', 'later'])
  const later = run(next.path, ['rev-parse', 'HEAD']).trim()
  await s.hub.api('worktree.remove', { worktree_id: next.worktree_id, force: true })
  const back = await s.hub.api('worktree.restore', { worktree_id: old.worktree_id })
  expect(back).toMatchObject({ path: old.path, branch: null, state: 'ready' })
  expect(run(back.path, ['status', '--porcelain'])).toBe('?? loose\n')
  expect(run(back.path, ['rev-parse', 'HEAD']).trim()).toBe(s.first)
  expect(s.repo.git('rev-parse', 'feature').trim()).toBe(later)
  // The one whose commit the branch still has comes back with it.
  const also = await s.hub.api('worktree.restore', { worktree_id: next.worktree_id })
  expect(also).toMatchObject({ path: `${old.path}-2`, branch: 'feature' })
  expect(run(also.path, ['status', '--porcelain'])).toBe('')
})

test('a branch that was deleted meanwhile comes back with it', async () => {
  await using s = await scene()
  const made = await ensure(s.hub, 'feature')
  await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
  s.repo.git('branch', '-q', '-D', 'feature')
  await s.hub.api('worktree.restore', { worktree_id: made.worktree_id })
  expect(run(made.path, ['rev-parse', 'feature']).trim()).toBe(s.first)
})

test('what cannot go back into its repository says where its files are', async () => {
  await using s = await scene()
  const made = await ensure(s.hub, 'feature')
  const removed = await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
  rmSync(s.repo.root, { recursive: true })
  const refused = await refusal(s.hub, 'worktree.restore', { worktree_id: made.worktree_id })
  expect(refused.code).toBe('RESTORE_FAILED')
  expect(JSON.stringify(refused)).toContain(removed.trash)
  expect(existsSync(path.join(removed.trash as string, 'README'))).toBe(true)
})

test('is compared with where it left its base, however far that went on', async () => {
  await using s = await scene()
  const made = await ensure(s.hub, 'feature')
  writeFileSync(path.join(made.path, 'mine'), 'mine\n')
  run(made.path, ['add', '-A'])
  run(made.path, ['commit', '-qm', 'mine'])
  s.repo.write('theirs', 'theirs\n')
  s.repo.commit()
  const files = async () => (await s.hub.api('worktree.files', { worktree_id: made.worktree_id })).files
  expect(await files()).toEqual([{ path: 'mine', status: 'added' }])
  run(made.path, ['merge', '-q', 'main'])
  expect(await files()).toEqual([{ path: 'mine', status: 'added' }])
  s.repo.git('branch', '-q', 'old', s.first)
  await ensure(s.hub, 'feature', 'old')
  expect((await files()).map(({ path: name }) => name)).toEqual(['mine', 'theirs'])
})

test('many at once for one branch get one worktree', async () => {
  await using s = await scene()
  const made = await Promise.all(Array.from({ length: 8 }, () => ensure(s.hub, 'feature')))
  expect(new Set(made.map(({ worktree_id }) => worktree_id)).size).toBe(1)
  const others = await Promise.all(Array.from({ length: 4 }, (_, n) => ensure(s.hub, `branch-${n}`)))
  expect(new Set(others.map(({ path: folder }) => folder)).size).toBe(4)
})

test('an unknown one is not found', async () => {
  await using s = await scene()
  for (const operation of ['show', 'remove', 'restore', 'files', 'diff', 'setup'])
    expect(await refusal(s.hub, `worktree.${operation}`, { worktree_id: 'wt_none' })).toMatchObject({
      code: 'WORKTREE_NOT_FOUND',
    })
})

test('the folder is for its owner alone', async () => {
  await using s = await scene()
  const made = await ensure(s.hub, 'feature')
  expect(statSync(path.join(s.hub.home, 'worktrees')).mode & 0o077).toBe(0)
  expect(statSync(made.path).mode & 0o077).toBe(0)
})

test('a project that is a part of its repository has its part in the worktree', async () => {
  using yard = new Yard()
  await using hub = await testHub()
  const repo = yard.repository()
  repo.write('packages/app/index.js', 'x')
  repo.commit()
  repo.git('checkout', '-q', '-b', 'trap')
  repo.git('rm', '-qr', 'packages')
  symlinkSync('/etc', repo.at('packages'))
  repo.commit()
  repo.git('checkout', '-q', 'main')
  const directory = repo.at('packages/app')
  await hub.api('project.add', { id: 'shop', name: 'app', directory })
  const { worktrees } = hub.running.hub
  const folderOf = async (branch: string) => {
    const made = await ensure(hub, branch)
    return path.relative(made.path, await worktrees.folderIn(await worktrees.get(made.worktree_id), directory))
  }
  expect(await folderOf('feature')).toBe('packages/app')
  expect(await folderOf('main')).toBe('packages/app')
  expect(await folderOf('trap')).toBe('')
})

test('a bare repository can be worked from', async () => {
  await using s = await scene()
  const bare = path.join(s.yard.home, 'bare.git')
  s.repo.git('clone', '-q', '--bare', s.repo.root, bare)
  await s.hub.api('project.add', { id: 'bare', name: 'bare', directory: bare })
  const made = await s.hub.api('worktree.ensure', { project_id: 'bare', branch: 'feature' })
  expect(readFileSync(path.join(made.path, 'README'), 'utf8')).toBe('shop\n')
  writeFileSync(path.join(made.path, 'new'), 'x')
  const { files } = await s.hub.api('worktree.files', { worktree_id: made.worktree_id })
  expect(files).toEqual([{ path: 'new', status: 'added' }])
})

test('large files that are on this machine are put into place, the others are counted', async () => {
  await using s = await scene()
  const pointer = (content: string) => {
    const oid = createHash('sha256').update(content).digest('hex')
    return { oid, text: `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n` }
  }
  const content = 'a large file '.repeat(1000)
  const { oid, text } = pointer(content)
  const forged = pointer('what it should be')
  s.repo.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n')
  s.repo.write('here.bin', text)
  s.repo.write('elsewhere.bin', pointer('x').text)
  s.repo.write('forged.bin', forged.text)
  s.repo.write('plain.txt', text)
  s.repo.commit()
  const store = (name: string) => s.repo.at(`.git/lfs/objects/${name.slice(0, 2)}/${name.slice(2, 4)}`)
  for (const [name, bytes] of [
    [oid, content],
    [forged.oid, 'what it should NOT'.slice(0, 17)],
  ] as const) {
    mkdirSync(store(name), { recursive: true })
    writeFileSync(path.join(store(name), name), bytes)
  }
  const made = await ensure(s.hub, 'feature')
  expect(made).toMatchObject({ lfs_missing: 2, drivers: [] })
  const at = (name: string) => readFileSync(path.join(made.path, name), 'utf8')
  expect(at('here.bin')).toBe(content)
  expect(at('forged.bin')).toBe(forged.text)
  expect(at('plain.txt')).toBe(text)
  expect((await s.hub.api('worktree.files', { worktree_id: made.worktree_id })).files).toEqual([])
  expect((await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })).state).toBe('trashed')
})

test('a clone that lacks objects says so and fetches nothing', async () => {
  await using s = await scene()
  const partial = path.join(s.yard.home, 'partial')
  s.repo.git('config', 'uploadpack.allowFilter', 'true')
  s.repo.git('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${s.repo.root}`, partial)
  await s.hub.api('project.add', { id: 'partial', name: 'partial', directory: partial })
  const refused = await refusal(s.hub, 'worktree.ensure', { project_id: 'partial', branch: 'feature' })
  expect(refused.code).toBe('GIT_FAILED')
  expect(refused.message).toContain('partial clone')
  expect(run(partial, ['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(1)
  expect(run(partial, ['branch', '--list', 'feature'])).toBe('')
})

/** Two looks at what is due, a day apart. */
async function pastDue(hub: TestHub, clock: TestClock): Promise<void> {
  clock.advance(20 * 24 * 3600_000)
  await hub.running.hub.worktrees.tend()
  clock.advance(24 * 3600_000)
  await hub.running.hub.worktrees.tend()
}

test('a clock that is ahead for a moment does not empty the trash, however often it is', async () => {
  const clock = new TestClock()
  await using s = await scene({ clock })
  const made = await ensure(s.hub, 'feature')
  await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
  const look = async () => {
    await s.hub.running.hub.worktrees.tend()
    return (await s.hub.api('worktree.show', { worktree_id: made.worktree_id })).state
  }
  for (let day = 0; day < 3; day++) {
    clock.jump(30 * 24 * 3600_000)
    expect(await look()).toBe('trashed')
    clock.advance(10_000)
    expect(await look()).toBe('trashed')
    clock.jump(-30 * 24 * 3600_000)
    expect(await look()).toBe('trashed')
    clock.advance(24 * 3600_000)
  }
  // A machine that starts with a clock years ahead has not observed a day of it.
  clock.jump(365 * 24 * 3600_000)
  expect(await look()).toBe('trashed')
  clock.advance(24 * 3600_000)
  expect(await look()).toBe('purged')
})

test('what was being deleted when the hub ended is deleted by the next', async () => {
  const clock = new TestClock()
  await using s = await scene({ clock })
  const made = await ensure(s.hub, 'feature')
  const { trash } = await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
  const folder = path.dirname(trash as string)
  renameSync(folder, path.join(path.dirname(folder), `.purge-${made.worktree_id}`))
  mkdirSync(path.join(path.dirname(folder), `.purge-${made.worktree_id}`, 'locked'), { mode: 0o500 })
  await pastDue(s.hub, clock)
  expect(readdirSync(path.dirname(folder))).toEqual([])
  expect((await s.hub.api('worktree.show', { worktree_id: made.worktree_id })).state).toBe('purged')
})

test('what lies in the trash under its name without being it is not deleted', async () => {
  const clock = new TestClock()
  await using s = await scene({ clock })
  const made = await ensure(s.hub, 'feature')
  const { trash } = await s.hub.api('worktree.remove', { worktree_id: made.worktree_id })
  renameSync(trash as string, path.join(s.yard.home, 'taken-out'))
  mkdirSync(trash as string)
  writeFileSync(path.join(trash as string, 'precious'), 'x')
  expect(await refusal(s.hub, 'worktree.restore', { worktree_id: made.worktree_id })).toMatchObject({
    code: 'RESTORE_FAILED',
  })
  await pastDue(s.hub, clock)
  expect(existsSync(path.join(trash as string, 'precious'))).toBe(true)
})
