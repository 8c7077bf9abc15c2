// Two hubs on one database: a command that is added on one of them runs on the other only after somebody there has looked at it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, type TestHub, testHub } from '#test/hub.ts'
import { beside, inShop, put, reached, report, rows } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const hasPostgres = databases.includes('postgres')

const commandsAt = async (hub: TestHub) =>
  (await hub.api('inbox.list', {})).items.filter(({ kind }) => kind === 'command')
const trustedAt = async (hub: TestHub) =>
  (await hub.api('project.check.list', { project_id })).checks.map(({ name, trusted }) => [name, trusted])

test.runIf(hasPostgres)(
  'a check that was added on another hub runs here once somebody here has looked at it, and no sooner',
  async () => {
    await inShop({ database: 'postgres', settings: { accept: 'checks' } }, async shop => {
      const { hub, yard, target } = shop
      await using other = await beside(shop)
      const marker = join(yard.home, 'ran')
      const command = ['sh', '-c', `echo ran >> ${marker}`]
      await other.api('project.check.add', { project_id, name: 'lint', command })
      expect([await trustedAt(other), await trustedAt(hub)]).toEqual([[['lint', true]], [['lint', false]]])
      expect(await commandsAt(other)).toEqual([])
      expect(await commandsAt(hub)).toMatchObject([
        {
          title: 'Check lint was added on another machine and does not run here yet',
          detail: JSON.stringify(command),
          project_id,
          command: 'toryo project check trust lint --project shop',
        },
      ])
      const { findings } = await hub.api('doctor.run', {})
      expect(findings.filter(({ check }) => check === 'commands')).toMatchObject([{ level: 'warn' }])

      // Neither in the workspace …
      put(shop.path, 'cart', 'one')
      await report(shop)
      await reached(hub, 'review')
      const review = await hub.api('task.review', { task_id: 'tsk_cart' })
      expect(review.untrusted).toMatchObject([{ name: 'lint', command }])
      // … nor before the merge that a person asks for.
      await hub.api('task.verdict', { task_id: 'tsk_cart', decision: 'accept' })
      const waits = await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
      expect(waits).toBe(
        `Waits for a person: these checks were added on another machine, and no person has looked at them on this one (lint: ${JSON.stringify(command)}). Look at them here with \`toryo project check trust --project shop\`.`,
      )
      expect(await rows(hub, 'evidence')).toEqual([])
      expect(existsSync(marker)).toBe(false)

      // What is allowed is what was shown.
      const wrong = [{ name: 'lint', command: ['true'] }]
      await expect(hub.api('project.check.trust', { project_id, seen: wrong })).rejects.toThrow('CHECK_CHANGED')
      await hub.api('project.check.trust', { project_id, seen: [{ name: 'lint', command }] })
      expect(await commandsAt(hub)).toEqual([])
      await hub.api('task.merge', { task_id: 'tsk_cart' })
      await reached(hub, 'merged')
      expect(readFileSync(marker, 'utf8')).toBe('ran\n')

      // A change of it is looked at again, also by the next hub of this home.
      await hub.stop()
      await using next = await testHub({ target })
      expect(await trustedAt(next)).toEqual([['lint', true]])
      await other.api('project.check.remove', { project_id, name: 'lint' })
      await other.api('project.check.add', { project_id, name: 'lint', command: ['sh', '-c', 'id'] })
      expect(await trustedAt(next)).toEqual([['lint', false]])
      expect(await commandsAt(next)).toMatchObject([
        { detail: '["sh","-c","id"]', allows: { check: 'lint', command: ['sh', '-c', 'id'] } },
      ])

      // Other values of it say nothing of its command; who names a command here has looked at it.
      const edit = { project_id, name: 'lint' }
      expect(await next.api('project.check.edit', { ...edit, minutes: 3 })).toMatchObject({ trusted: false })
      expect(await trustedAt(next)).toEqual([['lint', false]])
      expect(await next.api('project.check.edit', { ...edit, command: ['true'] })).toMatchObject({ trusted: true })
      expect([await trustedAt(next), await trustedAt(other)]).toEqual([[['lint', true]], [['lint', false]]])
    })
  },
)

test.runIf(hasPostgres)(
  'a setup command that was allowed on another hub prepares no worktree here before it is allowed here',
  async () => {
    await inShop({ database: 'postgres' }, async shop => {
      const { hub, repo } = shop
      await using other = await beside(shop)
      const setup = ['sh', '-c', 'echo set up > made']
      repo.write('.toryo/config.json', JSON.stringify({ worktrees: { setup } }))
      await other.api('worktree.setup.trust', { project_id })
      const trusted = async (at: TestHub) => (await at.api('worktree.setup.show', { project_id })).trusted
      expect([await trusted(other), await trusted(hub)]).toEqual([true, false])
      const worktree = () => hub.api('worktree.ensure', { project_id, branch: 'side' })
      const { path, setup: state } = await worktree()
      expect([state, existsSync(join(path, 'made'))]).toEqual(['untrusted', false])
      expect(await commandsAt(hub)).toMatchObject([
        {
          ...{ detail: JSON.stringify(setup), command: 'toryo project setup shop --trust' },
          allows: { check: null, command: setup },
        },
      ])
      const wrong = hub.api('worktree.setup.trust', { project_id, seen: ['sh', '-c', 'id'] })
      await expect(wrong).rejects.toThrow('SETUP_CHANGED')
      expect(await trusted(hub)).toBe(false)
      await hub.api('worktree.setup.trust', { project_id })
      expect([await trusted(hub), await commandsAt(hub)]).toEqual([true, []])
    })
  },
)

test.each(databases)('a check that is added here runs here (%s)', async database => {
  await inShop({ database, settings: { accept: 'checks' } }, async shop => {
    await shop.hub.api('project.check.add', { project_id, name: 'lint', command: ['true'] })
    expect([await trustedAt(shop.hub), await commandsAt(shop.hub)]).toEqual([[['lint', true]], []])
    put(shop.path, 'cart', 'one')
    await report(shop)
    await reached(shop.hub, 'merged')
  })
})
