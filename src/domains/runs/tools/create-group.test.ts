import { expect } from 'vitest'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { eventsOf, rowsOf, success } from '#test/scene.ts'

onBothCrews('makes a group with an id of its own, and says so on the event log', async ({ hub }) => {
  const body = success(await hub.call('create_group', { description: '屋根' }))
  expect(body).toEqual({
    groupId: expect.stringMatching(/^grp-\d{10}-[0-9a-f]{24}$/),
    description: '屋根',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    status: 'active',
    mode: 'concurrent',
  })
  expect(eventsOf(await rowsOf(hub, 'events'), 'group:created')).toEqual([{ ...body, agentIds: [] }])
  expect(success(await hub.call('create_group', { description: '', mode: 'sequential' }))['mode']).toBe('sequential')
})

onBothCrews('a group made in the folder of a project belongs to it', async ({ hub, folder }) => {
  await hub.api('project.add', { id: 'prj_here', name: 'here', directory: folder })
  const client = await hub.connect({ directory: folder })
  await client.call('create_group', { description: 'd' })
  expect((await rowsOf(hub, 'crews'))['crews']).toMatchObject([{ project_id: 'prj_here', created_by: 'operator' }])
})

refusesCrew('create_group', [
  { name: 'no description', args: () => ({}), code: 'INVALID_ARGUMENT', message: /^Wrong arguments\. description: / },
  {
    name: 'another mode',
    args: () => ({ description: 'd', mode: 'random' }),
    code: 'INVALID_ARGUMENT',
    message: /^Wrong arguments\. mode: /,
  },
])
