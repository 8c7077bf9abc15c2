import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { onBothCrews } from './crews.ts'
import { databases } from './hub.ts'
import { eventsOf, onBoth, rowsOf, success } from './scene.ts'
import { git, launch, TabShop } from './tabs.ts'

function configure(folder: string, config: unknown): void {
  const file = join(folder, '.toryo', 'config.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
}

test.each(databases)(
  'a project has no more tabs than its own file allows, and other projects their own (%s)',
  async database => {
    await using shop = new TabShop({ database, limits: { tabs: 3 } })
    const hub = await shop.hub()
    const other = join(shop.home, 'other')
    git(shop.home, 'clone', '-q', shop.repository, other)
    await hub.api('project.add', { id: 'prj_other', name: 'other', directory: other })
    configure(shop.repository, { limits: { tabs: 1 } })
    await launch(hub, 'one')
    const full = "The limit of 1 tabs in the project's .toryo/config.json is reached; stop one with gwt_stop_tab."
    await expect(launch(hub, 'two')).rejects.toThrow(full)
    await launch(hub, 'elsewhere', { project_id: 'prj_other' })
    // A broken file keeps its last valid values, and the person sees where the mistake is.
    configure(shop.repository, '{\n  "limits": {\n    "tabs": "many"\n  }\n}')
    await expect(launch(hub, 'two')).rejects.toThrow(full)
    const { findings } = await hub.api('doctor.run', {})
    expect(findings.filter(({ check }) => check === 'project-config')).toMatchObject([
      { level: 'warn', message: expect.stringContaining('.toryo/config.json:3: limits.tabs:') },
    ])
    // It cannot allow more than the user's own file does.
    configure(shop.repository, { limits: { tabs: 1000 } })
    await launch(hub, 'two')
    await expect(launch(hub, 'three')).rejects.toThrow('The limit of 3 tabs is reached')
    expect((await rowsOf(hub, 'tabs'))['tabs']).toHaveLength(3)
  },
)

test.each(databases)(
  'a project launches tabs no faster and no deeper than its own file allows (%s)',
  async database => {
    await using shop = new TabShop({ database })
    const hub = await shop.hub()
    configure(shop.repository, { limits: { launchesPerMinute: 1 } })
    await launch(hub, 'one')
    await expect(launch(hub, 'two')).rejects.toThrow('At most 1 tabs are launched in a minute')
    configure(shop.repository, { limits: { depth: 0 } })
    await expect(launch(hub, 'two')).rejects.toThrow('Tabs launch tabs at most 0 deep')
    // A file that says nothing of limits sets none: the defaults are not its own.
    configure(shop.repository, { worktrees: { setup: ['true'] } })
    for (const branch of ['a', 'b', 'c', 'd']) await launch(hub, branch)
  },
)

onBothCrews(
  'runs of a crew stay within the limits of their project, and give their places back',
  async ({ hub, folder, start, plan, ended, until }) => {
    await hub.api('project.add', { id: 'prj_crew', name: 'crew', directory: folder })
    configure(folder, { limits: { runs: 2 } })
    const own =
      "3 more would be over the limit of 2 runs at a time; wait for some to end, or raise limits.runs in the project's .toryo/config.json."
    await expect(start('!hang', '!hang', '!hang')).rejects.toThrow(JSON.stringify(own).slice(1, -1))
    await expect(plan([['!say a'], ['!say b', '!say c', '!say d']])).rejects.toThrow('limit of 2 runs')
    expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
    const { stages } = await plan([['!hang'], ['!say b', '!say c']])
    await until(stages[0]?.[0] ?? '', 'running')
    await expect(start('!say x')).rejects.toThrow('limit of 2 runs')
    await hub.api('run.stop', { run_id: stages[0]?.[0] ?? '' })
    await ended(...stages.flat())
    await ended(...(await start('!say x', '!say y')))
    expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
    configure(folder, { limits: { depth: 0 } })
    await expect(start('!say x')).rejects.toThrow('DEPTH_LIMIT_REACHED')
  },
  { limits: { runs: 5 } },
)

onBoth('a Runner starts no more in a project than its own file allows', async ({ hub, other }) => {
  const directory = join(hub.home, 'narrow')
  configure(directory, { limits: { runs: 1 } })
  const project_id = 'prj_narrow'
  await hub.api('project.add', { id: project_id, name: 'narrow', directory })
  for (const agent_id of [other.agentId, other.peerId]) {
    await hub.api('project.assign', { project_id, agent_id })
    await hub.api('task.add', {
      project_id,
      title: 'x',
      description: 'x',
      assignee_id: agent_id,
      status: 'in_progress',
    })
  }
  const ask = async (agent_id: string) => success(await hub.call('should_start', { agent_id, project_id }))
  expect(await ask(other.agentId)).toMatchObject({ should_start: true })
  expect(await ask(other.peerId)).toEqual({ should_start: false, reason: 'project_limit' })
  configure(directory, { limits: { runs: 2, startsPerMinute: 1 } })
  expect(await ask(other.peerId)).toEqual({ should_start: false, reason: 'project_limit' })
  configure(directory, {})
  expect(await ask(other.peerId)).toMatchObject({ should_start: true })
  expect(eventsOf(await rowsOf(hub, 'events'), 'instance.start_claimed')).toHaveLength(2)
})
