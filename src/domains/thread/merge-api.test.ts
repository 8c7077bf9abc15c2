import { expect, test } from 'vitest'
import { databases, testHub } from '../../../test/hub.ts'

test.each(databases)(
  'the queue is empty until accepted work is in it, and says why it takes none (%s)',
  async database => {
    await using hub = await testHub({ database })
    const { projectId, taskId } = await hub.seed()
    expect(await hub.api('merge.list', { project_id: projectId, ended: true })).toEqual({ merges: [] })
    await expect(hub.api('task.merge', { task_id: taskId })).rejects.toThrow(
      /NOT_ACCEPTED.*is working and not accepted/,
    )
    await hub.api('task.move', { task_id: taskId, status: 'done' })
    await expect(hub.api('task.merge', { task_id: taskId })).rejects.toThrow(/NO_WORKSPACE.*has no workspace/)
    expect(await hub.api('merge.list', {})).toEqual({ merges: [] })
  },
)
