import { join } from 'node:path'
import { expect } from 'vitest'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { eventsOf, rowsOf, success } from '#test/scene.ts'

type Result = { summary: string }

onBothCrews('stages follow one another, and each gets the results of the one before', async crew => {
  const { hub, plan, ended } = crew
  const { groupId, stages } = await plan([
    ['!report success the plan is A', '!write b.txt x\n!say no report from me'],
    ['!prompt'],
    ['!prompt'],
  ])
  const states = await ended(...stages.flat())
  expect(states.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed'])
  const [first, second] = states.slice(2).map(state => (state['result'] as Result).summary)
  expect(first).toContain(`worker (${stages[0]?.[0]}, completed):\n> the plan is A`)
  expect(first).toContain(`> no report from me\nFiles: ${join(crew.folder, 'b.txt')}`)
  expect(second).toContain(`worker (${stages[1]?.[0]}, completed):`)
  // What a report says is quoted: it does not become the next one's task.
  expect(second).toContain('\n> # Your task\n')
  const rows = await rowsOf(hub)
  expect(rows['slots']).toEqual([])
  expect(eventsOf(rows, 'stage.started')).toEqual(stages.map((runIds, stage) => ({ crewId: groupId, stage, runIds })))
  expect(eventsOf(rows, 'plan.ended')).toEqual([{ crewId: groupId, outcome: 'completed' }])
})

onBothCrews('the answer tells the whole plan', async ({ hub, folder, group }) => {
  const groupId = await group('sequential')
  const task = { role: 'worker', prompt: '!say x', workingDirectory: folder }
  const body = success(
    await hub.call('run_sequential', { groupId, stages: [{ tasks: [task] }, { tasks: [task, task] }] }),
  )
  const one = { agentId: expect.stringMatching(/^run_/), groupId, role: 'worker', model: 'small', status: 'queued' }
  expect(body).toEqual({
    groupId,
    totalStages: 2,
    currentStageIndex: 0,
    stages: [
      { stageIndex: 0, agentIds: [expect.any(String)] },
      { stageIndex: 1, agentIds: [expect.any(String), expect.any(String)] },
    ],
    agents: [one, one, one],
    total: 3,
  })
})

onBothCrews('a stage that fails cancels what would follow', async ({ hub, plan, ended }) => {
  const { groupId, stages } = await plan([['!fail no', '!say yes'], ['!say later'], ['!say latest']])
  const states = await ended(...stages.flat())
  expect(states.map(({ status }) => status)).toEqual(['failed', 'completed', 'cancelled', 'cancelled'])
  expect(states[3]).toMatchObject({ endReason: 'stage-failed', startedAt: null, result: { status: 'cancelled' } })
  expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
  expect(eventsOf(await rowsOf(hub, 'events'), 'plan.ended')).toEqual([{ crewId: groupId, outcome: 'failed' }])
})

onBothCrews('unless it shall go on', async ({ hub, plan, ended }) => {
  const { groupId, stages } = await plan([['!fail no'], ['!prompt']], 'continue')
  const states = await ended(...stages.flat())
  expect(states.map(({ status }) => status)).toEqual(['failed', 'completed'])
  expect(states[1]?.['result']).toMatchObject({ summary: expect.stringContaining(`(${stages[0]?.[0]}, failed):`) })
  expect(eventsOf(await rowsOf(hub, 'events'), 'plan.ended')).toEqual([{ crewId: groupId, outcome: 'failed' }])
})

onBothCrews(
  'a plan keeps the slots of its widest stage, and gives back what no later stage needs',
  async ({ hub, plan, start, until, ended }) => {
    const taken = async () => ((await rowsOf(hub, 'slots'))['slots'] ?? []).length
    const { stages } = await plan([['!hang'], ['!hang', '!hang', '!hang'], ['!say last']])
    const [first = '', ...wide] = stages.flat()
    await until(first, 'running')
    expect(await taken()).toBe(3)
    await expect(start('!say x', '!say y')).rejects.toThrow('MAX_CONCURRENT_REACHED')
    const [other = ''] = await start('!hang')
    await until(other, 'running')
    await hub.api('run.stop', { run_id: first })
    const [stopped] = await ended(first)
    expect(stopped).toMatchObject({ status: 'cancelled', endReason: 'stopped' })
    expect(await taken()).toBe(1)
    expect((await ended(...wide)).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'cancelled'))
  },
  { limits: { runs: 4 } },
)

