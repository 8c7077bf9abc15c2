// It replaces modules, and so needs a worker of its own: only slow files have one.
import { expect, test, vi } from 'vitest'
import type { Pull } from './pull-model.ts'
import { PullWatch } from './pull-watch.ts'

const open = vi.hoisted(() =>
  ['unreadable', 'refused', 'good'].map(name => ({
    ...{ id: `pul_${name}`, taskId: `tsk_${name}`, repository: `/${name}`, baseRef: 'refs/heads/main' },
    ...{ remote: 'origin', commit: 'c'.repeat(40), endedAt: null },
  })),
)

vi.mock('./pull-store.ts', () => ({
  PullStore: class {
    listOpen = async () => open
    find = async (id: string) => open.find(pull => pull.id === id)
  },
}))
vi.mock('#kernel/git/base.ts', () => ({
  tipOf: async (_git: unknown, { commonDir }: { commonDir: string }) => {
    // As the file system says it, and not git.
    if (commonDir === '/unreadable') throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    return 'd'.repeat(40)
  },
}))

test('a pull request that cannot be looked at or ended is logged, and the others are looked at', async () => {
  const warned: unknown[] = []
  const ended: string[] = []
  let now = 0
  const end = async (taskId: Pull['taskId']) => {
    if (taskId.endsWith('refused')) throw new Error('refused')
    ended.push(taskId)
  }
  const watch = new PullWatch({
    database: { tx: (verb: (tx: unknown) => unknown) => verb({}) },
    pulls: () => ({ end }),
    home: async () => 'here',
    git: { run: async () => ({ code: 0 }) },
    clock: { monotonic: () => now },
    log: { warn: ({ pull }: { pull: string }) => warned.push(pull) },
    hub: {},
  } as unknown as ConstructorParameters<typeof PullWatch>[0])
  await watch.step()
  expect(ended).toEqual(['tsk_good'])
  expect(warned).toEqual(['pul_unreadable', 'pul_refused'])
  // Later and later, however often it is asked to look.
  for (; now < 3_600_000; now += 1000) await watch.step()
  expect(warned.length).toBeLessThan(40)
})
