import { expect } from 'vitest'
import { FOLDER_SETTINGS, onBoth, refuses, success } from '#test/scene.ts'

onBoth('lists projects with their two handles, archived ones too', async ({ hub, worker }) => {
  await hub.api('project.add', { id: 'prj_old', name: '古い', description: '済' })
  await hub.api('project.archive', { project_id: 'prj_old' })
  const body = success(await worker.call('list_projects'))
  expect(body['projects']).toHaveLength(3)
  expect((body['projects'] as unknown[]).at(-1)).toEqual({
    project_id: 'prj_old',
    number: 3,
    key: 'p3',
    name: '古い',
    description: '済',
    working_directory: null,
    asana_url: null,
    ...FOLDER_SETTINGS,
    status: 'archived',
    created_at: expect.stringMatching(/Z$/),
  })
})

onBoth('pages meet end to end', async ({ hub }) => {
  for (let index = 0; index < 5; index++) await hub.api('project.add', { name: `p${index}` })
  const seen: number[] = []
  let cursor: unknown
  do {
    const args = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
    const body = success(await hub.call('list_projects', args))
    seen.push(...(body['projects'] as { number: number }[]).map(({ number }) => number))
    cursor = body['next_cursor']
  } while (cursor !== undefined)
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7])
})

refuses('list_projects', [
  {
    name: 'a limit in words',
    args: () => ({ limit: 'ten' }),
    error: /^Wrong arguments\. limit: /,
    code: 'INVALID_ARGUMENT',
  },
])
