// T47: eight runners, two hundred pairs: one start for each pair and epoch. On PostgreSQL they ask two hubs.
import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { databases, TestClock, testHub } from './hub.ts'
import { eventsOf, rowsOf } from './scene.ts'

const RUNNERS = 8
const AGENTS = 10
const PROJECTS = 20
const config = { limits: { runs: 1000, startsPerMinute: 1000 } }

// Some four thousand calls on two hubs, beside four other files.
test.each(databases)('each pair is started exactly once an epoch (%s)', { timeout: 240_000 }, async database => {
  const clock = new TestClock()
  await using hub = await testHub({ database, clock, config })
  const elsewhere = { HOME: `${hub.home}/second`, TORYO_HOME: `${hub.home}/second` }
  const target = database === 'postgres' ? locate(hub.target.db, { env: elsewhere }) : undefined
  await using second = target && (await testHub({ clock, target, config }))
  const agents = Array.from({ length: AGENTS }, (_, index) => `agt_${index}`)
  const projects = Array.from({ length: PROJECTS }, (_, index) => `prj_${index}`)
  await Promise.all(agents.map(id => hub.api('agent.add', { id, name: id, engine: 'claude' })))
  await Promise.all(projects.map(id => hub.api('project.add', { id, name: id, directory: hub.home })))
  const pairs = agents.flatMap(agent_id => projects.map(project_id => ({ agent_id, project_id })))
  await Promise.all(pairs.map(pair => hub.api('project.assign', pair)))
  await Promise.all(
    pairs.map(({ agent_id, project_id }) =>
      hub.api('task.add', { project_id, title: 't', assignee_id: agent_id, status: 'in_progress' }),
    ),
  )
  const runners = await Promise.all(
    Array.from({ length: RUNNERS }, (_, index) =>
      (index % 2 === 1 && second ? second : hub).connect({ toolsets: 'runner' }),
    ),
  )

  for (const epoch of [1, 2]) {
    const started = await Promise.all(
      runners.map(async (runner, offset) => {
        const order = [...pairs.slice(offset * 7), ...pairs.slice(0, offset * 7)]
        const answers = await Promise.all(order.map(pair => runner.call('should_start', pair)))
        return order.filter((_, index) => answers[index]?.body['should_start'] === true)
      }),
    )
    const names = started.flat().map(({ agent_id, project_id }) => `${agent_id} ${project_id}`)
    expect(names).toHaveLength(pairs.length)
    expect(new Set(names).size).toBe(pairs.length)
    const claims = eventsOf(await rowsOf(hub, 'events'), 'instance.start_claimed')
    expect(claims.filter(claim => claim['epoch'] === epoch)).toHaveLength(pairs.length)
    // No agent signs in: the starts are lost, and after the back-off the next epoch begins.
    clock.advance(130_000)
    await hub.running.hub.tend([])
  }
})
