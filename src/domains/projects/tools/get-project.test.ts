import { expect } from 'vitest'
import { FOLDER_SETTINGS, onBoth, refuses, success } from '#test/scene.ts'

onBoth('shows the project with its directory and agents', async ({ worker, projectId }) => {
  expect(success(await worker.call('get_project', { project_id: projectId }))).toEqual({
    success: true,
    project: {
      project_id: projectId,
      number: expect.any(Number),
      key: 'demo',
      name: 'demo',
      description: '',
      working_directory: expect.stringMatching(/^\//),
      asana_url: null,
      ...FOLDER_SETTINGS,
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      agents: ['agt_demo', 'agt_demo_peer'],
    },
  })
})

onBoth('the address in Asana is the same wherever the project is shown', async ({ hub }) => {
  const asana_url = 'https://app.asana.com/0/1234/list'
  const { body } = await hub.call('add-project', { name: 'planned', asana_url })
  const { projects } = await hub.api('project.list', {})
  const listed = projects.find(project => project.name === 'planned')
  expect(listed).toMatchObject({ number: body['project_id'], asana_url })
  const project_id = listed?.project_id ?? ''
  expect(success(await hub.call('get_project', { project_id }))['project']).toMatchObject({ asana_url })
  expect(success(await hub.call('list_projects'))['projects']).toContainEqual(expect.objectContaining({ asana_url }))
  const resource = await (await hub.connect()).client.readResource({ uri: `project://${project_id}` })
  expect(JSON.stringify(resource)).toContain(asana_url)

  const added = await hub.api('project.add', { name: 'also planned', asana_url: `${asana_url}/2` })
  expect(added).toMatchObject({ asana_url: `${asana_url}/2` })
  const edited = await hub.api('project.edit', { project_id, asana_url: null, description: '店', name: '計画' })
  expect(edited).toMatchObject({ name: '計画', description: '店', asana_url: null })
  expect(await hub.api('project.show', { project_id: added.project_id })).toMatchObject({
    asana_url: `${asana_url}/2`,
  })
  expect((await hub.call('get-projects')).body['projects']).toContainEqual(
    expect.objectContaining({ name: 'also planned', asana_url: `${asana_url}/2` }),
  )
})

refuses('get_project', [
  {
    name: 'an unknown project',
    args: () => ({ project_id: 'prj_x' }),
    error: 'There is no project prj_x; list_projects shows the ones there are.',
    code: 'PROJECT_NOT_FOUND',
  },
  {
    name: 'a number',
    args: () => ({ project_id: 1 }),
    error: /^Wrong arguments\. project_id: /,
    code: 'INVALID_ARGUMENT',
  },
])
