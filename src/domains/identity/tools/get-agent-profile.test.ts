import { expect } from 'vitest'
import { onBoth, refuses, success } from '#test/scene.ts'

onBoth('shows name, role, engine and projects, and no secret', async ({ hub, other, agentId, projectId, worker }) => {
  await hub.api('project.assign', { project_id: other.projectId, agent_id: agentId })
  const body = success(await worker.call('get_agent_profile', { agent_id: agentId }))
  expect(body).toEqual({
    success: true,
    agent: {
      agent_id: agentId,
      name: 'demo worker',
      role: '',
      ai_type: 'claude',
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      project_ids: [projectId, other.projectId],
    },
  })
})

onBoth('shows a disabled agent as such', async ({ hub, peerId }) => {
  await hub.api('agent.disable', { agent_id: peerId })
  expect(success(await hub.call('get_agent_profile', { agent_id: peerId }))).toMatchObject({
    agent: { status: 'disabled' },
  })
})

refuses('get_agent_profile', [
  {
    name: 'an unknown agent',
    args: () => ({ agent_id: 'me' }),
    error: 'Agent me not found. Use list_agents to list them.',
    code: 'AGENT_NOT_FOUND',
  },
  { name: 'no id', args: () => ({}), error: /^Wrong arguments\. agent_id: /, code: 'INVALID_ARGUMENT' },
])
