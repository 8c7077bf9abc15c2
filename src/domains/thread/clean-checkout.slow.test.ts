// "Passed" is said of the tree alone: what lies in a workspace beside it, and what a check hides, is not merged on trust.
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evidenceLines } from '#cli/review-text.ts'
import type { Lang } from '#contract/errors.ts'
import { fakeIo } from '#test/fake-io.ts'
import { databases } from '#test/hub.ts'
import { Repo } from '#test/git.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, newTask, put, reached, report, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'
const sh = (script: string) => ['sh', '-c', script]
const returned = ({ hub }: Shop, count = 1) =>
  until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length >= count)

/** What the folder has and the tree lacks, each in its own way; the check needs `helper` to hold "right". */
const WAYS: [name: string, hide: (shop: Shop) => void][] = [
  [
    'a file that info/exclude names',
    ({ path, repo }) => {
      mkdirSync(repo.at('.git/info'), { recursive: true })
      appendFileSync(repo.at('.git/info/exclude'), 'helper\n')
      put(path, 'helper', 'right\n')
    },
  ],
  [
    'an ignored file that the code needs',
    ({ path }) => {
      put(path, '.gitignore', 'ignored/\nhelper\n')
      put(path, 'helper', 'right\n')
    },
  ],
  [
    'a secret that is held back',
    ({ path }) => {
      put(path, 'helper', `right\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n`)
    },
  ],
  [
    'a file that a filter must convert',
    ({ path }) => {
      put(path, '.gitattributes', 'helper filter=own\n')
      put(path, 'helper', 'right\n')
    },
  ],
  [
    'a repository of its own',
    ({ path }) => {
      const nested = join(path, 'nested')
      mkdirSync(nested)
      const inner = new Repo(nested)
      inner.git('init', '-q')
      put(nested, 'helper', 'right\n')
      writeFileSync(join(path, 'where'), 'nested/helper')
    },
  ],
]

test.each(WAYS)('%s is not merged as passed', async (_name, hide) => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    // It names no file: a file that a check names would keep the work for a person.
    const command = sh("grep -rqs right --include='helper*' .")
    await hub.api('project.check.add', { project_id, name: 'test', command })
    hide(shop)
    put(path, 'cart', 'x')
    await report(shop)
    await returned(shop)
    const evidence = await rows(hub, 'evidence')
    expect(evidence.map(one => [one['merge_id'] === null, one['outcome']])).toEqual([
      [true, 'passed'],
      [false, 'failed'],
    ])
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('cart')
    const { evidence: shown } = await hub.api('task.show', { task_id })
    expect(shown.map(({ ran_in, outcome }) => [ran_in, outcome])).toEqual([
      ['clean_checkout', 'failed'],
      ['workspace', 'passed'],
    ])
    const got = (await report(shop))['returned']
    expect(got).toMatchObject({ why: 'checks', checks: [{ ran_in: 'clean_checkout' }] })
    expect(JSON.stringify(got)).toContain('It ran in a clean checkout')
  })
})

test.each(databases)(
  'a tree that passed in its workspace is checked again before the base moves (%s)',
  async database => {
    await inShop({ database, settings: { accept: 'checks' } }, async shop => {
      const { hub, path, repo } = shop
      await hub.api('project.check.add', {
        project_id,
        name: 'test',
        command: sh('pwd; git status --porcelain --ignored'),
      })
      put(path, 'cart', 'x')
      put(path, 'ignored/cache', 'x')
      await report(shop)
      await reached(hub, 'merged')
      expect(repo.git('show', 'main:cart')).toBe('x')
      const [inWorkspace, clean] = await rows(hub, 'evidence')
      expect(inWorkspace).toMatchObject({ merge_id: null, tail: expect.stringContaining('ignored/') })
      expect(clean).toMatchObject({ merge_id: expect.any(String), outcome: 'passed', tree: inWorkspace?.['tree'] })
      const { evidence: shown } = await hub.api('task.show', { task_id })
      const inLang = (lang: Lang) => evidenceLines(shown, 'shop-1', fakeIo({ lang })).join('\n')
      expect(inLang('en')).toMatch(/passed +clean checkout[^]*passed +workspace/)
      expect(inLang('ja')).toMatch(/クリーンなチェックアウト[^]*ワークスペース/)
      expect(String(clean?.['tail']).trim()).toMatch(/^\/\S+integration-shop-main\S+$/)
    })
  },
)

