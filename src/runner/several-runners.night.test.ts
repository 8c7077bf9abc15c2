import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { databases, TestClock, testHub } from '#test/hub.ts'
import { runnerAt, scriptedConfig, working, Yard, yard } from '#test/runner.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'

// Sessions and their ends follow each other in real time.
const PATIENT = { timeout: 240_000 }

test.each(databases)('T47: four Runners, ten pairs: each is really started once (%s)', PATIENT, async database => {
  await using hub = await testHub({
    database,
    config: { ...scriptedConfig, limits: { runs: 1000, startsPerMinute: 1000 } },
  })
  const place = new Yard(hub)
  const names = Array.from({ length: 10 }, (_, index) => `w${index}`)
  for (const name of names) {
    const worker = await place.agent(name, working(name, [`append starts.txt ${name}`]))
    await place.task(worker, `tsk_${name}`)
  }
  const tokens = await Promise.all(['r1', 'r2', 'r3', 'r4'].map(name => hub.api('runner.add', { name })))
  const runners = await Promise.all(
    tokens.map(({ name, token }) => runnerAt(hub, token, path.join(hub.home, 'runner-homes', name))),
  )
  try {
    await until(async () => {
      const { tasks } = await hub.api('task.list', { status: 'done' })
      return tasks.length === names.length
    })
    for (const name of names) expect(fs.readFileSync(path.join(hub.home, name, 'starts.txt'), 'utf8')).toBe(`${name}\n`)
    const rows = await rowsOf(hub)
    expect(eventsOf(rows, 'instance.start_claimed')).toHaveLength(names.length)
    expect(eventsOf(rows, 'instance.lost')).toEqual([])
    await until(async () => (await rowsOf(hub, 'slots'))['slots']?.length === 0)
  } finally {
    await Promise.all(runners.map(runner => runner.stop()))
  }
})

test('T28: agents that hand their work to each other for ever stay within slots and the rate', PATIENT, async () => {
  const clock = new TestClock()
  const config = { ...scriptedConfig, limits: { runs: 2, startsPerMinute: 6 } }
  await using place = await yard({ clock, config })
  const names = ['x', 'y', 'z']
  const workers = []
  for (const [index, name] of names.entries()) {
    const next = names[(index + 1) % names.length]
    const hand = (count: number) =>
      `call create_handoff {"task_id":"tsk_${count}","from_agent_id":"agt_${name}","to_agent_id":"agt_${next}","summary":"yours"}`
    workers.push(await place.agent(name, working(name, [hand(1), hand(2), hand(3)])))
  }
  for (const { projectId } of workers)
    for (const name of names)
      if (projectId !== `prj_${name}`)
        await place.hub.api('project.assign', { project_id: projectId, agent_id: `agt_${name}` })
  for (const [index, worker] of workers.entries()) await place.task(worker, `tsk_${index + 1}`)
  await until(async () => (await place.events('instance.start_claimed')).length === 6)
  await until(async () => (await place.hub.api('hub.status', {})).instances === 0)
  // However much there is to do, the minute is over before the seventh.
  expect(await place.events('instance.start_claimed')).toHaveLength(6)
  clock.advance(60_000)
  await until(async () => (await place.events('instance.start_claimed')).length > 6)
  const rows = await rowsOf(place.hub)
  expect(rows['slots']?.filter(({ pool }) => pool === 'runs').length).toBeLessThanOrEqual(2)
})

test('T50: who works longer than a session lasts keeps it, and nobody is started beside', PATIENT, async () => {
  const clock = new TestClock()
  await using place = await yard({ clock })
  const worker = await place.agent('amy', working('amy', ['write begun.txt x', 'wait go.txt']))
  const task = await place.task(worker, 'tsk_amy')
  await until(() => fs.existsSync(path.join(worker.directory, 'begun.txt')))
  const expiry = async () => Number((await rowsOf(place.hub, 'sessions'))['sessions']?.[0]?.['expires_at'])
  for (let round = 0; round < 2; round++) {
    clock.advance(50 * 60_000)
    const now = clock.now()
    // The hub's own round, every ten seconds, sees that the bridge is there.
    await until(async () => (await expiry()) - now > 59 * 60_000)
  }
  const pair = { agent_id: worker.agentId, project_id: worker.projectId }
  expect((await place.hub.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'running' })
  fs.writeFileSync(path.join(worker.directory, 'go.txt'), '')
  await until(async () => (await place.status(task)) === 'done')
  expect(await place.events('instance.start_claimed')).toHaveLength(1)
})
