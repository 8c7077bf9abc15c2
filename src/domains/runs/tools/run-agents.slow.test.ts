import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { eventsOf, rowsOf, success } from '#test/scene.ts'

onBothCrews('an agent works, reports by itself, and ends completed', async ({ hub, folder, start, ended }) => {
  const [id = ''] = await start('!write new.txt hello\n!write new.txt again\n!report success all done')
  const [state] = await ended(id)
  expect(state).toMatchObject({
    status: 'completed',
    endReason: 'success',
    exitCode: 0,
    toolCallCount: 3,
    createdFiles: [join(folder, 'new.txt')],
    editedFiles: [],
    usage: { input: 10, cache_read: null, cache_write: null, output: 2, reasoning: null },
    cost_usd: 0.001,
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    result: { status: 'success', summary: 'all done', source: 'report', createdFiles: [join(folder, 'new.txt')] },
  })
  expect(state).not.toHaveProperty('pid')
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('again\n')
  const rows = await rowsOf(hub)
  expect(rows['slots']).toEqual([])
  expect(rows['runs']).toMatchObject([{ ticket_digest: null, ticket_connection: null }])
  expect(eventsOf(rows, 'agent:created')).toMatchObject([{ agentId: id, status: 'queued', role: 'worker' }])
  expect(eventsOf(rows, 'agent:result_reported')).toMatchObject([{ agentId: id, status: 'success', toolCallCount: 3 }])
  expect(eventsOf(rows, 'run.ended')).toEqual([
    {
      ...{ runId: id, taskId: null, crewId: state?.['groupId'], outcome: 'completed', reason: 'success' },
      ...{
        toolCalls: 3,
        tokens: { input: 10, cache_read: null, cache_write: null, output: 2, reasoning: null },
        costUsd: 0.001,
      },
    },
  ])
})

onBothCrews('one without a report ends with a result made of what was seen', async ({ hub, folder, start, ended }) => {
  const [good = '', bad = '', silent = ''] = await start(
    '!write seen.txt x\n!say I made seen.txt',
    '!say before\n!fail the model is gone',
    '!exit 7',
  )
  const [a, b, c] = await ended(good, bad, silent)
  expect(a).toMatchObject({
    status: 'completed',
    result: { status: 'success', summary: 'I made seen.txt', createdFiles: [join(folder, 'seen.txt')], source: 'hub' },
  })
  expect(b).toMatchObject({
    status: 'failed',
    result: { status: 'failure', summary: 'before', errorMessage: 'the model is gone' },
  })
  expect(c).toMatchObject({ status: 'failed', exitCode: 7, endReason: 'exit-code-7' })
  expect(c?.['result']).toMatchObject({
    summary: 'Ended without a report (exit-code-7, exit code 7). scripted failed with exit code 7',
    source: 'hub',
  })
  const inJapanese = { method: 'POST', headers: { 'accept-language': 'ja' }, body: JSON.stringify({ run_id: silent }) }
  expect(await (await hub.fetch('/api/run.show', inJapanese)).json()).toMatchObject({
    result: { summary: 'scripted は終了コード 7 で失敗しました', source: 'hub' },
  })
})

onBothCrews('the answer names each agent at once, in order', async ({ hub, folder, group }) => {
  const groupId = await group()
  const agents = ['!say one', '!say two'].map(prompt => ({ role: 'worker', prompt, workingDirectory: folder }))
  const body = success(await hub.call('run_agents', { groupId, agents }))
  const one = { agentId: expect.stringMatching(/^run_/), groupId, role: 'worker', model: 'small', status: 'queued' }
  expect(body).toEqual({ agents: [one, one], total: 2 })
})