test('nothing is left in the clean checkout by the tree before: not what a check ignored, staged or marked', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    const leave = 'echo right > ignored-helper; git update-index --skip-worktree README'
    const command = sh(`if [ -e l?ave ]; then ${leave}; else test -e ignored-helper; fi`)
    repo.write('.gitignore', 'ignored/\nignored-helper\n')
    repo.commit()
    await hub.api('project.check.add', { project_id, name: 'test', command })
    put(path, 'leave', 'x')
    put(path, '.gitignore', 'ignored/\nignored-helper\n')
    await report(shop)
    await reached(hub, 'merged')
    const folder = await newTask(shop, 'tsk_two')
    new Repo(folder).git('rm', '-q', 'leave')
    put(folder, 'ignored-helper', 'x')
    await report(shop)
    await returned(shop)
    expect((await rows(hub, 'evidence')).at(-1)).toMatchObject({ outcome: 'failed', merge_id: expect.any(String) })
    expect(repo.git('ls-tree', '--name-only', 'main')).toContain('leave')
  })
})

test('a sparse repository leaves out nothing of what is checked', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    repo.write('src/a', 'x')
    repo.write('tests/x', 'x')
    repo.commit()
    repo.git('sparse-checkout', 'set', 'src')
    const command = sh('[ "$TORYO_TASK" ] || { test -e t?sts/x && git status --porcelain; }')
    await hub.api('project.check.add', { project_id, name: 'test', command })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'merged')
    expect((await rows(hub, 'evidence')).at(-1)).toMatchObject({ merge_id: expect.any(String), tail: '' })
  })
})

test('setup runs again for every tree that is merged', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    const setup = ['sh', '-c', 'mkdir -p ignored; cp n?eds ignored/made 2>/dev/null || true']
    repo.write('.toryo/config.json', JSON.stringify({ worktrees: { setup } }))
    repo.commit()
    await hub.api('worktree.setup.trust', { project_id })
    // In the workspace, setup ran before the work began.
    const command = sh('[ "$TORYO_TASK" ] || diff n*s ignored/made')
    await hub.api('project.check.add', { project_id, name: 'test', command })
    put(path, 'needs', '1')
    await report(shop)
    await reached(hub, 'merged')
    const folder = await newTask(shop, 'tsk_two')
    put(folder, 'needs', '2')
    await report(shop)
    await reached(hub, 'merged', 'tsk_two')
    expect(repo.git('show', 'main:needs')).toBe('2')
    const { worktrees } = await hub.api('worktree.list', {})
    expect(worktrees.filter(({ branch }) => branch?.startsWith('toryo/integration-'))).toHaveLength(1)
  })
})

/** A setup that the repository proposes, and a person allows. The task is one that begins with it. */
async function withSetup(script: string, story: (shop: Shop) => Promise<void>): Promise<void> {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, repo } = shop
    repo.write('.toryo/config.json', JSON.stringify({ worktrees: { setup: sh(script) } }))
    repo.write('code', 'good\n')
    repo.commit('with a setup')
    await hub.api('worktree.setup.trust', { project_id })
    await hub.api('task.move', { task_id, status: 'cancelled' })
    await story({ ...shop, path: await newTask(shop, 'tsk_two'), taskId: 'tsk_two' })
  })
}

const IN_CLEAN = '[ "$TORYO_TASK" ] || '

test.each([
  ['is laid out again', 'for file in c?de; do echo good > $file; done'],
  ['is no change of its own', 'for file in c?de; do echo good > $file; git update-index --skip-worktree $file; done'],
])('a file of the tree that setup has written over %s before the checks', async (_name, setup) => {
  await withSetup(setup, async shop => {
    const { hub, path, repo } = shop
    const command = sh(`${IN_CLEAN} grep -q good c?de`)
    await hub.api('project.check.add', { project_id, name: 'test', command })
    put(path, 'code', 'bad\n')
    new Repo(path).git('update-index', '--no-skip-worktree', 'code')
    await report(shop)
    await returned(shop)
    expect((await rows(hub, 'evidence')).at(-1)).toMatchObject({ outcome: 'failed', exit_code: 1 })
    expect(repo.git('show', 'main:code')).toBe('good\n')
  })
})

