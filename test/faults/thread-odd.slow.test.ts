// Work that is unlike other work goes the whole way all the same: into the snapshot, the base, and the user's own checkout.
import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Repo, run } from '../git.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { inShop, put, reached, report, rows, type Shop } from '../thread.ts'
import { yard, yardBeside, working } from '../runner.ts'
import { until } from '../until.ts'

const task_id = 'tsk_cart'

type Oddity = {
  /** In the repository, before the work begins. */
  before?: (repo: Repo) => void
  work: (folder: string, shop: Shop) => void
  after: (repo: Repo, shop: Shop) => void
}

const ODDITIES: Record<string, Oddity> = {
  'a symlink out of the tree': {
    work: (folder, { yard: place }) => {
      put(place.home, 'secret', 'mine')
      symlinkSync(join(place.home, 'secret'), join(folder, 'out'))
    },
    after: (repo, { yard: place }) => {
      expect(lstatSync(repo.at('out')).isSymbolicLink()).toBe(true)
      expect(readlinkSync(repo.at('out'))).toBe(join(place.home, 'secret'))
      expect(repo.git('show', 'main:out')).toBe(join(place.home, 'secret'))
    },
  },
  'names that differ in case alone, and Japanese ones with a newline': {
    work: folder => {
      put(folder, 'readme', 'small')
      put(folder, '日本\n語/ファイル', 'x')
    },
    after: repo => {
      expect(readFileSync(repo.at('README'), 'utf8')).toBe('shop\n')
      expect(readFileSync(repo.at('readme'), 'utf8')).toBe('small')
      expect(readFileSync(repo.at('日本\n語/ファイル'), 'utf8')).toBe('x')
    },
  },
  'line endings that git turns over': {
    before: repo => repo.git('config', 'core.autocrlf', 'true'),
    work: folder => put(folder, 'dos.txt', 'one\r\ntwo\r\n'),
    after: repo => {
      expect(repo.git('cat-file', 'blob', 'main:dos.txt')).toBe('one\ntwo\n')
      expect(readFileSync(repo.at('dos.txt'), 'utf8')).toBe('one\r\ntwo\r\n')
    },
  },
  'a file that becomes a folder': {
    work: folder => {
      rmSync(join(folder, 'README'))
      put(folder, 'README/index', 'x')
    },
    after: repo => expect(readFileSync(repo.at('README/index'), 'utf8')).toBe('x'),
  },
  'a folder that was deleted by hand after the review': {
    work: folder => put(folder, 'cart', 'x'),
    after: repo => expect(readFileSync(repo.at('cart'), 'utf8')).toBe('x'),
  },
}

test.each(Object.entries(ODDITIES))(
  '%s is merged, and the checkout is clean',
  async (name, { before, work, after }) => {
    await inShop({}, async shop => {
      const { hub, path, repo } = shop
      before?.(repo)
      work(path, shop)
      await report(shop)
      await reached(hub, 'review')
      if (name.includes('deleted by hand')) rmSync(path, { recursive: true })
      await hub.api('task.verdict', { task_id, decision: 'accept' })
      await reached(hub, 'merged')
      after(repo, shop)
      expect(repo.git('status', '--porcelain')).toBe('')
      await until(async () => (await hub.api('task.show', { task_id })).workspace?.released)
      expect(existsSync(path)).toBe(false)
      expect(eventsOf(await rowsOf(hub, 'events'), 'merge.ended')).toMatchObject([{ outcome: 'merged' }])
    })
  },
)

test('a shallow clone with a submodule: both are as before, and the work is on the base', async () => {
  await inShop({}, async shop => {
    const { hub, repo, yard: place } = shop
    const inner = place.repository('inner')
    inner.write('i', '1')
    inner.commit()
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub')
    repo.commit('with a submodule')
    const clone = new Repo(join(place.home, 'clone'))
    run(place.home, ['clone', '-q', '--depth', '1', `file://${repo.root}`, clone.root])
    const settings = { workspace: 'task', accept: 'report' } as const
    await hub.api('project.add', { id: 'prj_clone', name: 'clone', directory: clone.root, ...settings })
    await hub.api('project.assign', { project_id: 'prj_clone', agent_id: 'agt_kim' })
    const task = { project_id: 'prj_clone', title: 'Deep', assignee_id: 'agt_kim', status: 'in_progress' } as const
    await hub.api('task.add', { id: 'tsk_deep', ...task })
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', shop.passkey, 'prj_clone')
    const { body } = await agent.call('get_my_task', { session_token })
    put((body['task'] as { working_directory: string }).working_directory, 'deep', 'x')
    await agent.call('report_completed', { session_token, result: 'success' })
    await reached(hub, 'merged', 'tsk_deep')
    expect(clone.git('status', '--porcelain')).toBe('')
    expect(clone.git('show', 'main:deep')).toBe('x')
    expect(clone.git('rev-parse', 'main:sub')).toBe(repo.git('rev-parse', 'main:sub'))
    expect(clone.git('rev-parse', '--is-shallow-repository').trim()).toBe('true')
  })
})

test('of two hubs on one database each merges what is in its own folder, once', async () => {
  await using place = await yard({ database: 'postgres' })
  await using beside = await yardBeside(place)
  const repo = new Repo(join(place.hub.home, 'ann'))
  put(repo.root, 'a.txt', 'a')
  repo.git('init', '-q', '-b', 'main')
  repo.commit('base')
  const worker = await place.agent('ann', working('ann', ['shell date +%s%N > "$TORYO_TASK.txt"']))
  await place.hub.api('project.edit', { project_id: worker.projectId, workspace: 'task', accept: 'checks' })
  const check = { name: 'test', command: ['true'] }
  await place.hub.api('project.check.add', { project_id: worker.projectId, ...check })
  // It runs there, too, once a person has looked at it there.
  await beside.hub.api('project.check.trust', { project_id: worker.projectId, seen: [check] })
  const tasks = ['roof', 'door', 'wall']
  for (const id of tasks) await place.task(worker, id)
  for (const id of tasks) await reached(beside.hub, 'merged', id)
  const ended = eventsOf(await rowsOf(place.hub, 'events'), 'merge.ended')
  expect(ended.map(({ outcome }) => outcome)).toEqual(['merged', 'merged', 'merged'])
  expect(repo.git('log', '--first-parent', '--format=%s', 'main').trim().split('\n')).toHaveLength(4)
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(await rows(place.hub, 'merges')).toHaveLength(3)
})
