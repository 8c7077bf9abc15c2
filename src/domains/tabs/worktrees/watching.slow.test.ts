import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { EVENTS_PROTOCOL } from '#contract/limits.ts'
import { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { Yard } from '#test/git.ts'
import { databases, type TestHub, testHub } from '#test/hub.ts'
import { rowsOf } from '#test/scene.ts'
import { until } from '#test/until.ts'

type Said = { type: string; payload: object }

async function reader(hub: TestHub) {
  const { url, token } = hub
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/events`, EVENTS_PROTOCOL, { headers })
  const changes: object[] = []
  let code: number | undefined
  socket.on('message', (data: Buffer) => {
    const said = JSON.parse(data.toString()) as Said
    if (said.type === 'worktree.changed') changes.push(said.payload)
  })
  socket.on('close', closed => (code = closed))
  await new Promise(resolve => socket.once('open', resolve))
  return {
    changes,
    socket,
    watch: (...ids: string[]) => socket.send(JSON.stringify({ watch: ids })),
    code: () => code,
  }
}

async function withWorktree(
  database: (typeof databases)[number],
  story: (at: { hub: TestHub; id: string; write: (name: string, text: string) => void }) => Promise<void>,
) {
  using yard = new Yard()
  const repo = yard.repository('shop')
  repo.write('README', 'shop\n')
  repo.commit()
  await using hub = await testHub({ database })
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  const { worktree_id: id, path: folder } = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'b' })
  await story({ hub, id, write: (name, text) => writeFileSync(path.join(folder, name), text) })
}

test.each(databases)(
  'two who watch hear of a change from one look, and the log keeps none of it (%s)',
  async database => {
    await withWorktree(database, async ({ hub, id, write }) => {
      const { watching } = hub.running.hub
      const [one, two] = [await reader(hub), await reader(hub)]
      const before = (await rowsOf(hub)).length
      one.watch(id)
      two.watch(id)
      await until(() => one.changes.length > 0 && two.changes.length > 0)
      expect(one.changes).toEqual([{ worktreeId: id, files: 0, added: 0, removed: 0 }])
      expect(watching.size).toBe(1)
      write('README', 'shop\nopen\n')
      await until(() => one.changes.length > 1 && two.changes.length > 1)
      expect(one.changes[1]).toEqual({ worktreeId: id, files: 1, added: 1, removed: 0 })
      expect(two.changes).toEqual(one.changes)
      expect((await rowsOf(hub)).length).toBe(before)
      // It watches something else from now on; the other still watches.
      one.watch()
      write('new.txt', 'a\nb\n')
      await until(() => two.changes.length > 2)
      expect(two.changes[2]).toEqual({ worktreeId: id, files: 2, added: 3, removed: 0 })
      expect(one.changes).toHaveLength(2)
      two.socket.terminate()
      await until(() => watching.size === 0)
    })
  },
)

test('git does not run when the last client is gone, and a removed worktree is not looked at any more', async () => {
  await withWorktree('sqlite', async ({ hub, id, write }) => {
    const { watching } = hub.running.hub
    const client = await reader(hub)
    const runs = vi.spyOn(Git.prototype, 'run')
    try {
      client.watch(id)
      await until(() => client.changes.length > 0)
      const looks = runs.mock.calls.length
      expect(looks).toBeGreaterThan(0)
      await until(() => runs.mock.calls.length > looks)
      client.watch()
      await until(() => watching.size === 0)
      runs.mockClear()
      write('README', 'nobody sees it\n')
      // A second client hears of it: from its own first look, the only one since.
      const later = await reader(hub)
      expect(runs.mock.calls).toEqual([])
      later.watch(id)
      await until(() => later.changes.length > 0)
      expect(later.changes).toEqual([{ worktreeId: id, files: 1, added: 1, removed: 1 }])
      await hub.api('worktree.remove', { worktree_id: id, force: true })
      await until(() => watching.size === 0)
    } finally {
      runs.mockRestore()
    }
  })
})

test('a repository that git cannot read for a moment is watched on', async () => {
  await withWorktree('sqlite', async ({ hub, id, write }) => {
    const client = await reader(hub)
    client.watch(id)
    await until(() => client.changes.length > 0)
    const run = Object.getOwnPropertyDescriptor(Git.prototype, 'run')?.value as Git['run']
    let refused = 0
    const runs = vi.spyOn(Git.prototype, 'run').mockImplementation(async function (this: Git, ...args) {
      if (!args[0].includes('diff-index')) return run.apply(this, args)
      refused++
      throw new GitError('damaged', 'a commit of the base cannot be read')
    })
    try {
      write('README', 'shop\nopen\n')
      await until(() => refused > 0)
    } finally {
      runs.mockRestore()
    }
    await until(() => client.changes.length > 1)
    expect(client.changes[1]).toEqual({ worktreeId: id, files: 1, added: 1, removed: 0 })
  })
})

test('a message that is not a list of worktrees closes the line, and a worktree that is not there does not', async () => {
  await withWorktree('sqlite', async ({ hub, id }) => {
    for (const text of ['x', '{}', JSON.stringify({ watch: [id], more: 1 }), JSON.stringify({ watch: 'all' })]) {
      const client = await reader(hub)
      client.socket.send(text)
      await until(() => client.code() !== undefined)
      expect(client.code(), text).toBe(1007)
    }
    const client = await reader(hub)
    // One that is not there ends at once, and the line stays.
    client.watch('wt_gone', id)
    await until(() => client.changes.length > 0)
    await until(() => hub.running.hub.watching.size === 1)
    expect(client.code()).toBeUndefined()
  })
})