const task = { role: 'worker', prompt: 'x' }

refusesCrew(
  'run_sequential',
  [
    {
      name: 'no stages',
      args: async ({ group }) => ({ groupId: await group('sequential'), stages: [] }),
      code: 'EMPTY_STAGES',
      message: 'stages is empty; name at least one.',
    },
    {
      name: 'a stage without tasks',
      args: async ({ group }) => ({ groupId: await group('sequential'), stages: [{ tasks: [task] }, { tasks: [] }] }),
      code: 'EMPTY_STAGE_TASKS',
      message: 'Stage 1 has no tasks; each stage needs at least one.',
    },
    {
      name: 'an unknown group',
      args: () => ({ groupId: 'grp-0-0', stages: [{ tasks: [task] }] }),
      code: 'GROUP_NOT_FOUND',
      message: /grp-0-0/,
    },
    {
      name: 'a deleted group',
      args: async ({ hub, group }) => {
        const groupId = await group('sequential')
        await hub.call('delete_group', { groupId })
        return { groupId, stages: [{ tasks: [task] }] }
      },
      code: 'GROUP_NOT_ACTIVE',
      message: /was deleted/,
    },
    {
      name: 'a group without stages',
      args: async ({ group }) => ({ groupId: await group(), stages: [{ tasks: [task] }] }),
      code: 'MODE_MISMATCH',
      message: /is concurrent: use run_agents with it/,
    },
    {
      name: 'an unknown role in a late stage',
      args: async ({ group }) => ({
        groupId: await group('sequential'),
        stages: [{ tasks: [task] }, { tasks: [{ ...task, role: 'cook' }] }],
      }),
      code: 'ROLE_NOT_FOUND',
      message: /cook/,
    },
    {
      name: 'a role that is not available',
      args: async ({ group }) => ({
        groupId: await group('sequential'),
        stages: [{ tasks: [{ ...task, role: 'lost' }] }],
      }),
      code: 'ROLE_UNAVAILABLE',
      message: /^Role lost is not available/,
    },
    {
      name: 'a stage wider than there are slots',
      args: async ({ group, folder }) => {
        const wide = [1, 2, 3].map(() => ({ ...task, workingDirectory: folder }))
        return { groupId: await group('sequential'), stages: [{ tasks: wide.slice(1) }, { tasks: wide }] }
      },
      code: 'MAX_CONCURRENT_REACHED',
      message: /^3 more would be over the limit of 2/,
    },
  ],
  { limits: { runs: 2 } },
)

onBothCrews('a second plan waits for the first, and a bad folder starts none', async ({ hub, folder, plan, ended }) => {
  const { groupId, stages } = await plan([['!hang']])
  const again = (workingDirectory: string) =>
    hub.call('run_sequential', { groupId, stages: [{ tasks: [{ ...task, prompt: '!say 2', workingDirectory }] }] })
  expect((await again(folder)).body).toMatchObject({
    code: 'SEQUENTIAL_START_FAILED',
    message: 'The plan was not started: a plan of this group is still under way.',
  })
  await hub.api('run.stop', { run_id: stages[0]?.[0] ?? '' })
  await ended(stages[0]?.[0] ?? '')
  const bad = await again(join(folder, 'nowhere'))
  expect(bad.body).toMatchObject({ code: 'SEQUENTIAL_START_FAILED' })
  const { body } = await again(folder)
  const [state] = await ended((body['agents'] as { agentId: string }[])[0]?.agentId ?? '')
  expect(state).toMatchObject({ status: 'completed', stageIndex: 0 })
  expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
})
