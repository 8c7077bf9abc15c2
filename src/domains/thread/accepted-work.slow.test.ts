// What is merged is what was accepted, checked as its own project says, and nothing that goes wrong there holds up others.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Repo, type Yard } from '#test/git.ts'
import { databases, testHub } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, newTask, put, reached, report, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

test.each(databases)('what an agent left behind after its report is not merged with it (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path, repo, passkey } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
    put(path, 'cart', 'reviewed')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', passkey, project_id)
    await agent.call('get_my_task', { session_token })
    put(path, 'cart', 'not reviewed')
    put(path, 'left', 'x')
    await agent.call('logout', { session_token })
    await until(async () => {
      const taken = await rows(hub, 'snapshots')
      return taken.length === 2 && taken.every(one => one['taken_at'] !== null)
    })
    await hub.api('task.move', { task_id, status: 'blocked' })
    await hub.api('project.check.remove', { project_id, name: 'test' })
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('reviewed')
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('left')
    const [verdict] = await rows(hub, 'verdicts')
    expect((await rows(hub, 'merges')).map(one => one['snapshot_id'])).toEqual([verdict?.['snapshot_id']])
  })
})

test.each(databases)('a name that is not UTF-8 is shown in one form, and merged byte for byte (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path, repo } = shop
    const at = (root: string, name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')])
    writeFileSync(at(path, 'caf\xe9'), 'one\n')
    mkdirSync(at(path, '\xff'))
    writeFileSync(at(path, '\xff/.env'), 'x\n')
    await report(shop)
    await reached(hub, 'review')
    const review = await hub.api('task.review', { task_id })
    expect(review.files?.map(file => file.path)).toEqual(['caf\\xe9'])
    expect(review.diff).toContain('diff --git a/caf\\xe9 b/caf\\xe9')
    expect(review.snapshot?.held).toEqual([{ path: '\\xff/.env', why: 'secret', bytes: 2 }])
    expect((await hub.api('task.diff', { task_id, path: 'caf\\xe9' })).diff).toBe(review.diff)
    await hub.api('task.comment', { task_id, path: 'caf\\xe9', from_line: 1, text: 'why?' })
    expect((await hub.api('task.comments', { task_id })).comments[0]?.path).toBe('caf\\xe9')
    await hub.api('task.include', { task_id, paths: ['\\xff/.env'] })
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    expect(readFileSync(at(repo.root, 'caf\xe9'), 'utf8')).toBe('one\n')
    expect(readFileSync(at(repo.root, '\xff/.env'), 'utf8')).toBe('x\n')
    expect(repo.git('status', '--porcelain')).toBe('')
  })
})

const rewound: [string, (repo: Repo) => void][] = [
  ['rewound', repo => void repo.git('reset', '-q', '--hard', 'HEAD~1')],
  [
    'amended',
    repo => {
      repo.git('rm', '-q', 'secret')
      repo.git('commit', '-q', '--amend', '-m', 'without it')
    },
  ],
]

test.each(databases.flatMap(database => rewound.map(([how, act]) => [how, database, act] as const)))(
  'what was dropped from a base that is %s does not come back with accepted work (%s)',
  async (_, database, act) => {
    await inShop({ database, settings: { accept: 'checks' } }, async shop => {
      const { hub, repo } = shop
      await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
      repo.write('secret', 'x')
      repo.write('kept', 'x')
      repo.commit('with a secret')
      await hub.api('task.move', { task_id, status: 'todo' })
      const wish = { task_id: 'tsk_till' }
      put(await newTask(shop, wish.task_id), 'till', 'x')
      // In the way: it waits in the queue.
      repo.write('till', 'mine')
      await report(shop)
      await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
      const reviewed = await hub.api('task.review', wish)
      act(repo)
      repo.git('clean', '-qf')
      const main = repo.git('rev-parse', 'main')
      await hub.api('task.merge', wish)
      const task = await reached(hub, 'blocked', wish.task_id)
      expect(task.blocked_reason).toContain('main does not have the commit')
      expect((await hub.api('inbox.list', {})).items).toContainEqual(expect.objectContaining(wish))
      // What would be merged now, for a person: no check of the project lets it in by itself.
      const review = await until(async () => {
        const seen = await hub.api('task.review', wish)
        return seen.snapshot?.taken && seen
      })
      expect(review.snapshot?.commit).not.toBe(reviewed.snapshot?.commit)
      expect(reviewed.files?.map(({ path }) => path)).toEqual(['till'])
      expect(review.files?.map(({ path }) => path)).toContain('secret')
      expect(repo.git('rev-parse', 'main')).toBe(main)
      expect(await hub.api('merge.list', {})).toMatchObject({ merges: [] })
      // The page that was open before.
      const seen = { ...wish, commit: reviewed.snapshot?.commit ?? '' }
      await expect(hub.api('task.verdict', { ...seen, decision: 'accept' })).rejects.toThrow('REVIEW_OUTDATED')
      await hub.api('task.verdict', { ...wish, commit: review.snapshot?.commit ?? '', decision: 'accept' })
      await reached(hub, 'merged', wish.task_id)
    })
  },
)

