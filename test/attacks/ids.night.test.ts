// Ids that would lead out of the folders that are named after them: at every door through which they can come, and where paths are
// made of them.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, expect, test } from 'vitest'
import { databases, type TestHub, testHub } from '../hub.ts'
import { build } from '../processes.ts'
import { runnerAt, scriptedConfig, working } from '../runner.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { Toryo } from '../toryo.ts'
import { until } from '../until.ts'

const HOSTILE = [
  '../../../escaped',
  '/etc/escaped',
  'a/b',
  '..',
  '.',
  'a\\..\\b',
  'nul',
  'x.',
  '-x',
  'a\u2024\u2024b',
  'x'.repeat(101),
]

type Line = { table?: string; row: Record<string, unknown> }

async function exported(hub: TestHub): Promise<string[]> {
  const text = await (await hub.fetch('/api/export')).text()
  return text.split('\n').filter(line => line !== '')
}

/** The export with another id in each place where that of one project, agent or task stands. */
function renamed(lines: readonly string[], from: string, to: string): string {
  const swap = (value: unknown) => (value === from ? to : value)
  const rows = lines.map(text => {
    const line = JSON.parse(text) as Line
    if (line.table === undefined || line.table === 'events') return text
    return JSON.stringify({ ...line, row: Object.fromEntries(Object.entries(line.row).map(([k, v]) => [k, swap(v)])) })
  })
  return `${rows.join('\n')}\n`
}

test.each(databases)('import takes no id that could be a path (%s)', async database => {
  await using source = await testHub()
  const { projectId, agentId, taskId } = await source.seed()
  const lines = await exported(source)
  await using hub = await testHub({ database })
  for (const id of [projectId, agentId, taskId])
    for (const hostile of HOSTILE) {
      const answer = await hub.fetch('/api/import', { method: 'POST', body: renamed(lines, id, hostile) })
      const { error } = (await answer.json()) as { error: { code: string; message: string } }
      expect([hostile, answer.status, error.code]).toEqual([hostile, 400, 'INVALID_ARGUMENT'])
      expect(error.message).toMatch(/^Line \d+ .*nothing was imported/)
    }
  const { agents, projects, tasks, events } = await rowsOf(hub)
  expect({ agents, projects, tasks, events }).toEqual({ agents: [], projects: [], tasks: [], events: [] })
  expect((await hub.fetch('/api/import', { method: 'POST', body: `${lines.join('\n')}\n` })).status).toBe(200)
})

test('ids of people are checked by the same rule', async () => {
  await using hub = await testHub()
  for (const id of HOSTILE) {
    await expect(hub.api('project.add', { id, name: 'x' })).rejects.toThrow(/id|name/)
    await expect(hub.api('agent.add', { id, name: 'x', engine: 'claude' })).rejects.toThrow(/id|name/)
    await expect(hub.api('runner.add', { name: id })).rejects.toThrow(/id|name/)
  }
})

/** A database from another person: intact, and with any ids. */
function spoil(db: string, from: string, to: string): void {
  const database = new DatabaseSync(db)
  database.exec('PRAGMA foreign_keys = OFF')
  database.prepare('UPDATE projects SET id = ? WHERE id = ?').run(to, from)
  for (const table of ['project_agents', 'tasks', 'leases'])
    database.prepare(`UPDATE ${table} SET project_id = ? WHERE project_id = ?`).run(to, from)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

test('a Runner writes nothing outside of its home, whatever its hub calls projects and agents', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-ids-'))
  try {
    await using first = await testHub({ config: scriptedConfig })
    const work = path.join(folder, 'work')
    fs.mkdirSync(work)
    const system_prompt = working('a')
      .map(step => `!${step}`)
      .join('\n')
    await first.api('agent.add', { id: 'agt_a', name: 'a', engine: 'scripted', system_prompt })
    await first.api('project.add', { id: 'prj_a', name: 'a', directory: work })
    await first.api('project.assign', { agent_id: 'agt_a', project_id: 'prj_a' })
    await first.api('task.add', { project_id: 'prj_a', title: 'x', assignee_id: 'agt_a', status: 'in_progress' })
    await first.running.stop()
    const hostile = '../../../../escaped'
    spoil(first.target.db, 'prj_a', hostile)

    await using hub = await testHub({ target: first.target })
    const { token } = await hub.api('runner.add', { name: 'elsewhere' })
    const home = path.join(folder, 'deep', 'home')
    const runner = await runnerAt(hub, token, home)
    const ended = await until(async () => eventsOf(await rowsOf(hub, 'events'), 'instance.ended')[0])
    expect(ended).toMatchObject({ projectId: hostile, cause: 'not-started' })
    await runner.stop()
    expect(fs.readdirSync(folder).sort()).toEqual(['deep', 'work'])
    expect(fs.readdirSync(path.join(folder, 'deep'))).toEqual(['home'])
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

beforeAll(() => build())

test('restore refuses a database with such ids, and keeps the one that is there', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'shop', '--id', 'prj_shop')
  const backup = path.join(toryo.folder, 'backup.db')
  await toryo.json('backup', backup)
  await toryo.run(['stop'])
  spoil(backup, 'prj_shop', '../../shop')
  const { code, err } = await toryo.run(['restore', backup])
  expect([code, err]).toEqual([1, expect.stringContaining('../../shop')])
  expect(await toryo.json('project', 'show', 'prj_shop')).toMatchObject({ project_id: 'prj_shop' })
})
