// Starts that were granted before their agent was disabled or their project archived.
import { expect } from 'vitest'
import { sql } from './queries-past-the-hub.ts'
import { eventsOf, inTime, onBoth, rowsOf, type Scene, tend } from './scene.ts'

const UNWANTED: [name: string, make: (scene: Scene) => Promise<unknown>][] = [
  ['agent was disabled', ({ hub, other }) => hub.api('agent.disable', { agent_id: other.agentId })],
  ['project was archived', ({ hub, other }) => hub.api('project.archive', { project_id: other.projectId })],
]

for (const [name, make] of UNWANTED)
  onBoth(`a start that nobody took up is taken back when its ${name}`, async scene => {
    const { hub, other } = scene
    await hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId })
    await make(scene)
    await tend(hub)
    expect(eventsOf(await rowsOf(hub, 'events'), 'run.ended')).toMatchObject([
      { outcome: 'error', reason: 'taken-away' },
    ])
  })

onBoth(
  "an agent of people's own Runner that is at work may still report when its project was archived",
  async scene => {
    const { hub, other } = scene
    await hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId })
    const worker = await hub.connect()
    const token = await worker.signIn(other.agentId, other.passkey, other.projectId)
    await worker.call('get_my_task', { session_token: token })
    await hub.api('project.archive', { project_id: other.projectId })
    await tend(hub)
    const report = { session_token: token, result: 'success', summary: 'It holds.' }
    expect((await worker.call('report_completed', report)).body).toMatchObject({ success: true })
  },
)

inTime(
  'a start that cannot be read keeps no other from being settled',
  async ({ hub, peerId, projectId, other }, clock) => {
    await hub.api('task.add', { project_id: projectId, title: 'Door', assignee_id: peerId, status: 'in_progress' })
    for (const pair of [
      { agent_id: peerId, project_id: projectId },
      { agent_id: other.agentId, project_id: other.projectId },
    ])
      expect((await hub.call('should_start', pair)).body).toMatchObject({ should_start: true })
    await sql(hub, `UPDATE instances SET process = '{' WHERE agent_id = '${peerId}'`)
    clock.advance(600_000)
    await expect(tend(hub)).rejects.toThrow('JSON')
    const { leases = [] } = await rowsOf(hub, 'leases')
    expect(leases.find(({ agent_id }) => agent_id === peerId)?.['start_by']).not.toBeNull()
    expect(leases.find(({ agent_id }) => agent_id === other.agentId)?.['start_by']).toBeNull()
  },
)
