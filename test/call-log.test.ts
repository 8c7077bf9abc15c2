// At LOG_LEVEL 3 the log has every call: which, whose, how long and what came of it; never what was said.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onStage } from './scene.ts'

test('every call is a line with its name, caller, duration and outcome, and without its arguments', () =>
  onStage({}, async ({ hub, worker, taskId, agentId, passkey, projectId }) => {
    await worker.call('save_context', { task_id: taskId, progress: 'the secret plan' })
    await hub.call('get_task', { task_id: 'tsk_missing' })
    await hub.call('authenticate', { agent_id: agentId, passkey, project_id: projectId })
    await hub.call('inject_phase_prompt', { phase: 'phase0', project_id: projectId })
    const text = readFileSync(join(hub.home, 'hub.log'), 'utf8')
    const calls = text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Record<string, unknown>)
      .filter(line => line['message'] === 'call')
    const of = (tool: string) => calls.findLast(line => line['tool'] === tool)
    expect(of('save_context')).toEqual({
      level: 'DEBUG',
      timestamp: expect.stringMatching(/Z$/),
      tool: 'save_context',
      caller: `agent:${agentId}`,
      ms: expect.any(Number),
      outcome: 'ok',
      message: 'call',
    })
    expect(of('get_task')).toMatchObject({ caller: 'operator', outcome: 'TASK_NOT_FOUND' })
    expect(of('authenticate')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
    expect(of('inject_phase_prompt')).toMatchObject({ outcome: 'ok' })
    for (const secret of ['the secret plan', 'tsk_missing', passkey]) expect(text).not.toContain(secret)
  }))
