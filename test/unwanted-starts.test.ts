// Starts that were granted before their agent was disabled or their project archived.
import { expect } from 'vitest'
import { eventsOf, onBoth, rowsOf, type Scene, tend } from './scene.ts'

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
