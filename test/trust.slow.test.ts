// Nothing starts an engine in a folder whose agent configuration no person has looked at: no tab, no run of a crew, no
// agent of a Runner, here or on another machine. A change takes the trust away again.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#client/api.ts'
import { workFindings } from '#cli/doctor/work.ts'
import type { Connection } from '#cli/connect.ts'
import { parseConfig } from '#kernel/config.ts'
import type { Notice } from '#runner/notice.ts'
import { until } from './bridge/world.ts'
import { onBothCrews, onCrew } from './crews.ts'
import { databases } from './hub.ts'
import { runnerAt, scriptedConfig, working, yard, type Yard } from './runner.ts'
import { rowsOf } from './scene.ts'
import { answer, git, launch, TabShop } from './tabs.ts'

const HOOK = '.github/hooks/start.json'

function put(folder: string, name: string, content: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  fs.writeFileSync(path.join(folder, name), content)
}

onBothCrews('no run starts in a folder that is not trusted, nor in one that changed since', async crew => {
  const { hub, folder } = crew
  put(folder, HOOK, '{"hooks":{}}')
  const agents = [{ role: 'worker', prompt: '!say hello', workingDirectory: folder }]
  const asked = { groupId: await crew.group(), agents }
  const staged = { groupId: await crew.group('sequential'), stages: [{ tasks: agents }] }
  const refused = async (files: string) => {
    const before = await rowsOf(hub)
    for (const [tool, args] of [
      ['run_agents', asked],
      ['run_sequential', staged],
    ] as const) {
      const { body, isError } = await hub.call(tool, args)
      expect({ tool, body, isError }).toEqual({
        tool,
        isError: true,
        body: {
          error: true,
          code: 'TRUST_REQUIRED',
          message: expect.stringMatching(new RegExp(`\\(${files}\\).*toryo project trust --dir ${folder}\``)),
        },
      })
    }
    const crewRun = { mode: 'concurrent', stages: [{ tasks: [{ role: 'worker', prompt: 'x' }] }], directory: folder }
    const response = await hub.fetch('/api/crew.run', { method: 'POST', body: JSON.stringify(crewRun) })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: 'TRUST_REQUIRED' } })
    const after = await rowsOf(hub)
    for (const table of ['runs', 'crews', 'slots', 'trusts'])
      expect(after[table]?.length, table).toBe(before[table]?.length)
  }
  await refused(HOOK)
  expect(await hub.api('project.trust', { from: folder })).toMatchObject({
    project_id: null,
    directory: folder,
    files: [HOOK],
  })
  expect(await crew.ended(...(await crew.start('!say hello')))).toMatchObject([{ status: 'completed' }])
  const [planned] = (await crew.plan([['!say hello']])).stages.flat()
  expect(await crew.ended(planned as string)).toMatchObject([{ status: 'completed' }])
  put(folder, HOOK, '{"hooks":{"sessionStart":[]}}')
  await refused(HOOK)
  put(folder, HOOK, '{"hooks":{}}')
  expect(await crew.ended(...(await crew.start('!say hello')))).toMatchObject([{ status: 'completed' }])
})

onBothCrews('what one stage plants for the next is not started with', async crew => {
  const { stages } = await crew.plan([['!write .mcp.json {}\n!say done'], ['!say never']])
  const [first, second] = stages.flat() as [string, string]
  const [planted, next] = await crew.ended(first, second)
  expect(planted).toMatchObject({ status: 'completed' })
  expect(next).toMatchObject({ status: 'failed', toolCallCount: 0 })
  const { runs } = await rowsOf(crew.hub)
  const row = runs?.find(run => run['id'] === second)
  expect(row).toMatchObject({ end_reason: 'trust-required', started_at: null })
  expect(JSON.stringify(next)).toContain(`toryo project trust --dir ${crew.folder}`)
})

