import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { databases } from '#test/hub.ts'
import { insertRows, selects, watchQueries, writes } from '#test/queries.ts'
import { working, yard } from '#test/runner.ts'

test.each(databases)(
  'a Runner with a thousand pairs that have no work asks about none of them, and starts the one that gets some (%s)',
  async database => {
    await using place = await yard({ database })
    const worker = await place.agent('zoe', working('zoe'))
    const ids = Array.from({ length: 1000 }, (_, n) => `agt_idle_${n}`)
    const agent = {
      engine: 'scripted',
      role: '',
      system_prompt: '',
      passkey: '',
      created_at: 1,
      toolsets: '',
      enabled: 1,
    }
    await insertRows(
      place.hub.target.db,
      'agents',
      ids.map(id => ({ id, name: id, ...agent })),
    )
    await insertRows(
      place.hub.target.db,
      'project_agents',
      ids.map(agent_id => ({ project_id: worker.projectId, agent_id, at: 1 })),
    )
    using watched = watchQueries()
    let asked = 0
    await until(() => {
      const queries = watched.take()
      // Beside the heartbeats of hub and Runner, which says once what folders it has.
      expect(writes(queries).filter(({ sql }) => !/"(?:runners|runner_folders|hub_time)"/.test(sql))).toEqual([])
      // The hub itself looks for leases of any agent that were not used in time.
      const ofLeases = queries.filter(({ sql }) => sql.includes('from "leases"') && !sql.includes('"start_by" <='))
      expect(ofLeases).toEqual([])
      asked += selects(queries).filter(({ sql }) => /from "tasks".* join "project_agents"/.test(sql)).length
      return asked >= 10
    })
    const task = await place.task(worker, 'tsk_zoe')
    await until(async () => (await place.status(task)) === 'done')
  },
)
