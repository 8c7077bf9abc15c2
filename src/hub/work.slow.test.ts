// What is at work, and doing it again: real runs of the scripted engine, on both databases.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { onBothCrews } from '#test/crews.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'

type CrewTasks = { role: string; prompt: string }[]
/** After the other has ended: a later success of the same role makes a failure good. */
const FAILS = '!wait late\n!fail no luck'

onBothCrews('a run of a crew is listed with who started it, its crew and what it took', async crew => {
  const { hub, folder, start, until, ended } = crew
  const [id = ''] = await start('!say on\n!wait go')
  await until(id, now => now['lastMessage'] === 'on')
  const { work } = await hub.api('work.list', {})
  expect(work).toMatchObject([
    { work_id: id, kind: 'crew', status: 'running', name: 'worker', engine: 'scripted', stop_asked: false },
  ])
  expect(work[0]).toMatchObject({
    ...{ started_by: 'operator', ended_at: null, tool_calls: 0, cost_usd: null, model: 'scripted' },
    crew: { crew_id: expect.stringMatching(/^grp-/), description: 'test', mode: 'concurrent', stage: null },
  })
  const { project_id: elsewhere } = await hub.api('project.add', { name: 'elsewhere' })
  expect((await hub.api('work.list', { project_id: elsewhere, ended: 5 })).work).toEqual([])
  const ofCrew = (crew_id: unknown) => hub.api('work.list', { crew_id: crew_id as never })
  expect((await ofCrew(work[0]?.crew_id)).work).toMatchObject([{ work_id: id, last_action: 'on' }])
  expect((await ofCrew('grp-none')).work).toEqual([])
  writeFileSync(join(folder, 'go'), '')
  await ended(id)
  expect((await hub.api('work.list', {})).work).toEqual([])
  const lately = await hub.api('work.list', { ended: 5 })
  expect(lately.work).toMatchObject([{ work_id: id, status: 'completed', last_action: 'on' }])
  expect(lately.work[0]).toMatchObject({ cost_usd: expect.any(Number), tokens: { input: expect.any(Number) } })
})

onBothCrews('events of a run say enough to draw it', async ({ hub, start, ended }) => {
  const [id = ''] = await start('!write a.txt x')
  await ended(id)
  const rows = await rowsOf(hub)
  const named = { runId: id, role: 'worker', engine: 'scripted', stage: null }
  expect(eventsOf(rows, 'run.started')).toMatchObject([named])
  expect(eventsOf(rows, 'run.ended')).toMatchObject([
    { runId: id, toolCalls: 1, tokens: { input: expect.any(Number) } },
  ])
})

onBothCrews('a crew is repeated as another crew: all of it, or what did not succeed', async crew => {
  const { hub, folder, ended, until } = crew
  const tasks: CrewTasks = [
    { role: 'worker', prompt: '!say fine' },
    { role: 'worker', prompt: FAILS },
  ]
  const first = await hub.api('crew.run', {
    description: 'look',
    mode: 'concurrent',
    stages: [{ tasks }],
    directory: folder,
  })
  await ended(first.runs[0]?.run_id ?? '')
  writeFileSync(join(folder, 'late'), '')
  await ended(first.runs[1]?.run_id ?? '')
  expect((await hub.api('inbox.list', {})).items).toHaveLength(1)

  const failed = await hub.api('crew.repeat', { crew_id: first.crew.crew_id, only_failed: true })
  expect(failed.crew).toMatchObject({ description: 'look', mode: 'concurrent' })
  expect(failed.crew.crew_id).not.toBe(first.crew.crew_id)
  expect(failed.runs.map(({ prompt }) => prompt)).toEqual([FAILS])
  await ended(failed.runs[0]?.run_id ?? '')
  // The first failure was dealt with; the second is another.
  const items = (await hub.api('inbox.list', {})).items
  expect(items.map(({ run_id }) => run_id)).toEqual([failed.runs[0]?.run_id])

  const all = await hub.api('crew.repeat', { crew_id: first.crew.crew_id })
  expect(all.runs.map(({ prompt }) => prompt)).toEqual(['!say fine', FAILS])
  await ended(...all.runs.map(({ run_id }) => run_id))

  const one = await hub.api('run.repeat', { run_id: first.runs[0]?.run_id ?? '' })
  await ended(one.runs[0]?.run_id ?? '')
  await expect(hub.api('crew.repeat', { crew_id: one.crew.crew_id, only_failed: true })).rejects.toThrow('succeeded')

  const busy = await hub.api('crew.run', {
    mode: 'concurrent',
    stages: [{ tasks: [{ role: 'worker', prompt: '!hang' }] }],
    directory: folder,
  })
  await until(busy.runs[0]?.run_id ?? '', 'running')
  await expect(hub.api('crew.repeat', { crew_id: busy.crew.crew_id })).rejects.toThrow('have not ended')
  await expect(hub.api('run.repeat', { run_id: busy.runs[0]?.run_id ?? '' })).rejects.toThrow('not ended')
  await hub.api('crew.stop', { crew_id: busy.crew.crew_id })
})

onBothCrews(
  'a plan that failed goes on with the stages that are left, in their order',
  async ({ hub, folder, ended }) => {
    const stages: { tasks: CrewTasks }[] = [
      { tasks: [{ role: 'worker', prompt: '!say one' }] },
      { tasks: [{ role: 'worker', prompt: '!fail two' }] },
      { tasks: [{ role: 'worker', prompt: '!say three' }] },
    ]
    const first = await hub.api('crew.run', { mode: 'sequential', stages, directory: folder })
    await ended(...first.runs.map(({ run_id }) => run_id))
    const again = await hub.api('crew.repeat', { crew_id: first.crew.crew_id, only_failed: true })
    expect(again.runs.map(({ prompt, stage }) => [prompt, stage])).toEqual([
      ['!fail two', 0],
      ['!say three', 1],
    ])
    await ended(...again.runs.map(({ run_id }) => run_id))
  },
)
