import { expect } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { callBy, eventsOf, invoke, rowsOf, success } from '#test/scene.ts'

onBothCrews('ends an agent at work, and answers when it has ended', async ({ hub, start, until, state }) => {
  const [id = ''] = await start('!say on\n!hang')
  await until(id, now => now['lastMessage'] === 'on')
  for (let time = 0; time < 2; time++)
    expect(success(await hub.call('stop_agent', { agentId: id }))).toEqual({
      agentId: id,
      stopped: true,
      status: 'cancelled',
    })
  expect(await state(id)).toMatchObject({ status: 'cancelled', endReason: 'stopped', exitCode: null })
  expect(eventsOf(await rowsOf(hub, 'events'), 'run.ended')).toHaveLength(1)
  expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
})

onBothCrews('one that has ended by itself stays as it ended', async ({ hub, start, ended }) => {
  const [id = ''] = await start('!say done')
  await ended(id)
  expect(success(await hub.call('stop_agent', { agentId: id }))).toEqual({
    agentId: id,
    stopped: true,
    status: 'completed',
  })
})

onBothCrews('stops what the caller started, and nothing of another caller in its project', async crew => {
  const { hub, folder, start, until, state } = crew
  await hub.api('project.add', { id: 'prj_own', name: 'own', directory: folder })
  const [parent = '', sibling = ''] = await start('!ticket\n!hang', '!say on\n!hang')
  const said = await until(parent, now => String(now['lastMessage']).startsWith('rtk_'))
  await until(sibling, now => now['lastMessage'] === 'on')
  const lead = await hub.connect({ credential: String(said['lastMessage']), directory: folder, toolsets: 'crews' })
  const { groupId } = success(await lead.call('create_group', { description: 'mine' }))
  const agents = [{ role: 'worker', prompt: '!say on\n!hang', workingDirectory: folder }]
  const started = success(await lead.call('run_agents', { groupId, agents }))['agents'] as { agentId: string }[]
  const child = started[0]?.agentId ?? ''

  // It sees them, but did not start them; nor may a run end itself that way.
  for (const agentId of [sibling, parent])
    expect((await lead.call('stop_agent', { agentId })).body).toEqual({
      error: true,
      code: 'NOT_ALLOWED',
      message: `Agent ${agentId} was started by another caller (operator), which may stop it, as may the operator.`,
    })
  expect((await state(sibling))['status']).toBe('running')
  // A tab of the same project did not start it either, and one of another project does not even see it.
  const by = (projectId: string) => callBy({ kind: 'tab', tabId: 'tab_x', projectId, depth: 1 } as Caller)
  for (const [caller, says] of [
    [by('prj_own'), `Agent ${child} was started by another caller`],
    [by('prj_other'), `Agent ${child} belongs to another project.`],
  ] as const) {
    const outcome = await invoke(hub, 'stop_agent', { agentId: child }, caller)
    expect(outcome.ok ? 'ok' : [outcome.error.code, outcome.error.text.en]).toEqual([
      'NOT_ALLOWED',
      expect.stringContaining(says),
    ])
  }
  expect(success(await lead.call('stop_agent', { agentId: child }))).toMatchObject({ stopped: true })
  expect((await state(child))['status']).toBe('cancelled')
  expect(success(await hub.call('stop_agent', { agentId: sibling }))).toMatchObject({ status: 'cancelled' })
})

refusesCrew('stop_agent', [
  {
    name: 'an unknown agent',
    args: () => ({ agentId: 'run_nobody' }),
    code: 'AGENT_NOT_FOUND',
    message: 'Agent run_nobody not found. Use list_agents to list them.',
  },
  { name: 'no agent', args: () => ({}), code: 'INVALID_ARGUMENT', message: /agentId/ },
])
