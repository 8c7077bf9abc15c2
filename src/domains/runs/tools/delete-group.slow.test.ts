import { expect } from 'vitest'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { eventsOf, rowsOf, success } from '#test/scene.ts'

onBothCrews('deletes a group once; what its agents left can still be read', async ({ hub, start, ended, state }) => {
  const [id = ''] = await start('!say done')
  const groupId = String((await ended(id))[0]?.['groupId'])
  for (let time = 0; time < 2; time++)
    expect(success(await hub.call('delete_group', { groupId }))).toEqual({ deleted: true, groupId })
  expect(eventsOf(await rowsOf(hub, 'events'), 'group:deleted')).toEqual([{ groupId }])
  expect((await state(id))['result']).toMatchObject({ summary: 'done' })
})

refusesCrew('delete_group', [
  {
    name: 'an unknown group',
    args: () => ({ groupId: 'grp-0-0' }),
    code: 'GROUP_NOT_FOUND',
    message: 'Group grp-0-0 not found. Create one with create_group.',
  },
  {
    name: 'a group at work',
    args: async ({ start, until }) => {
      const [id = ''] = await start('!hang')
      // Its only output is stored by then: no row changes on its own any more.
      return { groupId: (await until(id, state => state['sessionId'] !== null))['groupId'] }
    },
    code: 'GROUP_HAS_RUNNING_AGENTS',
    message: /^1 agents of group grp-\S+ have not ended yet; wait for them with wait_agent/,
  },
])
