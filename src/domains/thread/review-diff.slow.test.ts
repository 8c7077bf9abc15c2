// What a reviewer is shown of the files: all of it or what is new since a snapshot, file by file, and where the merge stands.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { inShop, put, reached, report } from '#test/thread.ts'
import { sql } from '#test/queries-past-the-hub.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

test.each(databases)(
  'a second look shows what is new since a snapshot, with counted lines, and each file alone (%s)',
  async database => {
    await inShop({ database }, async shop => {
      const { hub, path } = shop
      await hub.api('project.check.add', { project_id, name: 'test', command: ['echo', 'good'] })
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
      put(path, 'src/cart.ts', `${lines.join('\n')}\n`)
      put(path, 'logo.png', '\0\u0001\u0002')
      await report(shop)
      await reached(hub, 'review')
      const first = await hub.api('task.review', { task_id })
      expect(first.files).toEqual([
        { path: 'logo.png', status: 'added', binary: true },
        { path: 'src/cart.ts', status: 'added', added: 40, removed: 0 },
      ])
      expect(first.snapshots).toMatchObject([{ snapshot_id: first.snapshot?.snapshot_id, number: 1 }])
      const clean = { path: shop.repo.root, clean: true, files: [], operation: null }
      expect(first.merges_into).toEqual({ base: 'main', checks: ['test'], conflicts: [], checkouts: [clean] })
      // What is not committed where the base is checked out holds the merge up only if that would overwrite it.
      const seen = async () => (await hub.api('task.review', { task_id })).merges_into?.checkouts
      put(shop.repo.root, 'notes.txt', 'mine')
      put(shop.repo.root, 'src/cart.ts', 'mine, too')
      expect(await seen()).toEqual([{ ...clean, files: ['src/cart.ts'] }])
      shop.repo.git('add', 'src/cart.ts', 'notes.txt')
      expect(await seen()).toEqual([{ ...clean, clean: false, files: ['src/cart.ts'] }])
      shop.repo.git('rm', '-q', '-f', 'src/cart.ts', 'notes.txt')
      await hub.api('task.verdict', {
        task_id,
        decision: 'changes',
        summary: 'Shout',
        commit: first.snapshot?.commit ?? '',
      })
      put(path, 'src/cart.ts', `${lines.with(19, 'LINE 20').join('\n')}\n`)
      await report(shop)
      await reached(hub, 'review')

      const since = first.snapshot?.snapshot_id ?? ''
      const again = await hub.api('task.review', { task_id, since })
      expect(again.files).toEqual([{ path: 'src/cart.ts', status: 'modified', added: 1, removed: 1 }])
      expect(again.diff).toContain('-line 20\n+LINE 20\n')
      expect(again.snapshots.map(({ number }) => number)).toEqual([2, 1])
      expect((await hub.api('task.review', { task_id })).diff).toContain('+line 1\n')

      const commit = again.snapshot?.commit ?? ''
      const part = { task_id, path: 'src/cart.ts', since, commit }
      expect((await hub.api('task.diff', part)).diff).not.toContain(' line 1\n')
      const whole = await hub.api('task.diff', { ...part, context: 1000 })
      expect(whole).toMatchObject({ truncated: false, diff: expect.stringContaining(' line 1\n') })
      expect(whole.diff).toContain(' line 40\n')
      const old = hub.api('task.diff', { ...part, commit: first.snapshot?.commit ?? '' })
      await expect(old).rejects.toThrow(/REVIEW_OUTDATED/)
      await expect(hub.api('task.review', { task_id, since: 'snp_none' })).rejects.toThrow(
        /SNAPSHOT_NOT_FOUND.*has no snapshot snp_none/,
      )
    })
  },
)

test('work whose files another hub keeps says where they are, and what its agent reported, in place of an empty diff', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    put(path, 'src/cart.ts', 'export {}\n')
    await report(shop)
    await reached(hub, 'review')
    expect(await hub.api('task.review', { task_id })).toMatchObject({ elsewhere: null })
    await sql(hub, "UPDATE worktrees SET home = 'another-hub'")
    const review = await hub.api('task.review', { task_id })
    expect(review).toMatchObject({ files: [], diff: '', elsewhere: { path: expect.stringContaining('cart') } })
    expect(review.remarks[0]).toContain(
      `Its files are not with this hub, so no diff is shown: they are in ${review.elsewhere?.path}`,
    )
    await sql(hub, "UPDATE snapshots SET result = 'failed'")
    const body = JSON.stringify({ task_id })
    const japanese = await hub.fetch('/api/task.review', { method: 'POST', body, headers: { 'accept-language': 'ja' } })
    expect(((await japanese.json()) as typeof review).remarks).toContain('エージェントの報告: 失敗。')
  })
})

test('a merge that conflicts shows both sides, and one that waits says at which step it is', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    put(path, 'README', 'ours\n')
    await report(shop)
    await reached(hub, 'review')
    repo.write('README', 'theirs\n')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    const [waiting] = await until(async () => {
      const { merges } = await hub.api('merge.list', {})
      return merges[0]?.waits ? merges : undefined
    })
    expect(waiting).toMatchObject({
      step: 'waiting',
      title: 'Build the cart',
      waits: expect.stringContaining('README'),
    })
    repo.commit()
    await hub.api('task.merge', { task_id })
    const [ended] = await until(async () => {
      const { merges } = await hub.api('merge.list', { ended: true })
      return merges[0]?.outcome ? merges : undefined
    })
    expect(ended).toMatchObject({ outcome: 'conflict', step: null })
    const shown = await hub.api('merge.show', { merge_id: ended?.merge_id ?? '' })
    expect(shown.conflicts).toMatchObject([{ path: 'README', ours: expect.stringContaining('theirs') }])
    expect(shown).toMatchObject({ evidence: [], handle: 'shop-1' })
    await expect(hub.api('merge.show', { merge_id: 'mrg_none' })).rejects.toThrow(/MERGE_NOT_FOUND.*mrg_none not found/)
  })
})