onBothCrews('an agent knows who it is, where it is and what to do', async ({ hub, folder, start, ended }) => {
  const [id = ''] = await start('Build it.\n!prompt\n!env')
  const [state = {}] = await ended(id)
  const prompt = (state['result'] as { summary: string }).summary
  expect(prompt).toMatch(/^You work\.\n\n# Your task\n\nBuild it\./)
  expect(prompt).toContain(`You are agent ${id} of group ${String(state['groupId'])}, working in ${folder}.`)
  const log = readFileSync(join(hub.target.logDirectory, 'runs', `${id}.log`), 'utf8')
  const line = log.split('\n').find(text => text.startsWith('{"type":"scripted"')) ?? '{}'
  const { argv, env, cwd } = JSON.parse(line) as { argv: string[]; env: Record<string, string>; cwd: string }
  expect(cwd).toBe(folder)
  expect(Object.keys(env).sort()).toEqual([
    'PATH',
    'TORYO_HOME',
    'TORYO_MARK',
    'TORYO_MCP_CONFIG',
    'TORYO_MODEL',
    'TORYO_RUN_ID',
    'TORYO_TICKET_FILE',
  ])
  expect(env['TORYO_RUN_ID']).toBe(id)
  expect(JSON.stringify([argv, env])).not.toMatch(/rtk_|hub_/)
})

onBothCrews('a folder that is not there starts nothing, and all of the call ends failed', async crew => {
  const { hub, group, folder } = crew
  writeFileSync(join(folder, 'file'), '')
  for (const [workingDirectory, problem] of [
    [join(folder, 'nowhere'), `${join(folder, 'nowhere')} is not a folder`],
    [join(folder, 'file'), `${join(folder, 'file')} is not a folder`],
    ['work', 'work is not an absolute path'],
  ]) {
    const agents = [folder, workingDirectory].map(place => ({
      role: 'worker',
      prompt: '!hang',
      workingDirectory: place,
    }))
    const { body, isError } = await hub.call('run_agents', { groupId: await group(), agents })
    expect({ isError, body }).toEqual({
      isError: true,
      body: { error: true, code: 'AGENTS_START_FAILED', message: `Nothing was started: ${problem}.` },
    })
  }
  const rows = await rowsOf(hub)
  expect(rows['runs']).toHaveLength(6)
  for (const run of rows['runs'] ?? []) expect(run).toMatchObject({ outcome: 'failed', process: null })
  expect(rows['slots']).toEqual([])
})

onBothCrews('without a folder it works in the client’s own, links followed', async ({ hub, folder, group, ended }) => {
  symlinkSync(folder, join(hub.home, 'link'))
  const client = await hub.connect({ directory: join(hub.home, 'link') })
  const agents = [{ role: 'worker', prompt: '!write here.txt x' }]
  const { body } = await client.call('run_agents', { groupId: await group(), agents })
  const [state] = await ended((body['agents'] as { agentId: string }[])[0]?.agentId ?? '')
  expect(state).toMatchObject({ workingDirectory: folder, createdFiles: [join(folder, 'here.txt')] })
})

onBothCrews('callers of a project start agents inside of it only', async ({ hub, folder }) => {
  const inside = join(folder, 'project')
  for (const name of ['project/deep', 'project-evil']) mkdirSync(join(folder, name), { recursive: true })
  symlinkSync(join(folder, 'project-evil'), join(inside, 'out'))
  await hub.api('project.add', { id: 'prj_p', name: 'p', directory: inside })
  const { passkey } = await hub.api('agent.add', { id: 'agt_a', name: 'a', engine: 'claude' })
  await hub.api('project.assign', { project_id: 'prj_p', agent_id: 'agt_a' })
  const agent = await hub.connect({ directory: inside })
  await agent.signIn('agt_a', passkey, 'prj_p')
  const { groupId } = (await agent.call('create_group', { description: 'd' })).body
  const code = async (workingDirectory: string) => {
    const { body } = await agent.call('run_agents', {
      groupId,
      agents: [{ role: 'worker', prompt: 'x', workingDirectory }],
    })
    return body['code'] ?? 'ok'
  }
  for (const outside of [
    folder,
    join(folder, 'project-evil'),
    join(inside, 'out'),
    join(inside, '..'),
    '/proc/self/root',
  ])
    expect([outside, await code(outside)]).toEqual([outside, 'NOT_ALLOWED'])
  expect(await code(join(inside, 'deep'))).toBe('ok')
  expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([
    { project_id: 'prj_p', directory: realpathSync(join(inside, 'deep')), started_by: 'agent:agt_a' },
  ])
})

const asked = { role: 'worker', prompt: 'x' }

refusesCrew(
  'run_agents',
  [
    {
      name: 'nobody',
      args: async ({ group }) => ({ groupId: await group(), agents: [] }),
      code: 'EMPTY_AGENTS',
      message: 'agents is empty; name at least one.',
    },
    {
      name: 'an unknown group',
      args: () => ({ groupId: 'grp-0-0', agents: [asked] }),
      code: 'GROUP_NOT_FOUND',
      message: 'Group grp-0-0 not found. Create one with create_group.',
    },
    {
      name: 'a deleted group',
      args: async ({ hub, group }) => {
        const groupId = await group()
        await hub.call('delete_group', { groupId })
        return { groupId, agents: [asked] }
      },
      code: 'GROUP_NOT_ACTIVE',
      message: /^Group grp-\S+ was deleted; make another with create_group\.$/,
    },
    {
      name: 'a group for stages',
      args: async ({ group }) => ({ groupId: await group('sequential'), agents: [asked] }),
      code: 'MODE_MISMATCH',
      message: /is sequential: use run_sequential with it/,
    },
    {
      name: 'an unknown role',
      args: async ({ group }) => ({ groupId: await group(), agents: [asked, { ...asked, role: 'cook' }] }),
      code: 'ROLE_NOT_FOUND',
      message: 'Role cook not found. Use list_roles to list them.',
    },
    {
      name: 'a role whose program is missing',
      args: async ({ group }) => ({ groupId: await group(), agents: [{ ...asked, role: 'lost' }] }),
      code: 'ROLE_UNAVAILABLE',
      message: 'Role lost is not available: /nowhere/at-all is not in PATH. `toryo doctor` says what to do.',
    },
    {
      name: 'a role whose model is not the engine’s',
      args: async ({ group }) => ({ groupId: await group(), agents: [{ ...asked, role: 'odd' }] }),
      code: 'ROLE_UNAVAILABLE',
      message: /^Role odd is not available: scripted does not run huge\./,
    },
    {
      name: 'more than there are slots',
      args: async ({ group, folder }) => {
        const agents = [1, 2, 3].map(() => ({ ...asked, workingDirectory: folder }))
        return { groupId: await group(), agents }
      },
      code: 'MAX_CONCURRENT_REACHED',
      message: /^3 more would be over the limit of 2 runs at a time/,
    },
    {
      name: 'no prompt',
      args: async ({ group }) => ({ groupId: await group(), agents: [{ role: 'worker', prompt: ' ' }] }),
      code: 'INVALID_ARGUMENT',
      message: /agents\.0\.prompt: must not be empty/,
    },
    {
      name: 'no time',
      args: async ({ group }) => ({ groupId: await group(), agents: [{ ...asked, timeout_ms: -1 }] }),
      code: 'INVALID_ARGUMENT',
      message: /agents\.0\.timeout_ms/,
    },
  ],
  { limits: { runs: 2 } },
)
