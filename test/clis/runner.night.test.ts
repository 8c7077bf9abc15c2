import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { markedProcesses } from '../scripted.ts'
import { describeClis, EVERY_CLI } from './clis.ts'
import type { Script } from './model/conversation.ts'
import { diligent } from './scripts.ts'
import { CliWorld, until } from './world.ts'

/** As OpenAI tells a subscriber; the one service of which we know that the program passes the time on. */
const spent: Script = () => ({
  refuse: 429,
  message: '',
  body: {
    error: { type: 'usage_limit_reached', message: 'Reached', plan_type: 'plus', resets_at: inTwoHours() / 1000 },
  },
})
const inTwoHours = () => Math.floor(Date.now() / 1000 + 7200) * 1000

describeClis(EVERY_CLI, cli => {
  test('the Runner starts it: it signs in, gets the task, writes a file, reports', async () => {
    await using world = await CliWorld.open(cli, { usual: diligent }, { runner: true, registered: true })
    const { taskId, agentId } = await world.employ()
    await until(async () => (await world.hub.api('task.show', { task_id: taskId })).status === 'done')
    expect(fs.readFileSync(path.join(world.work, 'roof.txt'), 'utf8')).toBe('alpha\nBETA\n')
    const { executions } = await world.hub.api('task.show', { task_id: taskId })
    expect(executions).toMatchObject([{ agent_id: agentId, status: 'completed' }])
    // It ends on its own after its report, and with it all that it has started.
    await until(() => markedProcesses(world.home).length === 0)
    const status = await world.hub.api('hub.status', {})
    expect(status.pauses).toEqual([])
  })
})

describeClis(['codex'], cli => {
  test('when its quota is spent the Runner starts it no more until the time it told', async () => {
    await using world = await CliWorld.open(cli, { usual: spent }, { runner: true })
    const { agentId, projectId } = await world.employ()
    const [pause] = await until(async () => {
      const { pauses } = await world.hub.api('hub.status', {})
      return pauses.length > 0 && pauses
    })
    expect(pause).toMatchObject({ engine: 'codex' })
    expect(Math.abs(Date.parse(String(pause?.until)) - inTwoHours())).toBeLessThan(120_000)
    expect((await world.hub.call('should_start', { agent_id: agentId, project_id: projectId })).body).toMatchObject({
      should_start: false,
      reason: 'engine_paused',
    })
  })
})
