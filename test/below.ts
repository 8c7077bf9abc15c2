// A hub with everything that it starts: a tab, a run of a crew and a Runner's instance, each of which does as a file says.
// They belong to one project; another project has a task and a run, which are none of their business.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { PAGE_HEADER } from '#contract/limits.ts'
import { GIVEN_TOOLSETS } from '#contract/toolsets.ts'
import { readState } from '#client/state-file.ts'
import { DIST } from '../scripts/sources.js'
import { type CrewHub, crewOn } from './crews.ts'
import { type TestHub, type TestHubOptions, testHub } from './hub.ts'
import { bridgeProgram, QUICK } from './runner.ts'
import { SCRIPTED_ENGINE, until } from './scripted.ts'
import { git } from './tabs.ts'

const DOORS = fileURLToPath(new URL('./fixtures/doors.js', import.meta.url))
export const PLACES = ['tab', 'run', 'instance'] as const
export type Place = (typeof PLACES)[number]

/** Started by the test itself, with this mark or none. */
export type Outside = { mark?: string }

export type Knocked = {
  status?: number
  code?: string
  text?: string
  problem?: string
  given?: boolean
  calls?: { isError?: boolean; code?: string; text?: string; error?: string }[]
}

export type Below = {
  hub: TestHub
  crew: CrewHub
  /** Of the tab, the run and the agent that were started. */
  ids: Record<Place, string>
  otherTask: string
  otherRun: string
  tab: string
  /** Starts what belongs to the place and lets it run a command of the shell, in which `$DOORS` knocks at every door of the hub. */
  knock(
    place: Place | Outside,
    calls: readonly { tool: string; args: object }[],
    how?: string,
    token?: string,
    at?: TestHub,
  ): Promise<Record<string, Knocked>>
}

/** All that can be given, so that it is the right and not the offer that is missing. */
const toolsets = GIVEN_TOOLSETS
const config = {
  tabs: { toolsets },
  limits: { depth: 1, launchesPerMinute: 1000, startsPerMinute: 1000, tabs: 20, runs: 20 },
  engines: {
    scripted: { headless: [process.execPath, SCRIPTED_ENGINE], output: 'claude', models: ['small'], env: [] },
    quiet: { terminal: ['/bin/cat'] },
    obedient: { terminal: ['/bin/sh', '-c', 'while [ ! -e "$0" ]; do sleep 0.02; done; sh "$0"; exec sleep 1000'] },
  },
  roles: [{ id: 'worker', name: 'Worker', engine: 'scripted', model: 'small', instructions: 'You work.', toolsets }],
}

/** `beside`: the hub has no Runner of its own; the story starts one. */
type BelowOptions = TestHubOptions & { beside?: boolean }

export async function onBelow(
  { beside, ...options }: BelowOptions,
  story: (below: Below) => Promise<void>,
): Promise<void> {
  const orders = fs.realpathSync(fs.mkdtempSync('/tmp/toryo-below-'))
  const tabOrders = path.join(orders, 'tab.sh')
  const engines = {
    ...config.engines,
    quiet: { terminal: ['/bin/cat'] },
    obedient: { terminal: [...config.engines.obedient.terminal, tabOrders] },
  }
  try {
    const runner = { bridge: await bridgeProgram(), source: { PATH: process.env.PATH, HOME: orders }, pace: QUICK }
    await using hub = await testHub({
      config: { ...config, engines },
      terminals: true,
      engineEnv: { PATH: process.env.PATH },
      page: path.join(DIST, 'web'),
      ...(!beside && { runner }),
      ...options,
    })
    await story(await furnish(hub, orders, tabOrders, beside ?? false))
  } finally {
    fs.rmSync(orders, { recursive: true, force: true })
  }
}

/** The same for all tests of a `describe`: a hub with all of this costs more than most of what is asked of it. */
export function sharedBelow(options: BelowOptions): () => Below {
  let shared: Below | undefined
  let end = () => {}
  let ended = Promise.resolve()
  beforeAll(
    () =>
      new Promise<void>((resolve, reject) => {
        const story = (below: Below) => {
          shared = below
          resolve()
          return new Promise<void>(done => (end = done))
        }
        ended = onBelow(options, story)
        ended.catch(reject)
      }),
  )
  afterAll(() => {
    end()
    return ended
  })
  return () => {
    if (!shared) throw new Error('asked for before its tests')
    return shared
  }
}

