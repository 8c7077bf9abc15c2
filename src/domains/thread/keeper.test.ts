import { expect, test } from 'vitest'
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
    log: { warn: (error: unknown) => expect.fail(String(error)) },
    worktrees: { home: async () => undefined },
    read: { snapshots: { listUnsettled: async () => [] } },
    radar: { wake: () => {}, dispose: async () => {} },
    merging: { ...merging, recover: async () => {}, dispose: async () => {} },
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
