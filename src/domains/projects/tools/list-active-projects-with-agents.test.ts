import { expect } from 'vitest'
import { onBoth, refuses, success } from '#test/scene.ts'

onBoth('lists active projects with the agents that may be started', async ({ hub, other, projectId, peerId }) => {
  await hub.api('project.add', { id: 'prj_old', name: 'old', directory: hub.home })
  await hub.api('project.archive', { project_id: 'prj_old' })
  await hub.api('agent.disable', { agent_id: peerId })
  const body = success(await hub.call('list_active_projects_with_agents'))
  const directory = expect.stringMatching(/^\//)
  expect(body).toEqual({
    success: true,
    projects: expect.arrayContaining([
      { project_id: projectId, project_name: 'demo', working_directory: directory, agents: ['agt_demo'] },
      {
        project_id: other.projectId,
        project_name: 'other',
        working_directory: directory,
        agents: ['agt_other', 'agt_other_peer'],
      },
    ]),
  })
  expect(body['projects']).toHaveLength(2)
})

onBoth('goes on with the cursor', async ({ hub }) => {
  const first = success(await hub.call('list_active_projects_with_agents', { limit: 1 }))
  const args = { limit: 1, cursor: first['next_cursor'] }
  const second = success(await hub.call('list_active_projects_with_agents', args))
  const ids = [first, second].flatMap(page => (page['projects'] as { project_id: string }[]).map(p => p.project_id))
  expect(ids.sort()).toEqual(['prj_demo', 'prj_other'])
  expect(second['next_cursor']).toBeUndefined()
})

refuses('list_active_projects_with_agents', [
  {
    name: 'an agent',
    by: 'worker',
    args: () => ({}),
    error: 'list_active_projects_with_agents is not for this kind of caller (agent).',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'a cursor of another list',
    args: () => ({ cursor: Buffer.from('"agt_x"').toString('base64url') }),
    error: 'cursor is not one that this list gave out; call again without it.',
    code: 'INVALID_ARGUMENT',
  },
])
