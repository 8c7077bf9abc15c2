// What a task waited for was merged on another machine: in another clone, of which the one here knows nothing until it is pulled.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { sql } from '#test/queries-past-the-hub.ts'
import { inShop, put, reached, report, rows } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_shelf'

test.each(databases)(
  'a start waits until the base here has what it waited for, and says where that is (%s)',
  async database => {
    await inShop({ database, settings: { accept: 'report' } }, async shop => {
      const { hub, repo } = shop
      put(shop.path, 'cart', 'one')
      await report(shop)
      await reached(hub, 'merged')
      await until(async () => (await rows(hub, 'workspaces'))[0]?.['released_at'])
      const merged = repo.git('rev-parse', 'main').trim()
      // From here on it was another machine's.
      await sql(hub, `UPDATE worktrees SET home = 'another'`)
      await sql(hub, `UPDATE runs SET started_by = 'attic:0a1b2c'`)
      repo.git('reset', '-q', '--hard', 'HEAD~1')
      await hub.api('task.add', {
        ...{ id: task_id, project_id, title: 'Build the shelf', assignee_id: 'agt_kim', status: 'in_progress' },
        depends_on: ['tsk_cart'],
      })
      const asked = async () => (await hub.call('should_start', { agent_id: 'agt_kim', project_id })).body
      expect(await asked()).toEqual({ should_start: false, reason: 'base_behind' })
      const said = `Waits for shop-1: it is merged on attic (${merged.slice(0, 8)}), and main in the folder here does not have it yet. Push it there and pull it here.`
      expect(await hub.api('task.show', { task_id })).toMatchObject({ not_started: said })
      repo.git('merge', '-q', '--ff-only', merged)
      expect(await hub.api('task.show', { task_id })).toMatchObject({ not_started: null })
      expect(await asked()).toMatchObject({ should_start: true })
    })
  },
)