test('a run in a folder of a project stands on the trust in the project, also in its worktrees', () =>
  onCrew({}, async crew => {
    const { hub, folder } = crew
    put(folder, '.claude/settings.json', '{}')
    put(folder, 'app/index.js', '')
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'first')
    const run = async (workingDirectory: string) => {
      const { body } = await hub.call('run_agents', {
        groupId: await crew.group(),
        agents: [{ role: 'worker', prompt: '!say x', workingDirectory }],
      })
      return (
        body['code'] ?? (await crew.ended((body['agents'] as { agentId: string }[])[0]?.agentId ?? ''))[0]?.['status']
      )
    }
    expect(await run(path.join(folder, 'app'))).toBe('TRUST_REQUIRED')
    // The operator added the project: that is trust in what was there.
    await hub.api('project.add', { id: 'shop', name: 'shop', directory: folder })
    expect(await run(folder)).toBe('completed')
    expect(await run(path.join(folder, 'app'))).toBe('completed')
    const made = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'other' })
    expect(await run(made.path)).toBe('completed')
    put(made.path, 'app/.env', 'X=1')
    expect(await run(made.path)).toBe('completed')
    expect(await run(path.join(made.path, 'app'))).toBe('TRUST_REQUIRED')
    const trusted = await hub.api('project.trust', { from: path.join(made.path, 'app') })
    expect(trusted).toMatchObject({ project_id: 'shop', directory: folder })
    expect(await run(path.join(made.path, 'app'))).toBe('completed')
  }))

async function untrustedAgent(place: Yard, name: string, file = HOOK) {
  const worker = await place.agent(name, working(name, ['write roof.txt done']))
  // After the project was added, as a pull would bring it.
  put(worker.directory, file, '{"hooks":{}}')
  return { worker, task: await place.task(worker, `tsk_${name}`) }
}

test.each(databases)(
  'a Runner starts no agent in a folder that is not trusted, and burns no try of its task (%s)',
  async database => {
    await using place = await yard({ database })
    const { hub } = place
    const { worker, task } = await untrustedAgent(place, 'amy')
    const pair = { agent_id: worker.agentId, project_id: worker.projectId }
    const refused = async (times: number) => {
      await until(async () => (await place.events('project.start_refused')).length === times)
      await until(async () => (await hub.api('hub.status', {})).instances === 0)
      const shown = await hub.api('task.show', { task_id: task })
      expect(shown.status).toBe('in_progress')
      expect(shown.not_started).toMatch(/\.github\/hooks\/start\.json.*toryo project trust prj_amy`/)
      // Asked by a person's own script, the hub says the same.
      expect((await hub.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'trust_required' })
      const rows = await rowsOf(hub)
      expect(rows['leases']).toMatchObject([{ restarts: 0, next_start_at: 0, start_by: null }])
      expect(rows['slots']).toEqual([])
      expect(rows['instances']?.every(row => row['ended_at'] !== null)).toBe(true)
    }
    await refused(1)
    expect(await place.events('instance.ended')).toMatchObject([{ cause: 'untrusted', exitCode: null }])
    expect(place.log(worker)).toBe('')

    const client = createClient({ url: hub.url, token: hub.token }) as Connection
    const findings = await workFindings(client, hub.target, { env: { PATH: process.env['PATH'] } })
    expect(findings).toMatchObject([
      {
        check: 'trust.prj_amy',
        level: 'warn',
        text: { en: expect.stringContaining('.github/hooks/start.json') },
        fix: { en: expect.stringContaining('toryo project trust prj_amy') },
      },
    ])

    // Another configuration is refused as well, and said once.
    put(worker.directory, HOOK, '{"hooks":{"sessionStart":[]}}')
    await refused(2)
    await hub.api('project.trust', { project_id: worker.projectId })
    await until(async () => (await place.status(task)) === 'done')
    expect(fs.readFileSync(`${worker.directory}/roof.txt`, 'utf8')).toBe('done\n')
    expect((await rowsOf(hub, 'sightings'))['sightings']).toEqual([])

    // Changed after the trust: the next task waits, until the folder is what it was.
    put(worker.directory, '.mcp.json', '{}')
    const second = await place.task(worker, 'tsk_second')
    await until(async () => (await place.events('project.start_refused')).length === 3)
    expect((await hub.api('task.show', { task_id: second })).not_started).toContain('.mcp.json')
    fs.rmSync(path.join(worker.directory, '.mcp.json'))
    await until(async () => (await place.status(second)) === 'done')
    expect((await hub.api('task.show', { task_id: second })).not_started).toBeNull()
  },
)

test('a Runner on another machine says what it sees there, and that is what is trusted', async () => {
  await using place = await yard({ config: { ...scriptedConfig, engines: {} } })
  const { hub } = place
  const { token } = await hub.api('runner.add', { name: 'far' })
  // On its machine there is an engine that the hub does not know: the hub itself would see nothing.
  const { worker, task } = await untrustedAgent(place, 'bob', 'far.json')
  const { scripted } = scriptedConfig.engines
  const config = parseConfig(
    JSON.stringify({ engines: { scripted: { ...scripted, projectConfig: ['far.json'] } } }),
    'test',
  )
  const notices: Notice[] = []
  const runner = await runnerAt(hub, token, path.join(hub.home, 'far'), {
    config: () => config,
    notice: notice => void notices.push(notice),
  })
  try {
    await until(async () => (await place.events('project.start_refused')).length === 1)
    await until(() => notices.some(({ kind }) => kind === 'not-trusted'))
    expect(notices.filter(({ kind }) => kind === 'started')).toEqual([])
    const { refused } = await hub.api('runner.refused', {})
    expect(refused).toMatchObject([
      {
        project_id: 'prj_bob',
        runner: 'far',
        files: ['far.json'],
        command: 'toryo project trust prj_bob --runner far',
      },
    ])
    expect((await hub.api('task.show', { task_id: task })).not_started).toMatch(/Runner far.*--runner far`/)
    // What the hub sees on its own machine is another matter.
    expect(await hub.api('project.trust', { project_id: 'prj_bob' })).toMatchObject({ files: [] })
    expect(await place.status(task)).toBe('in_progress')
    expect(await hub.api('project.trust', { project_id: 'prj_bob', runner: 'far' })).toMatchObject({
      project_id: 'prj_bob',
      files: ['far.json'],
    })
    await until(async () => (await place.status(task)) === 'done')
    expect(fs.existsSync(path.join(worker.directory, 'roof.txt'))).toBe(true)
  } finally {
    await runner.stop()
  }
})