/** Another project of the same agent, and reported work there. */
async function workElsewhere(
  { hub, passkey }: Shop,
  id: string,
  directory: string,
  file: string,
  check?: string[],
  base?: string,
) {
  await hub.api('project.add', {
    id,
    name: id,
    directory,
    workspace: 'task',
    accept: check ? 'checks' : 'report',
    base,
  })
  await hub.api('project.assign', { project_id: id, agent_id: 'agt_kim' })
  if (check) await hub.api('project.check.add', { project_id: id, name: 'test', command: check })
  const task = { id: `tsk_${id.slice(4)}`, project_id: id, title: 'There', assignee_id: 'agt_kim' }
  await hub.api('task.add', { ...task, status: 'in_progress' })
  const agent = await hub.connect()
  const session_token = await agent.signIn('agt_kim', passkey, id)
  await agent.call('get_my_task', { session_token })
  put((await hub.api('task.show', { task_id: task.id })).workspace?.path ?? '', file, 'x')
  await agent.call('report_completed', { session_token, result: 'success' })
}

const ELSEWHERE: [string, (yard: Yard) => string][] = [
  [
    'a submodule',
    yard => {
      const sub = new Repo(yard.repositoryWithSubmodule().at('sub'))
      sub.git('checkout', '-q', '-B', 'main')
      return sub.root
    },
  ],
  ['a separate git folder', yard => separate(yard, 'store')],
  ['a separate git folder of the usual name', yard => separate(yard, 'store/.git')],
]

function separate(yard: Yard, name: string): string {
  const repo = new Repo(`${yard.home}/apart`)
  mkdirSync(`${yard.home}/store`)
  mkdirSync(repo.root)
  repo.git('init', '-q', '-b', 'main', `--separate-git-dir=${yard.home}/${name}`)
  repo.write('README', 'apart')
  repo.commit()
  return repo.root
}

test.each(ELSEWHERE)(
  'work on a repository whose git folder lies elsewhere is merged into its checkout: %s',
  async (_, make) => {
    await inShop({}, async shop => {
      const directory = make(shop.yard)
      const repo = new Repo(directory)
      repo.write('new', 'mine')
      await workElsewhere(shop, 'prj_other', directory, 'new')
      const waits = await until(async () => (await shop.hub.api('merge.list', {})).merges[0]?.waits)
      expect(waits).toContain(`main is checked out in ${directory}, where these files`)
      rmSync(repo.at('new'))
      await shop.hub.api('task.merge', { task_id: 'tsk_other' })
      await reached(shop.hub, 'merged', 'tsk_other')
      expect(readFileSync(repo.at('new'), 'utf8')).toBe('x')
      expect(repo.git('status', '--porcelain')).toBe('')
    })
  },
)

test('a base whose folder no setting and no project names is waited for, until somebody says where it is', async () => {
  await inShop({}, async shop => {
    const main = new Repo(separate(shop.yard, 'store'))
    const linked = new Repo(`${shop.yard.home}/linked`)
    main.git('worktree', 'add', '-q', '--detach', linked.root)
    await workElsewhere(shop, 'prj_other', linked.root, 'new', undefined, 'main')
    const waits = await until(async () => (await shop.hub.api('merge.list', {})).merges[0]?.waits)
    const [said] = /git --git-dir=\S+ config core.worktree/.exec(waits ?? '') ?? []
    expect(said).toBe(`git --git-dir=${shop.yard.home}/store config core.worktree`)
    main.git('config', 'core.worktree', main.root)
    await shop.hub.api('task.merge', { task_id: 'tsk_other' })
    await reached(shop.hub, 'merged', 'tsk_other')
    expect(readFileSync(main.at('new'), 'utf8')).toBe('x')
    expect(main.git('status', '--porcelain')).toBe('')
  })
})

test('an entry that cannot go on says why in both languages, and other queues go on', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo, yard } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    const elsewhere = `${yard.home}/elsewhere`
    const [own] = await rows(hub, 'worktrees')
    const place = hash('sha256', String(own?.['home'])).slice(0, 6)
    repo.git('worktree', 'add', '-q', '-b', `toryo/integration-shop-main-${place}`, elsewhere)
    repo.write('by-a-person', 'x')
    repo.commit()
    put(path, 'cart', 'x')
    await report(shop)
    const waits = await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
    expect(waits).toContain(elsewhere)
    const [row] = await rows(hub, 'merges')
    expect(JSON.parse(String(row?.['waits']))).toMatchObject({
      kind: 'refused',
      why: { ja: expect.stringContaining(elsewhere) },
    })
    const other = yard.repository('other')
    other.write('README', 'other\n')
    other.commit()
    await workElsewhere(shop, 'prj_other', other.root, 'new')
    await reached(hub, 'merged', 'tsk_other')
    repo.git('worktree', 'remove', '--force', elsewhere)
    await hub.api('task.merge', { task_id })
    await reached(hub, 'merged')
  })
})

