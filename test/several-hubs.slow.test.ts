// Several hubs on one PostgreSQL, each with a home and a Runner of its own, as a team has them.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '#kernel/config.ts'
import type { Notice } from '#runner/notice.ts'
import { createClient } from '#client/api.ts'
import type { Connection } from '#cli/connect.ts'
import { workFindings } from '#cli/doctor/work.ts'
import { databases, testHub } from './hub.ts'
import { runnerAt, scriptedConfig, working, type Yard, yard, yardBeside } from './runner.ts'
import { rowsOf } from './scene.ts'
import { until } from './until.ts'

const { scripted } = scriptedConfig.engines
/** Of a machine on which the scripted engine is not installed. */
const bare = { ...scriptedConfig, engines: {} }
const onlySecond = { ...scriptedConfig, engines: { second: scriptedConfig.engines.second } }

const namesOf = async ({ hub }: Yard) => (await hub.api('runner.list', {})).runners.map(({ name }) => name)
const waitsOf = async ({ hub }: Yard, task: string) => (await hub.api('task.show', { task_id: task })).not_started

test("each hub's Runner has a name of its own, the same after every start", async () => {
  await using first = await yard({ database: 'postgres' })
  const before = await until(async () => {
    const names = await namesOf(first)
    return names.length === 1 && names
  })
  await using second = await yardBeside(first)
  const both = await until(async () => {
    const names = await namesOf(second)
    return names.length === 2 && names
  })
  expect(new Set(both).size).toBe(2)
  expect(both).toEqual(expect.arrayContaining(before))
  for (const name of both) expect(name).toMatch(/^[\w-]+:[0-9a-f]{6}$/)
  const { target } = second.hub
  await second.hub.stop()
  await using again = await testHub({ target, runner: { bridge: '/nowhere', source: {} } })
  await until(async () => (await again.api('hub.status', {})).runners.length === 2)
  expect((await again.api('runner.list', {})).runners.map(({ name }) => name)).toEqual(both)
})

test('a hub without the engine does not claim the start; the one that has it starts it, and no try is lost', async () => {
  await using without = await yard({ database: 'postgres', config: bare })
  await using able = await yardBeside(without)
  await until(async () => (await namesOf(able)).length === 2)
  for (const name of ['amy', 'bob', 'cid', 'dan']) {
    const worker = await without.agent(name, working(name, ['write roof.txt done']))
    const task = await without.task(worker, `tsk_${name}`)
    await until(async () => (await without.status(task)) === 'done')
  }
  const rows = await rowsOf(without.hub)
  const names = await namesOf(without)
  const own = await able.hub
    .api('runner.list', {})
    .then(({ runners }) => runners.find(one => one.engines.includes('scripted')))
  expect(names).toContain(own?.name)
  expect(rows['instances']).toHaveLength(4)
  expect(rows['instances']?.every(row => row['runner'] === own?.name)).toBe(true)
  expect(rows['leases']?.every(row => row['restarts'] === 0)).toBe(true)
})

test('a start that no Runner can take is not claimed, and people read what it waits for', async () => {
  const notices: Notice[] = []
  await using first = await yard({
    database: 'postgres',
    config: onlySecond,
    runner: { notice: notice => void notices.push(notice) },
  })
  await using second = await yardBeside(first)
  const worker = await second.agent('amy', working('amy', ['write roof.txt done']))
  fs.rmSync(worker.directory, { recursive: true })
  // A Runner that has seen the folder may claim a start until it looks again.
  await until(async () => {
    const seen = (await rowsOf(first.hub, 'runner_folders'))['runner_folders'] ?? []
    return seen.length === 2 && seen.every(({ here }) => here === 0)
  })
  const task = await second.task(worker, 'tsk_amy')
  await until(async () => (await namesOf(first)).length === 2)
  const [a = '', b = ''] = await namesOf(first)
  const { runners } = await first.hub.api('runner.list', {})
  const able = runners.find(({ engines }) => engines.includes('scripted'))?.name
  const other = able === a ? b : a
  // Each Runner finds out on its own that the folder is gone.
  const isSaidOf = (said: string, name: string | undefined) =>
    new RegExp(`${name} does not have [^;]*${worker.directory}`).test(said)
  await until(async () => {
    const said = (await waitsOf(first, task)) ?? ''
    return isSaidOf(said, able) && isSaidOf(said, other)
  })
  const said = await waitsOf(first, task)
  expect(said).toContain(`Waits for a Runner with scripted and ${worker.directory}. `)
  expect(said).toContain(`${able} does not have ${worker.directory}`)
  expect(said).toContain(`${other} does not have scripted and ${worker.directory}`)
  // The same at the other hub, from the doctor, and at the terminal of `toryo up`.
  expect(await waitsOf(second, task)).toBe(said)
  const client = createClient({ url: second.hub.url, token: second.hub.token }) as Connection
  const findings = await workFindings(client, second.hub.target, { env: { PATH: process.env['PATH'] } })
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'start.agt_amy.prj_amy',
      level: 'warn',
      text: expect.objectContaining({ en: expect.stringContaining(`Waits for a Runner with scripted and`) }),
    }),
  )
  await until(() => notices.some(({ kind }) => kind === 'waits'))
  expect(notices.filter(({ kind }) => kind === 'waits')).toMatchObject([{ agent: 'amy', project: 'amy' }])
  expect(await first.events('instance.start_claimed')).toEqual([])
  expect((await rowsOf(first.hub, 'leases'))['leases']).toEqual([])

  fs.mkdirSync(worker.directory)
  await until(async () => (await first.status(task)) === 'done')
  expect(await waitsOf(first, task)).toBeNull()
  expect((await rowsOf(first.hub, 'instances'))['instances']).toMatchObject([{ runner: able, epoch: 1 }])
})

