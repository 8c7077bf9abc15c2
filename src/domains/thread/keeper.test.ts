import { expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { type KeeperDeps, ThreadKeeper } from './keeper.ts'

/** A look that ends when the test says so. */
function looks() {
  const ends: (() => void)[] = []
  const step = () => new Promise<boolean>(resolve => ends.push(() => resolve(false)))
  return { ends, step }
}

const turn = () => new Promise(resolve => setTimeout(resolve, 5))

test('a wake-up while the queue and the reviews are looked at is not lost, and they are looked at no more than that', async () => {
  const merging = looks()
  const reviewing = looks()
  const keeper = new ThreadKeeper({
    events: { subscribe: () => () => {} },
    clock: { monotonic: () => 0 },
    log: { warn: (error: unknown) => expect.fail(String(error)) },
    worktrees: { home: async () => undefined },
    read: { snapshots: { listUnsettled: async () => [] } },
    radar: { wake: () => {}, dispose: async () => {} },
    merging: { ...merging, recover: async () => {}, dispose: async () => {} },
    pulls: { step: async () => {} },
    retiring: { step: async () => {} },
    reviewing,
  } as unknown as KeeperDeps)
  keeper.start()
  await turn()
  const seen = () => [merging.ends.length, reviewing.ends.length]
  expect(seen()).toEqual([1, 1])
  keeper.wake()
  await turn()
  keeper.wake()
  await turn()
  merging.ends[0]?.()
  reviewing.ends[0]?.()
  await turn()
  expect(seen()).toEqual([2, 2])
  merging.ends[1]?.()
  reviewing.ends[1]?.()
  await turn()
  expect(seen()).toEqual([2, 2])
  await keeper.dispose()
})

test('work that is over is put away although pull requests could not be looked at', async () => {
  const warned: unknown[] = []
  let retired = 0
  const keeper = new ThreadKeeper({
    events: { subscribe: () => () => {} },
    clock: { monotonic: () => 0 },
    log: { warn: (fields: unknown) => warned.push(fields) },
    worktrees: { home: async () => undefined },
    read: { snapshots: { listUnsettled: async () => [] } },
    radar: { wake: () => {}, dispose: async () => {} },
    merging: { step: async () => false, recover: async () => {}, dispose: async () => {} },
    pulls: { step: () => Promise.reject(new Error('no pulls')) },
    retiring: { step: async () => void (retired += 1) },
    reviewing: { step: async () => false },
  } as unknown as KeeperDeps)
  keeper.start()
  await until(() => warned.length > 0)
  await keeper.dispose()
  expect(retired).toBe(1)
  expect(warned).toEqual([{ err: new Error('no pulls') }])
})

test('a report whose agent still runs is not asked about again and again while another report is taken', async () => {
  let opened: (error: Error) => void = () => {}
  let asked = 0
  const task = { id: 'tsk', status: 'done', facts: { reportedAt: 1, acceptedAt: null, verifiedAt: null } }
  const common = { worktreeId: 'wkt', taskId: 'tsk', projectId: 'prj', runId: 'run', tree: 'tree' }
  const snapshots = [
    { ...common, id: 'snp_taken_now', takenAt: null },
    { ...common, id: 'snp_waits', takenAt: 1 },
  ]
  const keeper = new ThreadKeeper({
    events: { subscribe: () => () => {} },
    clock: { monotonic: () => 0 },
    log: { warn: () => {} },
    worktrees: {
      home: async () => 'here',
      homeOf: async () => 'here',
      open: () => new Promise((_, reject) => (opened = reject)),
    },
    tasks: { find: async () => task },
    projects: { get: async () => ({ accept: 'person' }) },
    runs: {
      isRunning: () => {
        asked += 1
        return new Promise(resolve => setImmediate(resolve, true))
      },
    },
    read: {
      snapshots: { listUnsettled: async () => snapshots, current: async () => ({ id: 'snp_waits' }) },
      evidence: { listOpen: async () => [] },
    },
    radar: { wake: () => {}, dispose: async () => {} },
    merging: { step: async () => false, recover: async () => {}, dispose: async () => {} },
    pulls: { step: async () => {} },
    retiring: { step: async () => {} },
    reviewing: { step: async () => false },
  } as unknown as KeeperDeps)
  keeper.start()
  await turn()
  await turn()
  expect(asked).toBe(1)
  opened(new Error('the test is over'))
  await keeper.dispose()
})