test('files that setup leaves in the tree do not keep merged work from being checked', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    repo.write('.toryo/config.json', '{ "worktrees": { "setup": ["touch", "left-over"] } }')
    repo.commit()
    await hub.api('worktree.setup.trust', { project_id })
    await hub.api('project.check.add', { project_id, name: 'test', command: ['ls'] })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'merged')
    expect((await rows(hub, 'evidence')).at(-1)).toMatchObject({
      outcome: 'passed',
      tail: expect.stringMatching(/left-over/),
    })
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('left-over')
  })
})

test('merged files are checked in the folder of their own project', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    for (const part of ['a', 'b']) repo.write(`${part}/keep`, part)
    repo.commit()
    await hub.api('project.check.add', { project_id, name: 'test', command: ['pwd'] })
    put(path, 'one', '1')
    await report(shop)
    await reached(hub, 'merged')
    repo.write('by-a-person', 'x')
    repo.commit()
    await workElsewhere(shop, 'prj_b', `${repo.root}/b`, 'b/new', ['sh', '-c', 'pwd; test -e keep'])
    await reached(hub, 'merged', 'tsk_b')
    const last = (await rows(hub, 'evidence')).filter(one => one['project_id'] === 'prj_b').at(-1)
    expect(last).toMatchObject({ outcome: 'passed', tail: expect.stringMatching(/\/b$/) })
  })
})

test('a required check that is added while work waits to be merged is run on it', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    put(path, 'README', 'changed')
    await report(shop)
    await reached(hub, 'review')
    repo.write('README', 'unsaved by a person')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
    await hub.api('project.check.add', { project_id, name: 'must', command: ['false'] })
    repo.git('checkout', '-q', 'README')
    await hub.api('task.merge', { task_id }).catch(() => {})
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    expect(repo.git('show', 'main:README')).toBe('shop\n')
  })
})

test('merged work that is opened again keeps its new workspace, and is merged again', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    put(path, 'cart', 'one')
    await report(shop)
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    await until(async () => (await rows(hub, 'workspaces'))[0]?.['released_at'])
    await hub.api('task.move', { task_id, status: 'in_progress' })
    await report(shop, {}, async () => {
      const where = (await hub.api('task.show', { task_id })).workspace?.path ?? ''
      put(where, 'cart', 'two')
      // Time enough for the keeper to look.
      await sleep(1500)
      expect(existsSync(where)).toBe(true)
    })
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('two')
  })
})

test('the workspaces of cancelled work and of work without a change go to the trash', async () => {
  await inShop({ settings: { accept: 'report' } }, async shop => {
    const { hub } = shop
    await report(shop)
    await newTask(shop, 'tsk_two')
    await hub.api('task.move', { task_id: 'tsk_two', status: 'cancelled' })
    await until(async () => (await rows(hub, 'workspaces')).every(one => one['released_at'] !== null))
    expect((await hub.api('task.show', { task_id })).stage).toBe('done')
  })
})

test('a history that a graft makes up does not bring back what was taken out of the base', async () => {
  await inShop({}, async shop => {
    const { hub, repo } = shop
    repo.write('dropped', 'a secret\n')
    const dropped = repo.commit('dropped')
    await hub.api('task.move', { task_id, status: 'cancelled' })
    const folder = await newTask(shop, 'tsk_two')
    put(folder, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review', 'tsk_two')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    const tip = repo.git('rev-parse', 'HEAD').trim()
    mkdirSync(repo.at('.git/info'), { recursive: true })
    writeFileSync(repo.at('.git/info/grafts'), `${tip} ${dropped}\n`)
    await hub.api('task.verdict', { task_id: 'tsk_two', decision: 'accept' })
    const { blocked_reason } = await reached(hub, 'blocked', 'tsk_two')
    expect(blocked_reason).toContain(`does not have the commit ${dropped.slice(0, 9)}`)
    expect(repo.git('rev-parse', 'main').trim()).toBe(tip)
  })
})

test.each(databases)('accepted work that waits for its merge is not done after an import (%s)', async database => {
  await inShop({}, async ({ hub, path, repo, ...shop }) => {
    repo.write('README', 'unsaved\n')
    put(path, 'README', 'cart\n')
    await report({ hub, ...shop })
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await until(async () => (await rows(hub, 'merges'))[0]?.['waits'])
    const body = await (await hub.fetch('/api/export')).text()
    await using other = await testHub({ database })
    expect((await other.fetch('/api/import', { method: 'POST', body })).ok).toBe(true)
    const { stage, blocked_reason } = await other.api('task.show', { task_id })
    expect([stage, blocked_reason]).toEqual(['blocked', expect.stringContaining('accepted and not merged yet')])
    const headers = { 'accept-language': 'ja' }
    const inJapanese = await other.fetch('/api/task.show', {
      method: 'POST',
      body: JSON.stringify({ task_id }),
      headers,
    })
    expect(await inJapanese.json()).toMatchObject({ blocked_reason: expect.stringContaining('承認済み・未マージ') })
    await other.api('task.verdict', { task_id, decision: 'accept' })
    expect((await other.api('task.show', { task_id })).stage).toBe('queued')
  })
})
