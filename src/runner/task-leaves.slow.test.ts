import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { runnerAt, scriptedConfig, working, Yard } from '#test/runner.ts'
import { isRunning } from '#test/scripted.ts'
import { until } from '#test/until.ts'

test.each(databases)(
  'a Runner elsewhere ends the process of a task that was cancelled, at once and not after its grace (%s)',
  async database => {
    await using hub = await testHub({ database, config: scriptedConfig })
    const place = new Yard(hub)
    const worker = await place.agent('ken', working('ken', ['shell echo $PPID > pid', 'hang']))
    const task = await place.task(worker, 'tsk_ken')
    const { token } = await hub.api('runner.add', { name: 'elsewhere' })
    // Its heartbeat would come later than the test may take: the event must wake it.
    const pace = { graceMs: 600_000, heartbeatMs: 600_000 }
    const runner = await runnerAt(hub, token, path.join(hub.home, 'elsewhere'), { pace })
    try {
      const file = path.join(worker.directory, 'pid')
      await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').endsWith('\n'))
      const pid = Number(fs.readFileSync(file, 'utf8'))
      expect(isRunning(pid)).toBe(true)
      await hub.api('task.move', { task_id: task, status: 'cancelled' })
      await until(() => !isRunning(pid))
      await until(async () => (await place.events('instance.ended')).length === 1)
      const { executions } = await hub.api('task.show', { task_id: task })
      expect(executions).toHaveLength(1)
      expect(executions[0]).toMatchObject({
        status: 'error',
        reason: 'The agent was stopped because ken-1 was moved to cancelled.',
      })
    } finally {
      await runner.stop()
    }
  },
)
