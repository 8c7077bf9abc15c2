import { expect } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { callBy, invoke, rowsOf, success } from '#test/scene.ts'

onBothCrews('shows how an agent stands while it works', async ({ hub, folder, start, until }) => {
  const [id = ''] = await start({ prompt: '!write a.txt x\n!say on my way\n!hang', timeout_ms: 3_600_000 })
  const state = await until(id, now => now['lastMessage'] === 'on my way')
  expect(state).toEqual({
    agentId: id,
    groupId: expect.stringMatching(/^grp-/),
    role: 'worker',
    engine: 'scripted',
    model: 'small',
    status: 'running',
    prompt: '!write a.txt x\n!say on my way\n!hang',
    workingDirectory: folder,
    stageIndex: null,
    createdAt: expect.stringMatching(/Z$/),
    startedAt: expect.stringMatching(/Z$/),
    endedAt: null,
    elapsed_ms: expect.any(Number),
    timeout_ms: 3_600_000,
    toolCallCount: 1,
    editedFiles: [],
    createdFiles: [`${folder}/a.txt`],
    lastMessage: 'on my way',
    sessionId: expect.any(String),
    usage: null,
    cost_usd: null,
    exitCode: null,
    endReason: null,
    result: null,
  })
  expect(success(await hub.call('get_agent_status', { agentId: id }))['status']).toBe('running')
})

onBothCrews('tokens that cannot be are unknown, and the log says so', async ({ hub, start, ended }) => {
  const usage = { input_tokens: 1.5, output_tokens: 1 }
  const [id = ''] = await start(`!line ${JSON.stringify({ type: 'result', subtype: 'success', usage })}\n!say done`)
  await ended(id)
  expect(success(await hub.call('get_agent_status', { agentId: id }))).toMatchObject({ usage: null, cost_usd: 0.001 })
  expect((await hub.api('run.logs', { run_id: id })).text).toContain('[toryo] It gives its tokens as input 1.5')
})

onBothCrews('callers of another project learn nothing', async ({ hub, folder, start, ended }) => {
  await hub.api('project.add', { id: 'prj_own', name: 'own', directory: folder })
  const [id = ''] = await start('!say x')
  await ended(id)
  const by = (projectId: string | null) =>
    callBy({ kind: 'run', runId: 'run_x', crewId: 'grp-1-1', projectId, depth: 1 } as Caller)
  const code = async (projectId: string | null) => {
    const outcome = await invoke(hub, 'get_agent_status', { agentId: id }, by(projectId))
    return outcome.ok ? 'ok' : outcome.error.code
  }
  expect([await code('prj_own'), await code('prj_other'), await code(null)]).toEqual([
    'ok',
    'NOT_ALLOWED',
    'NOT_ALLOWED',
  ])
  expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([{ project_id: 'prj_own' }])
})

refusesCrew('get_agent_status', [
  {
    name: 'an unknown agent',
    args: () => ({ agentId: 'run_nobody' }),
    code: 'AGENT_NOT_FOUND',
    message: 'Agent run_nobody not found. Use list_agents to list them.',
  },
])
