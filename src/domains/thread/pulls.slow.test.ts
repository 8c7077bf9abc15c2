// Pull requests instead of the queue: what the hub writes down, and what it does not do meanwhile.
import { expect, test } from 'vitest'
import { databases, type TestHub } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, put, reached, report, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const task_id = 'tsk_cart'
const url = 'https://example.org/shop/pull/1'
const planOf = async (hub: TestHub) => (await hub.api('task.pr', { task_id })).plan
const show = (hub: TestHub) => hub.api('task.show', { task_id })

/** Reported, and with a person for a verdict. */
async function reviewed(shop: Shop, text = 'x'): Promise<string> {
  put(shop.path, 'cart', text)
  await report(shop)
  return (await reached(shop.hub, 'review')).snapshots[0]?.commit ?? ''
}

/** The base is dirty, so that what is accepted stays in the queue. */
function holdQueue({ repo }: Shop): void {
  repo.write('cart', 'in the way')
}

test.each(databases)('an open pull request keeps accepted work out of the queue (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, repo } = shop
    const commit = await reviewed(shop)
    holdQueue(shop)
    await hub.api('task.verdict', { task_id, decision: 'accept', commit })
    await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
    const plan = await planOf(hub)
    expect(plan).toMatchObject({ commit, base: 'main', title: 'Build the cart', accepts: false, earlier: [] })
    expect(plan.body).toBe('Done\n\nToryo-Task: shop-1')
    expect(repo.git('show', `${plan.commit}:cart`)).toBe('x')
    await expect(hub.api('task.pr.begin', { task_id, commit: 'abcdef0', remote: 'origin' })).rejects.toThrow(
      'REVIEW_OUTDATED',
    )
    await expect(hub.api('task.pr.end', { task_id, outcome: 'merged' })).rejects.toThrow('NO_PULL')
    expect(await hub.api('task.pr.begin', { task_id, commit, remote: 'origin' })).toMatchObject({
      stage: 'queued',
      pull: { state: 'begun', url: null },
    })
    expect((await hub.api('merge.list', {})).merges).toEqual([])
    for (let count = 0; count < 2; count++) await hub.api('task.pr.record', { task_id, commit, remote: 'origin', url })
    repo.git('checkout', '-q', '.')
    repo.git('clean', '-qfd')
    await expect(hub.api('task.merge', { task_id })).rejects.toThrow('PULL_OPEN')
    expect(await show(hub)).toMatchObject({ stage: 'queued', pull: { state: 'open', url, by: 'operator' } })
    expect(await hub.api('task.pr.end', { task_id, outcome: 'merged' })).toMatchObject({
      stage: 'merged',
      pull: { state: 'merged' },
    })
    await expect(hub.api('task.pr', { task_id })).rejects.toThrow('PULL_NOT_NEEDED')
    await expect(hub.api('task.pr.end', { task_id, outcome: 'merged' })).rejects.toThrow('NO_PULL')
    // Nothing was merged here, and its workspace is put away as after every merge.
    expect(repo.git('log', '--format=%s', 'main').trim()).toBe('commit')
    await until(async () => (await show(hub)).workspace?.released)
    const log = await rowsOf(hub)
    expect(eventsOf(log, 'pull.begun')).toHaveLength(1)
    expect(eventsOf(log, 'pull.opened')).toEqual([expect.objectContaining({ url, commit })])
    expect(eventsOf(log, 'pull.ended')).toEqual([expect.objectContaining({ outcome: 'merged' })])
    expect((await rows(hub, 'merges')).map(one => one['outcome'])).toEqual(['withdrawn', 'merged'])
  })
})

test.each(databases)(
  'work in review is accepted by its pull request, and merged when the base has it (%s)',
  async database => {
    await inShop({ database }, async shop => {
      const { hub, repo } = shop
      const commit = await reviewed(shop)
      expect(await planOf(hub)).toMatchObject({ accepts: true })
      const recorded = await hub.api('task.pr.record', { task_id, commit, url })
      expect(recorded).toMatchObject({ stage: 'queued', pull: { state: 'open' } })
      expect(await rows(hub, 'verdicts')).toHaveLength(1)
      // As `git fetch` brings it after a merge at the hoster.
      repo.git('update-ref', 'refs/remotes/origin/main', commit)
      // Whatever happens makes the hub look; otherwise it does every few seconds.
      await hub.api('task.add', { id: 'tsk_other', project_id: 'prj_shop', title: 'Other' })
      await hub.api('task.move', { task_id: 'tsk_other', status: 'blocked' })
      expect(await reached(hub, 'merged')).toMatchObject({
        merge: { outcome: 'merged', commit },
        pull: { state: 'merged' },
      })
    })
  },
)

test('work that was done again is pushed to the same pull request; closed, it goes to the queue when asked', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    const first = await reviewed(shop)
    await hub.api('task.pr.record', { task_id, commit: first, url })
    await hub.api('task.move', { task_id, status: 'in_progress' })
    const second = await reviewed(shop, 'y')
    await hub.api('task.verdict', { task_id, decision: 'accept', commit: second })
    expect(await show(hub)).toMatchObject({ stage: 'queued', merge: null, pull: { commit: first } })
    expect(await planOf(hub)).toMatchObject({ commit: second, earlier: [first] })
    await hub.api('task.pr.begin', { task_id, commit: second, remote: 'origin' })
    expect(await rows(hub, 'pulls')).toEqual([expect.objectContaining({ commit_id: second, url })])
    expect(await hub.api('task.pr.end', { task_id, outcome: 'closed' })).toMatchObject({ stage: 'done' })
    await hub.api('task.merge', { task_id })
    await reached(hub, 'merged')
  })
})

test('a pull request that never came to be is given up when the queue is asked for', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    const commit = await reviewed(shop)
    await hub.api('task.pr.begin', { task_id, commit, remote: 'origin' })
    await hub.api('task.verdict', { task_id, decision: 'accept', commit })
    expect(await show(hub)).toMatchObject({ stage: 'queued', merge: null, pull: { state: 'begun' } })
    await hub.api('task.merge', { task_id })
    expect(await reached(hub, 'merged')).toMatchObject({ pull: { state: 'closed', url: null } })
  })
})

test('merged at the hoster while newer work was accepted here: the newer work is queued', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    await hub.api('task.pr.record', { task_id, commit: await reviewed(shop), url })
    await hub.api('task.move', { task_id, status: 'in_progress' })
    await hub.api('task.verdict', { task_id, decision: 'accept', commit: await reviewed(shop, 'y') })
    await hub.api('task.pr.end', { task_id, outcome: 'merged' })
    expect(await reached(hub, 'merged')).toMatchObject({ merge: { outcome: 'merged', commit: expect.any(String) } })
    expect(shop.repo.git('show', 'main:cart')).toBe('y')
  })
})

test('work whose merge was undone makes no pull request: the base has its commits', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    const commit = await reviewed(shop)
    await hub.api('task.verdict', { task_id, decision: 'accept', commit })
    await reached(hub, 'merged')
    await hub.api('task.undo_merge', { task_id })
    await reached(hub, 'planned')
    await hub.api('task.move', { task_id, status: 'done' })
    await expect(hub.api('task.pr', { task_id })).rejects.toThrow('MERGE_UNDONE')
  })
})
