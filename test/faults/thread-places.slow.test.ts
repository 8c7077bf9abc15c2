// What people and other programs do to the places of a task's work while the hub is at it: its disk, its files, its branch, its base.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { scriptedConfig } from '../crews.ts'
import { Repo } from '../git.ts'
import { testHub } from '../hub.ts'
import { build } from '../processes.ts'
import { yard, working } from '../runner.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { inShop, newTask, put, reached, report, rows } from '../thread.ts'
import { until } from '../until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'
const sh = (line: string) => ['sh', '-c', line]
const branch = 'toryo/shop-1-build-the-cart'

/** A small disk of its own; undefined where we may not mount one. */
function smallDisk(folder: string): { full(): void; [Symbol.dispose](): void } | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  return {
    full: () => {
      for (;;)
        try {
          writeFileSync(join(folder, 'ballast'), Buffer.alloc(4096), { flag: 'a' })
        } catch {
          return // It is full now.
        }
    },
    [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]),
  }
}

test('a disk that is full, or fills up, while a check writes its log: the check counts, with the end of what it wrote', async context => {
  await inShop({}, async shop => {
    const { hub, path, target } = shop
    using disk = smallDisk(join(target.logDirectory, 'checks'))
    if (!disk) {
      console.warn('NOT TESTED HERE: a full disk needs the right to mount one (root)')
      context.skip()
      return
    }
    const flood = sh(
      'i=0; while [ $i -lt 9000 ]; do echo "line $i of what a check says"; i=$((i+1)); done; echo "1 failed"; exit 3',
    )
    await hub.api('project.check.add', { project_id, name: 'flood', command: flood, optional: true })
    await hub.api('project.check.add', { project_id, name: 'test', command: sh('echo fine') })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    const byName = async () => new Map((await rows(hub, 'evidence')).map(row => [row['name'], row]))
    const flooded = (await byName()).get('flood')
    expect(flooded).toMatchObject({ outcome: 'failed', exit_code: 3, process: null })
    expect(String(flooded?.['tail'])).toMatch(/1 failed$/)
    expect((await byName()).get('test')).toMatchObject({ outcome: 'passed', tail: 'fine' })
    disk.full()
    await hub.api('project.check.add', { project_id, name: 'late', command: sh('echo late') })
    await until(async () => (await byName()).get('late')?.['ended_at'])
    expect((await byName()).get('late')).toMatchObject({ outcome: 'passed', tail: 'late' })
    expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
  })
})

test('an agent that goes on writing after its report: what is checked and merged is what it left in the end', async () => {
  await using place = await yard()
  const repo = new Repo(join(place.hub.home, 'ann'))
  put(repo.root, 'a.txt', 'a')
  repo.git('init', '-q', '-b', 'main')
  repo.commit('base')
  // Until the Runner stops it, some time after it signed out.
  const after = 'shell i=0; while :; do i=$((i+1)); echo $i > late.txt; sleep 0.02; done'
  const worker = await place.agent('ann', [...working('ann', ['write early.txt early']), after])
  await place.hub.api('project.edit', { project_id: worker.projectId, workspace: 'task', accept: 'person' })
  await place.hub.api('project.check.add', { project_id: worker.projectId, name: 'test', command: sh('cat late.txt') })
  await place.task(worker, 'roof')
  const { snapshots, workspace } = await reached(place.hub, 'review', 'roof')
  const left = readFileSync(join(workspace?.path ?? '', 'late.txt'), 'utf8')
  expect(repo.git('show', `${snapshots[0]?.commit}:late.txt`)).toBe(left)
  // No check ran beside the agent.
  const [evidence, ...more] = await rows(place.hub, 'evidence')
  expect(more).toEqual([])
  expect(evidence).toMatchObject({ outcome: 'passed', tree: snapshots[0]?.tree, tail: left.trim() })
  const [instance] = await rows(place.hub, 'instances')
  expect(Number(evidence?.['started_at'])).toBeGreaterThanOrEqual(Number(instance?.['ended_at']))
  await place.hub.api('task.verdict', { task_id: 'roof', decision: 'accept', commit: snapshots[0]?.commit ?? '' })
  await reached(place.hub, 'merged', 'roof')
  expect(repo.git('show', 'main:late.txt')).toBe(left)
})

test('of two people at two hubs on one database one gives the verdict, and the other hears that it was given', async () => {
  await inShop({ database: 'postgres' }, async shop => {
    const { hub, path, target, yard: place } = shop
    const home = join(place.home, 'beside')
    mkdirSync(home)
    await using beside = await testHub({ target: locate(target.db, { env: { HOME: home, TORYO_HOME: home } }) })
    for (let count = 1; count <= 4; count++) {
      put(path, 'cart', `try ${count}`)
      await report(shop)
      await reached(hub, 'review')
      const say = (at: typeof hub, summary: string) => at.api('task.verdict', { task_id, decision: 'changes', summary })
      const said = await Promise.allSettled([say(hub, 'here'), say(beside, 'there'), say(hub, 'again')])
      expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const one of said) if (one.status === 'rejected') expect(String(one.reason)).toContain('NOTHING_TO_REVIEW')
      expect(await rows(hub, 'verdicts')).toHaveLength(count)
      expect(eventsOf(await rowsOf(hub, 'events'), 'task.returned')).toHaveLength(count)
    }
    put(path, 'cart', 'last')
    await report(shop)
    const commit = (await reached(hub, 'review')).snapshots[0]?.commit ?? ''
    const accept = (at: typeof hub) => at.api('task.verdict', { task_id, decision: 'accept', commit })
    await Promise.allSettled([accept(hub), accept(beside)])
    await reached(beside, 'merged')
    expect((await rows(hub, 'verdicts')).at(-1)).toMatchObject({ decision: 'accept', commit_id: commit })
    expect((await rows(hub, 'merges')).filter(row => row['outcome'] === 'merged')).toHaveLength(1)
  })
})