async function furnish(hub: TestHub, orders: string, tabOrders: string, beside: boolean): Promise<Below> {
  const folder = path.join(orders, 'repo')
  const elsewhere = path.join(orders, 'other')
  for (const place of [folder, elsewhere]) {
    fs.mkdirSync(place)
    git(place, 'init', '-q', '-b', 'main')
    git(place, 'commit', '-q', '--allow-empty', '-m', 'first')
  }
  // In a workspace only the hub's own Runner starts agents.
  const where = beside ? { workspace: 'folder' as const, accept: 'report' as const } : {}
  await hub.api('project.add', { id: 'prj_own', name: 'own', directory: folder, ...where })
  await hub.api('project.add', { id: 'prj_other', name: 'other', directory: elsewhere })
  const otherTask = (await hub.api('task.add', { id: 'tsk_other', project_id: 'prj_other', title: 'theirs' })).task_id
  const crew = crewOn(hub, folder)
  const [otherRun = ''] = await crewOn(hub, elsewhere).start('!hang')
  const ids = { tab: '', run: '', instance: '' }
  let count = 0

  const start: Record<Place, (command: string) => Promise<void>> = {
    async tab(command) {
      fs.writeFileSync(`${tabOrders}.draft`, command)
      fs.renameSync(`${tabOrders}.draft`, tabOrders)
      const launched = await hub.api('tab.launch', { engine: 'obedient', branch: `b${count}`, project_id: 'prj_own' })
      ids.tab = launched.tab_id
    },
    async run(command) {
      const [id = ''] = await crew.start(`!shell ${command}\n!hang`)
      ids.run = id
    },
    async instance(command) {
      ids.instance = `agt_${count}`
      const system_prompt = `!shell ${command}\n!hang`
      await hub.api('agent.add', { id: ids.instance, name: ids.instance, engine: 'scripted', system_prompt, toolsets })
      await hub.api('project.assign', { agent_id: ids.instance, project_id: 'prj_own' })
      const task = { project_id: 'prj_own', title: 'own', assignee_id: ids.instance, status: 'in_progress' as const }
      await hub.api('task.add', { id: `tsk_${count}`, ...task })
    },
  }

  const launched = await hub.api('tab.launch', { engine: 'quiet', branch: 'watched', project_id: 'prj_own' })
  return {
    hub,
    crew,
    ids,
    otherTask,
    otherRun,
    tab: launched.tab_id,
    async knock(place, calls, how = '$DOORS', token = hub.token, at = hub) {
      const out = path.join(orders, `answers-${++count}.json`)
      const plan = path.join(orders, `plan-${count}.json`)
      const { url } = at
      const { socket } = readState(at.target) ?? {}
      const move = { task_id: otherTask, status: 'cancelled' }
      const session = await mcpSession(at)
      const send = { tab_id: launched.tab_id, message: 'hello' }
      const link = new URL((await at.api('hub.login_link', {})).url).hash.slice('#login='.length)
      const stolen = await pageAt(at)
      const facts = { url, token, socket, tab: launched.tab_id, calls, move, session, send, link, stolen, out }
      fs.writeFileSync(plan, JSON.stringify(facts))
      const command = how.replaceAll('$DOORS', `${process.execPath} ${DOORS} ${plan}`)
      if (typeof place === 'string') await start[place](command)
      else {
        const { TORYO_MARK: _, ...env } = process.env
        const mark = place.mark === undefined ? {} : { TORYO_MARK: place.mark }
        spawn('/bin/sh', ['-c', command], { env: { ...env, ...mark }, stdio: 'inherit' })
      }
      await until(() => fs.existsSync(out))
      return JSON.parse(fs.readFileSync(out, 'utf8')) as Record<string, Knocked>
    },
  }
}

/** One that the operator has opened. */
async function mcpSession(hub: TestHub): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const answer = await hub.fetch('/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}

/** Both halves of a browser that the operator signed in: agents run as the same user, who can read the files of a browser. */
async function pageAt(hub: TestHub): Promise<Record<string, string>> {
  const token = new URL((await hub.api('hub.login_link', {})).url).hash.slice('#login='.length)
  const response = await fetch(`${hub.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub.url },
    body: JSON.stringify({ token }),
  })
  // A hub without a page has no door to it.
  const { page_token = '' } = (await response.json().catch(() => ({}))) as { page_token?: string }
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, [PAGE_HEADER]: page_token, origin: hub.url }
}