test('nothing passes where setup has failed, and its agent is told why', async () => {
  await withSetup('echo no compiler here; test ! -e br*n', async shop => {
    const { hub, path, repo } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    put(path, 'broken', 'x')
    await report(shop)
    await returned(shop)
    expect(await rows(hub, 'evidence')).toMatchObject([
      { merge_id: null, outcome: 'passed' },
      {
        ...{ merge_id: expect.any(String), outcome: 'failed', log_path: null },
        remark: expect.stringMatching(/"kind":"setup-failed".*"exitCode":1.*"last":"no compiler here/),
      },
    ])
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('broken')
    expect(JSON.stringify((await report(shop))['returned'])).toContain('no compiler here')
  })
})

test('a project that is a part of its repository is checked there or nowhere', async () => {
  await inShop({}, async shop => {
    const { hub, repo } = shop
    repo.write('app/code', 'x')
    repo.write('run', 'exit 0\n')
    repo.write('app/run', 'exit 1\n')
    repo.commit()
    const part = { workspace: 'task' as const, accept: 'checks' as const, directory: repo.at('app') }
    await hub.api('project.add', { id: 'prj_app', name: 'app', ...part })
    await hub.api('project.assign', { project_id: 'prj_app', agent_id: 'agt_kim' })
    await hub.api('project.check.add', { project_id: 'prj_app', name: 'test', command: sh('. ./r?n') })
    const folder = await newTask(shop, 'tsk_two', 'prj_app')
    new Repo(folder).git('mv', 'app', 'elsewhere')
    await report(shop, {}, undefined, 'agt_kim', 'prj_app')
    await returned(shop)
    expect(await rows(hub, 'evidence')).toMatchObject([
      { outcome: 'failed', remark: JSON.stringify({ kind: 'no-folder', folder: 'app' }) },
    ])
    symlinkSync('elsewhere', join(folder, 'app'))
    await report(shop, {}, undefined, 'agt_kim', 'prj_app')
    await returned(shop, 2)
    expect((await rows(hub, 'evidence')).at(-1)).toMatchObject({ outcome: 'failed', log_path: null })
  })
})

const HIDING: [name: string, script: string][] = [
  ['skip-worktree', 'echo fixed > README; git update-index --skip-worktree README'],
  ['assume-unchanged', 'echo fixed > README; git update-index --assume-unchanged README'],
  ['info/exclude', 'echo fixed > helper; echo helper >> "$(git rev-parse --git-common-dir)/info/exclude"'],
  [
    'a .gitignore that ignores itself',
    'mkdir -p src; echo fixed > src/helper; printf "helper\\n.gitignore\\n" > src/.gitignore',
  ],
  ['a commit', 'echo fixed > README; git -c user.name=x -c user.email=x@x commit -qam fixed'],
]

test.each(HIDING)('a check that hides its own change is stale: %s', async (_name, script) => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    put(path, 'src/cart', 'x')
    await hub.api('project.check.add', { project_id, name: 'test', command: sh(script) })
    await report(shop)
    await returned(shop)
    expect(await rows(hub, 'evidence')).toMatchObject([{ outcome: 'stale', exit_code: 0 }])
    const { evidence } = await hub.api('task.show', { task_id: 'tsk_cart' })
    expect(evidence[0]?.tail).toMatch(/its result proves nothing: (?:README|helper|src\/\.gitignore)/)
  })
})

test('a cache that ignores itself in a folder of its own is no change', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path } = shop
    put(path, 'cart', 'x')
    const command = sh('mkdir -p .cache; echo x > .cache/x; printf "*\\n" > .cache/.gitignore')
    await hub.api('project.check.add', { project_id, name: 'test', command })
    await report(shop)
    await reached(hub, 'merged')
  })
})
