// Two people review the same work at once, and both press their button; one presses it twice.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { inShop, put, reached, report, rows } from '#test/thread.ts'

test.each(databases)(
  'two verdicts at once: one counts, the other is refused with a reason, and the work is merged once (%s)',
  async database => {
    await inShop({ database }, async shop => {
      const { hub } = shop
      await hub.api('project.check.add', { project_id: 'prj_shop', name: 'test', command: ['true'] })
      put(shop.path, 'cart', 'one')
      await report(shop)
      await reached(hub, 'review')
      const judge = (decision: 'accept' | 'changes') =>
        hub.api('task.verdict', { task_id: 'tsk_cart', decision, summary: `${decision}, please.` }).then(
          () => decision,
          (error: Error) => error.message,
        )
      const answers = await Promise.all([judge('accept'), judge('changes'), judge('accept')])
      const given = (await rows(hub, 'verdicts')).map(row => row['decision'])
      expect(given).toHaveLength(1)
      // Each of the others was said why.
      const refused = answers.filter(answer => answer !== given[0])
      for (const answer of refused) expect(answer).toMatch(/answered 4\d\d: .*"message":"[^"]{10,}/)
      if (given[0] !== 'accept') return
      await Promise.all([1, 2].map(() => hub.api('task.merge', { task_id: 'tsk_cart' }).catch(() => undefined)))
      await reached(hub, 'merged')
      expect(await rows(hub, 'merges')).toHaveLength(1)
    })
  },
)