test.each(databases)('a Runner is offered what it has: the engine, and the folder (%s)', async database => {
  await using hub = await testHub({ database })
  const { projectId, agentId, peerId } = await hub.seed()
  await hub.api('task.add', { project_id: projectId, title: 't', assignee_id: peerId, status: 'in_progress' })
  const { token } = await hub.api('runner.add', { name: 'box' })
  const runner = await hub.connect({ credential: token, toolsets: 'runner' })
  type Held = { folders: { list: string; look?: { project_id: string; directory: string }[] } }
  const hold = async (engines: string[], folders?: { list: string; here: string[] }) => {
    const body = JSON.stringify({ engines, instances: [], ...(folders && { folders }) })
    const headers = { authorization: `Bearer ${token}` }
    return (await (await hub.fetch('/api/runner.hold', { method: 'POST', body, headers })).json()) as Held
  }
  const offered = async () => (await runner.call('list_active_projects_with_agents')).body['projects']
  const reason = async (agent_id: string) =>
    (await runner.call('should_start', { agent_id, project_id: projectId })).body['reason']

  // Of an earlier version: all is offered, as before.
  await hold(['codex'])
  expect(await offered()).toMatchObject([{ project_id: projectId, agents: [agentId, peerId] }])

  const { folders } = await hold(['codex'], { list: '', here: [] })
  expect(folders.look).toEqual([{ project_id: projectId, directory: hub.home }])
  expect([await offered(), await reason(agentId), await reason(peerId)]).toEqual([
    [],
    'engine_unavailable',
    'folder_unavailable',
  ])
  // An answer to another list counts for nothing.
  await hold(['codex'], { list: 'another', here: [projectId] })
  expect(await offered()).toEqual([])
  expect((await hold(['codex'], { list: folders.list, here: [projectId, 'prj_unknown'] })).folders).toEqual({
    list: folders.list,
  })
  expect(await offered()).toMatchObject([{ project_id: projectId, agents: [peerId] }])
  expect(await reason(agentId)).toBe('engine_unavailable')
  // There is another project: what was said before says nothing of it.
  const directory = path.join(hub.home, 'another')
  await hub.api('project.add', { id: 'prj_another', name: 'another', directory })
  const next = await hold(['codex'], { list: folders.list, here: [projectId, 'prj_another'] })
  expect(next.folders.look).toContainEqual({ project_id: 'prj_another', directory })
  expect(await offered()).toMatchObject([{ project_id: projectId, agents: [peerId] }])
  await hold(['codex'], { list: next.folders.list, here: ['prj_another'] })
  expect([await offered(), await reason(peerId)]).toEqual([
    [expect.objectContaining({ project_id: 'prj_another' })],
    'folder_unavailable',
  ])
  await hold(['codex'], { list: next.folders.list, here: [projectId] })
  const claim = await runner.call('should_start', { agent_id: peerId, project_id: projectId })
  expect(claim.body).toMatchObject({ should_start: true, ai_type: 'codex' })
  // A person's own script is none of them.
  const own = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  expect(own.body['should_start']).toBe(true)
})

test('a folder that goes between the offer and the start costs no try', async () => {
  await using hub = await testHub({ config: scriptedConfig })
  const { token } = await hub.api('runner.add', { name: 'box' })
  const directory = path.join(hub.home, 'shop')
  fs.mkdirSync(directory)
  await hub.api('agent.add', { id: 'agt_x', name: 'x', engine: 'scripted', system_prompt: '!exit 0' })
  await hub.api('project.add', { id: 'prj_x', name: 'x', directory })
  await hub.api('project.assign', { agent_id: 'agt_x', project_id: 'prj_x' })
  const task = { project_id: 'prj_x', title: 't', assignee_id: 'agt_x', status: 'in_progress' } as const
  await hub.api('task.add', { id: 'tsk_x', ...task })
  const config = parseConfig(JSON.stringify({ engines: { scripted } }), 'test')
  const runner = await runnerAt(hub, token, path.join(hub.home, 'box'), {
    config: () => config,
    at: point => {
      if (point === 'claimed') fs.rmSync(directory, { recursive: true, force: true })
    },
  })
  try {
    await until(async () => (await rowsOf(hub, 'instances'))['instances']?.some(row => row['ended_at'] !== null))
    await until(async () =>
      (await hub.api('task.show', { task_id: 'tsk_x' })).not_started?.includes('box does not have'),
    )
    const rows = await rowsOf(hub)
    expect(rows['leases']).toMatchObject([{ restarts: 0, next_start_at: 0 }])
    expect(rows['instances']).toHaveLength(1)
    expect((await hub.api('task.show', { task_id: 'tsk_x' })).status).toBe('in_progress')
  } finally {
    await runner.stop()
  }
})
