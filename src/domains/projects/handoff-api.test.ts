import { expect } from 'vitest'
import { eventsOf, onBoth, rowsOf } from '#test/scene.ts'

onBoth(
  'the operator hands a task on to nobody, finds it, and gives it to an agent',
  async ({ hub, taskId, ...scene }) => {
    const { agentId, peerId, projectId } = scene
    const given = { task_id: taskId, from_agent_id: agentId, summary: 'half done', recommendations: 'the roof next' }
    const added = await hub.api('handoff.add', given)
    expect(added).toMatchObject({ ...given, to_agent_id: null, context: null, status: 'pending', accepted_by: null })
    const { handoff_id } = added
    for (const filter of [{}, { task_id: taskId }, { project_id: projectId }, { agent_id: peerId }])
      expect(await hub.api('handoff.list', filter), JSON.stringify(filter)).toEqual({ handoffs: [added] })
    const other = await hub.api('task.add', { project_id: projectId, title: 'another' })
    expect(await hub.api('handoff.list', { task_id: other.task_id })).toEqual({ handoffs: [] })

    const accepted = await hub.api('handoff.accept', { handoff_id, agent_id: peerId })
    expect(accepted).toMatchObject({ handoff_id, status: 'accepted', accepted_by: peerId })
    expect(await hub.api('task.show', { task_id: taskId })).toMatchObject({
      assignee_id: peerId,
      status: 'in_progress',
    })
    expect(await hub.api('handoff.list', {})).toEqual({ handoffs: [] })
    await expect(hub.api('handoff.accept', { handoff_id, agent_id: agentId })).rejects.toThrow('HANDOFF_ACCEPTED')
    const rows = await rowsOf(hub)
    expect(eventsOf(rows, 'handoff.created')).toEqual([{ handoffId: handoff_id, taskId, from: agentId, to: null }])
    expect(eventsOf(rows, 'handoff.accepted')).toEqual([{ handoffId: handoff_id, taskId, by: peerId }])
  },
)

onBoth(
  'one to an agent is its task at once, and a list goes on where it stopped',
  async ({ hub, taskId, ...scene }) => {
    const { agentId, peerId, projectId } = scene
    const summary = 'all yours'
    await hub.api('handoff.add', { task_id: taskId, from_agent_id: agentId, to_agent_id: peerId, summary })
    expect(await hub.api('task.show', { task_id: taskId })).toMatchObject({
      assignee_id: peerId,
      status: 'in_progress',
    })
    const { task_id } = await hub.api('task.add', { project_id: projectId, title: 'another', assignee_id: agentId })
    await hub.api('handoff.add', { task_id, from_agent_id: agentId, summary })
    const first = await hub.api('handoff.list', { limit: 1 })
    expect(first.handoffs.map(one => one.task_id)).toEqual([taskId])
    const second = await hub.api('handoff.list', { limit: 1, cursor: first.next_cursor })
    expect(second.handoffs.map(one => one.task_id)).toEqual([task_id])
    expect(second.next_cursor).toBeUndefined()
    // What the peer was given is not the other agent's to accept.
    const open = await hub.api('handoff.list', { agent_id: agentId })
    expect(open.handoffs.map(one => one.task_id)).toEqual([task_id])
  },
)
