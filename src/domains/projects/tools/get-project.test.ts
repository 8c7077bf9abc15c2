import { expect } from 'vitest'
import { onBoth, refuses, success } from '#test/scene.ts'

onBoth('shows the project with its directory and agents', async ({ worker, projectId }) => {
  expect(success(await worker.call('get_project', { project_id: projectId }))).toEqual({
    success: true,
    project: {
      project_id: projectId,
      number: expect.any(Number),
      name: 'demo',
      description: '',
      working_directory: expect.stringMatching(/^\//),
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      agents: ['agt_demo', 'agt_demo_peer'],
    },
  })
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