test('a review that both hubs on one database ask for is one review, and one run', async () => {
  build()
  const usual = { config: scriptedConfig(), engineEnv: { PATH: process.env['PATH'] } }
  await inShop({ ...usual, database: 'postgres' }, async shop => {
    const { hub, path, target, yard: place } = shop
    const home = join(place.home, 'beside')
    mkdirSync(home)
    const other = locate(target.db, { env: { HOME: home, TORYO_HOME: home } })
    await using beside = await testHub({ ...usual, target: other })
    const accept = JSON.stringify({ decision: 'accept', summary: 'Read it all' })
    const system_prompt = `!call submit_review ${accept}`
    await hub.api('agent.add', { id: 'agt_rei', name: 'Rei', engine: 'scripted', system_prompt })
    await hub.api('project.assign', { project_id, agent_id: 'agt_rei' })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    const ask = (at: typeof hub) => at.api('task.review.ask', { task_id, agent_id: 'agt_rei' })
    const asked = await Promise.allSettled([ask(hub), ask(beside), ask(hub), ask(beside)])
    expect(asked.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    await reached(beside, 'merged')
    expect(await rows(hub, 'reviews')).toHaveLength(1)
    expect((await rows(hub, 'runs')).filter(row => row['work'] === 'review')).toHaveLength(1)
    expect(eventsOf(await rowsOf(hub, 'events'), 'review.started')).toHaveLength(1)
    expect(await rows(hub, 'verdicts')).toHaveLength(1)
  })
})

test('a task’s branch that a person has checked out is theirs: the merge leaves it alone, a start says where it is', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo, yard: place } = shop
    const elsewhere = new Repo(join(place.home, 'by-hand'))
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    repo.git('worktree', 'add', '-q', '--force', elsewhere.root, branch)
    elsewhere.write('unsaved', 'mine')
    const before = repo.git('rev-parse', branch)
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    await until(async () => (await hub.api('task.show', { task_id })).workspace?.released)
    expect(readFileSync(elsewhere.at('unsaved'), 'utf8')).toBe('mine')
    expect(elsewhere.git('symbolic-ref', '--short', 'HEAD').trim()).toBe(branch)
    expect(repo.git('rev-parse', branch)).toBe(before)
    expect(elsewhere.git('status', '--porcelain').trim()).toBe('?? unsaved')
    // Opened again: its branch is not taken out of their hands.
    await hub.api('task.move', { task_id, status: 'in_progress' })
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', shop.passkey, project_id)
    const { body } = await agent.call('get_my_task', { session_token })
    expect(body).toMatchObject({ code: 'BRANCH_CHECKED_OUT', error: expect.stringContaining(elsewhere.root) })
    expect(readFileSync(elsewhere.at('unsaved'), 'utf8')).toBe('mine')
    repo.git('worktree', 'remove', '--force', elsewhere.root)
    const again = await agent.call('get_my_task', { session_token })
    const task = again.body['task'] as { working_directory: string }
    expect(readFileSync(join(task.working_directory, 'cart'), 'utf8')).toBe('x')
  })
})

test('a base that is checked out in a second worktree, or in two, comes along in each of them, or nowhere', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo, yard: place } = shop
    const second = new Repo(join(place.home, 'second'))
    repo.git('checkout', '-q', '-b', 'own')
    repo.git('worktree', 'add', '-q', second.root, 'main')
    const accepted = async (id: string, folder: string, text: string) => {
      put(folder, 'cart', text)
      await report(shop)
      await reached(hub, 'review', id)
      await hub.api('task.verdict', { task_id: id, decision: 'accept' })
    }
    await accepted(task_id, path, 'one')
    await reached(hub, 'merged')
    expect(readFileSync(second.at('cart'), 'utf8')).toBe('one')
    expect(second.git('status', '--porcelain')).toBe('')
    expect(existsSync(repo.at('cart'))).toBe(false)
    repo.git('checkout', '-q', '--ignore-other-worktrees', 'main')
    second.write('cart', 'unsaved')
    await accepted('tsk_two', await newTask(shop, 'tsk_two'), 'two')
    const waits = await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
    expect(waits).toContain(second.root)
    // Half of it would be worse than none.
    expect(readFileSync(repo.at('cart'), 'utf8')).toBe('one')
    expect(repo.git('status', '--porcelain')).toBe('')
    second.git('checkout', '-q', '--', 'cart')
    await hub.api('task.merge', { task_id: 'tsk_two' })
    await reached(hub, 'merged', 'tsk_two')
    for (const one of [repo, second]) {
      expect(readFileSync(one.at('cart'), 'utf8')).toBe('two')
      expect(one.git('status', '--porcelain')).toBe('')
    }
    rmSync(second.root, { recursive: true })
  })
})
