import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, type TestHub, testHub } from '#test/hub.ts'
import { sql } from '#test/queries-past-the-hub.ts'
import { takingConfig, startOf } from '#test/taking.ts'
import { until } from '#test/until.ts'

async function repositoryIn(hub: TestHub, name: string): Promise<string> {
  const folder = join(realpathSync(hub.home), name)
  mkdirSync(folder)
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init', '-q', '-b', 'main')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '--allow-empty', '-m', 'begin')
  return folder
}

async function ended(hub: TestHub, prompt: string, where: object, role = 'worker') {
  const stages = [{ tasks: [{ role, prompt }] }]
  const { runs } = await hub.api('crew.run', { mode: 'concurrent', stages, ...where })
  const run_id = runs[0]?.run_id ?? ''
  await until(async () => (await hub.api('run.show', { run_id })).ended_at !== null)
  return hub.api('run.show', { run_id })
}

async function refusal(hub: TestHub, run_id: string) {
  const response = await hub.fetch('/api/run.take', { method: 'POST', body: JSON.stringify({ run_id }) })
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return { status: response.status, ...error }
}

test.each(databases)('a run’s conversation goes on in a tab where the run worked (%s)', async database => {
  const { config, notes } = takingConfig()
  await using hub = await testHub({ database, config, terminals: true, engineEnv: { PATH: process.env['PATH'] } })
  const folder = await repositoryIn(hub, 'shop')
  await hub.api('project.add', { id: 'prj_shop', name: 'shop', directory: folder })
  const run = await ended(hub, '!say hello', { directory: folder })
  const tab = await hub.api('run.take', { run_id: run.run_id })
  expect(tab).toMatchObject({
    ...{ engine: 'scripted', session_id: run.session_id, project_id: 'prj_shop', branch: 'main' },
    ...{ worktree_path: folder, launched_by: 'operator', ended_at: null },
  })
  const start = await until(() => startOf(notes.path, tab.tab_id))
  expect(start).toMatchObject({ cwd: folder })
  expect(start.argv.slice(-2)).toEqual(['--resume', run.session_id])

  // The same limits and places as every other tab.
  expect(await refusal(hub, run.run_id)).toMatchObject({ status: 409, code: 'WORKTREE_IN_USE' })
  // Also when its program has checked out another branch meanwhile: it is the same folder, and the same conversation.
  execFileSync('git', ['-C', folder, 'switch', '-q', '-c', 'other'])
  expect(await refusal(hub, run.run_id)).toMatchObject({ status: 409, message: expect.stringContaining(tab.tab_id) })
  await hub.api('tab.stop', { tab_id: tab.tab_id })
  expect(await hub.api('tab.show', { tab_id: tab.tab_id })).toMatchObject({ end_reason: 'stopped' })
  const again = await hub.api('run.take', { run_id: run.run_id })
  expect(again.tab_id).not.toBe(tab.tab_id)
  notes[Symbol.dispose]()
})

test('of a run on a task, it goes on in the workspace, which is then taken', async () => {
  const { config, notes } = takingConfig()
  await using hub = await testHub({ config, terminals: true, engineEnv: { PATH: process.env['PATH'] } })
  const folder = await repositoryIn(hub, 'shop')
  await hub.api('project.add', { id: 'prj_shop', name: 'shop', directory: folder })
  const { task_id } = await hub.api('task.add', { project_id: 'prj_shop', title: 'Roof' })
  const run = await ended(hub, '!write a.txt x', { task_id })
  expect(run.directory).not.toBe(folder)
  const tab = await hub.api('run.take', { run_id: run.run_id })
  expect(tab).toMatchObject({ worktree_path: run.directory, session_id: run.session_id })
  const start = await until(() => startOf(notes.path, tab.tab_id))
  expect(start.cwd).toBe(run.directory)
  // Nothing is typed for the person: the conversation knows its task.
  expect((await hub.api('tab.show', { tab_id: tab.tab_id })).messages).toEqual([])
  expect(await refusal(hub, run.run_id)).toMatchObject({ code: 'WORKSPACE_BUSY' })
  notes[Symbol.dispose]()
})

test('what cannot be taken is refused with the reason, and no tab is made', async () => {
  const { config, notes } = takingConfig()
  await using hub = await testHub({ config, terminals: true, engineEnv: { PATH: process.env['PATH'] } })
  const folder = await repositoryIn(hub, 'shop')
  await hub.api('project.add', { id: 'prj_shop', name: 'shop', directory: folder })
  const taken = async (run_id: string) => {
    const { code, message } = await refusal(hub, run_id)
    expect(code).toBe('CANNOT_TAKE')
    return message
  }
  const stages = [{ tasks: [{ role: 'worker', prompt: '!wait never' }] }]
  const { runs } = await hub.api('crew.run', { mode: 'concurrent', stages, directory: folder })
  const open = runs[0]?.run_id ?? ''
  expect(await taken(open)).toContain('still running')
  await hub.api('run.stop', { run_id: open })

  expect(await taken((await ended(hub, '!say x', { directory: folder }, 'mute')).run_id)).toContain('mute has no way')
  const { run_id } = await ended(hub, '!say x', { directory: folder })
  const facts = (session?: string) =>
    JSON.stringify({ toolCalls: 0, denied: 0, created: [], edited: [], deleted: [], lines: 0, badLines: 0, session })
  for (const session of [undefined, '--dangerously-skip-permissions', 'a b']) {
    await sql(hub, `UPDATE runs SET facts = '${facts(session)}' WHERE id = '${run_id}'`)
    expect(await taken(run_id)).toContain('did not say how the conversation is called')
  }
  await sql(hub, `UPDATE runs SET facts = '${facts('abc')}', place = 'attic' WHERE id = '${run_id}'`)
  expect(await taken(run_id)).toContain('another machine')
  expect(await refusal(hub, 'run_nobody')).toMatchObject({ code: 'RUN_NOT_FOUND' })
  expect((await hub.api('tab.list', { all: true })).tabs).toEqual([])
  notes[Symbol.dispose]()
})