test.each(databases)(
  'a tab is refused where Copilot’s hooks are not trusted, and where they changed since (%s)',
  async database => {
    await using shop = new TabShop({ database, files: { [HOOK]: '{"hooks":{}}', 'sub/x': '' } })
    const hub = await shop.hub()
    const first = await launch(hub, 'trusted')
    answer(await hub.call('gwt_stop_tab', { tab_id: first }))
    put(shop.repository, HOOK, '{"hooks":{"sessionStart":[]}}')
    const launching = { agent_id: 'tui', branch: 'later', project_id: shop.projectId }
    const changed = await hub.call('gwt_launch_agent', launching)
    expect(changed.body).toMatchObject({ error: true, code: 'TRUST_REQUIRED' })
    // In a folder between the top of the repository and the one that the agent works in, it counts as well.
    put(shop.repository, HOOK, '{"hooks":{}}')
    put(shop.repository, 'sub/deep/x', '')
    put(shop.repository, 'sub/.codex/config.toml', '')
    git(shop.repository, 'checkout', '-q', '-b', 'planted')
    git(shop.repository, 'add', '-A')
    git(shop.repository, 'commit', '-q', '-m', 'planted')
    git(shop.repository, 'checkout', '-q', 'main')
    fs.mkdirSync(path.join(shop.repository, 'sub/deep'), { recursive: true })
    await hub.api('project.add', { id: 'deep', name: 'deep', directory: path.join(shop.repository, 'sub/deep') })
    const planted = await hub.call('gwt_launch_agent', { ...launching, branch: 'planted', project_id: 'deep' })
    expect(planted.body).toMatchObject({
      code: 'TRUST_REQUIRED',
      message: expect.stringContaining('sub/.codex/config.toml'),
    })
    const [, command] = /`(toryo project trust [^`]*)`/.exec(String(planted.body['message'])) ?? []
    const worktree = command?.replace('toryo project trust --dir ', '') ?? ''
    expect(await hub.api('project.trust', { from: worktree })).toMatchObject({ project_id: 'deep' })
    await launch(hub, 'planted', { project_id: 'deep' })
  },
)
