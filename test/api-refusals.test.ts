// What the operations of people refuse: status, code, and nothing written.
import { expect } from 'vitest'
import type { Operation } from '#contract/api.ts'
import { RawSocket } from './raw-socket.ts'
import { onBoth, rowsOf, type Scene, withoutAudit } from './scene.ts'

const table: [Operation, (s: Scene) => object, number, string][] = [
  ['project.add', () => ({ name: 'demo' }), 409, 'PROJECT_EXISTS'],
  ['project.add', s => ({ name: 'new', id: s.projectId }), 409, 'PROJECT_EXISTS'],
  ['project.add', () => ({ name: 'new', directory: 'relative' }), 400, 'INVALID_ARGUMENT'],
  ['project.add', () => ({ name: 'new', id: '../x' }), 400, 'INVALID_ARGUMENT'],
  ['project.add', () => ({ name: 'new', asana_url: 'ftp://x' }), 400, 'INVALID_ARGUMENT'],
  ['project.edit', s => ({ project_id: s.projectId, name: 'other' }), 409, 'PROJECT_EXISTS'],
  ['project.edit', s => ({ project_id: s.projectId, asana_url: 'nowhere' }), 400, 'INVALID_ARGUMENT'],
  ['project.edit', () => ({ project_id: 'x', name: 'y' }), 404, 'PROJECT_NOT_FOUND'],
  ['project.show', () => ({ project_id: 'x' }), 404, 'PROJECT_NOT_FOUND'],
  ['project.assign', s => ({ project_id: s.projectId, agent_id: 'x' }), 404, 'AGENT_NOT_FOUND'],
  ['project.unassign', s => ({ project_id: s.projectId, agent_id: s.other.agentId }), 409, 'AGENT_NOT_ASSIGNED'],
  ['project.unassign', s => ({ project_id: s.projectId, agent_id: 'x' }), 404, 'AGENT_NOT_FOUND'],
  ['project.archive', () => ({ project_id: 'x' }), 404, 'PROJECT_NOT_FOUND'],
  ['agent.add', () => ({ name: 'demo worker', engine: 'claude' }), 409, 'AGENT_EXISTS'],
  ['agent.add', s => ({ name: 'new', engine: 'claude', id: s.agentId }), 409, 'AGENT_EXISTS'],
  ['agent.disable', () => ({ agent_id: 'x' }), 404, 'AGENT_NOT_FOUND'],
  ['agent.rotate', () => ({ agent_id: 'x' }), 404, 'AGENT_NOT_FOUND'],
  ['task.add', s => ({ project_id: s.projectId, title: 't', id: s.taskId }), 409, 'TASK_EXISTS'],
  ['task.add', () => ({ project_id: 'x', title: 't' }), 404, 'PROJECT_NOT_FOUND'],
  ['task.add', s => ({ project_id: s.projectId, title: 't', assignee_id: s.other.agentId }), 409, 'AGENT_NOT_ASSIGNED'],
  ['task.add', s => ({ project_id: s.projectId, title: 't', assignee_id: 'x' }), 404, 'AGENT_NOT_FOUND'],
  ['task.add', s => ({ project_id: s.projectId, title: ' ' }), 400, 'INVALID_ARGUMENT'],
  ['task.move', () => ({ task_id: 'x', status: 'done' }), 404, 'TASK_NOT_FOUND'],
  ['project.check.add', s => ({ project_id: s.projectId, name: 'No', command: ['x'] }), 400, 'INVALID_ARGUMENT'],
  ['project.check.add', s => ({ project_id: s.projectId, name: 'no', command: [] }), 400, 'INVALID_ARGUMENT'],
  ['project.check.list', () => ({ directory: '/nowhere' }), 400, 'INVALID_ARGUMENT'],
  ['project.check.remove', s => ({ project_id: s.projectId, name: 'none' }), 404, 'CHECK_NOT_FOUND'],
  ['project.check.trust', s => ({ project_id: s.projectId, name: 'none' }), 404, 'CHECK_NOT_FOUND'],
  ['project.check.trust', s => ({ project_id: s.projectId, task_id: s.taskId }), 409, 'NO_WORKSPACE'],
  ['run.show', () => ({ run_id: 'run_nobody' }), 404, 'RUN_NOT_FOUND'],
  ['run.repeat', () => ({ run_id: 'run_nobody' }), 404, 'RUN_NOT_FOUND'],
  ['crew.repeat', () => ({ crew_id: 'grp-1-none' }), 404, 'GROUP_NOT_FOUND'],
  ['work.list', () => ({ ended: 1000 }), 400, 'INVALID_ARGUMENT'],
  ['task.assign', s => ({ task_id: s.taskId, agent_id: 'x' }), 404, 'AGENT_NOT_FOUND'],
]

onBoth('each refusal has its status and code, and changes no row', async scene => {
  const before = await rowsOf(scene.hub)
  for (const [operation, input, status, code] of table) {
    const response = await scene.hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input(scene)) })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect([operation, response.status, error.code]).toEqual([operation, status, code])
    expect(error.message.length).toBeGreaterThan(10)
  }
  expect(withoutAudit(await rowsOf(scene.hub))).toEqual(withoutAudit(before))
})

onBoth('no token, or one of nobody, is UNAUTHENTICATED; a ticket of nobody is TICKET_REFUSED', async ({ hub }) => {
  for (const authorization of ['', 'Bearer x', 'Basic eDp5']) {
    const response = await hub.fetch('/api/project.list', { method: 'POST', body: '{}', headers: { authorization } })
    expect(response.status).toBe(401)
    expect(await response.text()).toContain('A valid token is needed')
  }
  await expect(RawSocket.open(hub, { credential: 'tkt_of_nobody', secret: 's' })).rejects.toThrow('401')
})
