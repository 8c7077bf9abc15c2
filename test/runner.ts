// A hub with Runners and agents whose engine plays a script: the steps are the agent's own instructions, which the Runner puts
// into the prompt. Bridges, processes and connections are real.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { instanceLog, hubKey, locate } from '#client/locate.ts'
import { parseConfig } from '#kernel/config.ts'
import { openLog } from '#kernel/log.ts'
import { Runner, type RunnerOptions } from '#runner/runner.ts'
import { type TestHub, type TestHubOptions, testHub } from './hub.ts'
import { DIST } from '../scripts/sources.js'
import { build } from './processes.ts'
import { eventsOf, rowsOf } from './scene.ts'
import { SCRIPTED_ENGINE } from './scripted.ts'

/**
 * So that tests wait for what happens and not for the next round. Not shorter: the hub tells a Runner what has changed, and rounds
 * that find nothing cost processor time that other tests need.
 */
export const QUICK: NonNullable<RunnerOptions['pace']> = {
  pollMs: 200,
  heartbeatMs: 200,
  graceMs: 300,
  callMs: 20_000,
  farewellMs: 20_000,
}

/** The built bridge, as installed programs have it: nothing is made for a test that could be left behind. */
export async function bridgeProgram(): Promise<string> {
  build()
  return path.join(DIST, 'bridge.js')
}

export const scriptedConfig = {
  engines: {
    scripted: { headless: [process.execPath, SCRIPTED_ENGINE], output: 'claude', env: ['SCRIPTED_*'] },
    second: { headless: [process.execPath, SCRIPTED_ENGINE], output: 'claude' },
  },
  limits: { runs: 8, startsPerMinute: 1000 },
}

export type YardOptions = Omit<TestHubOptions, 'runner'> & {
  pace?: RunnerOptions['pace']
  runner?: Pick<RunnerOptions, 'notice'>
}

/** A hub with a Runner of its own inside, as `toryo up` has it. */
export async function yard(options: YardOptions = {}): Promise<Yard> {
  const program = await bridgeProgram()
  const hub = await testHub({
    config: scriptedConfig,
    ...options,
    runner: { bridge: program, source: engineSource(), ...options.runner, pace: { ...QUICK, ...options.pace } },
  })
  return new Yard(hub)
}

/** Another hub with a Runner inside on the same database (of PostgreSQL), as on another machine: with a home of its own. */
export async function yardBeside(place: Yard, options: YardOptions = {}): Promise<Yard> {
  const program = await bridgeProgram()
  const home = fs.mkdtempSync(path.join(place.hub.home, 'beside-'))
  const hub = await testHub({
    config: scriptedConfig,
    ...options,
    target: locate(place.hub.target.db, { env: { HOME: home, TORYO_HOME: home } }),
    runner: { bridge: program, source: engineSource(), ...options.runner, pace: { ...QUICK, ...options.pace } },
  })
  return new Yard(hub)
}

/** What engines may see of: as little as a person's shell has. */
function engineSource(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: os.tmpdir(), LANG: 'C' }
}

export class Yard implements AsyncDisposable {
  readonly hub: TestHub

  constructor(hub: TestHub) {
    this.hub = hub
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.hub[Symbol.asyncDispose]()
  }

  /** An agent with a script and a project of its own. */
  async agent(name: string, steps: readonly string[], engine = 'scripted'): Promise<Worker> {
    const agentId = `agt_${name}`
    const projectId = `prj_${name}`
    const directory = path.join(this.hub.home, name)
    fs.mkdirSync(directory, { recursive: true })
    const system_prompt = steps.map(step => `!${step}`).join('\n')
    await this.hub.api('agent.add', { id: agentId, name, engine, system_prompt })
    await this.hub.api('project.add', { id: projectId, name, directory })
    await this.hub.api('project.assign', { agent_id: agentId, project_id: projectId })
    return { agentId, projectId, directory }
  }

  async task(worker: Worker, id: string): Promise<string> {
    const { projectId, agentId } = worker
    await this.hub.api('task.add', {
      id,
      project_id: projectId,
      title: id,
      assignee_id: agentId,
      status: 'in_progress',
    })
    return id
  }

  async status(taskId: string): Promise<string> {
    return (await this.hub.api('task.show', { task_id: taskId })).status
  }

  log({ agentId, projectId }: Worker, epoch = 1): string {
    const file = instanceLog(this.hub.home, hubKey(this.hub.target), { agentId, projectId, epoch })
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  }

  async events(type: string): Promise<Record<string, unknown>[]> {
    return eventsOf(await rowsOf(this.hub, 'events'), type)
  }
}

export type Worker = { agentId: string; projectId: string; directory: string }

/** Signs in, gets the task, does these, reports. */
export function working(agentName: string, steps: readonly string[] = []): string[] {
  const who = JSON.stringify({ agent_id: `agt_${agentName}`, project_id: `prj_${agentName}` })
  return [
    `call authenticate ${who}`,
    'call get_my_task {"session_token":"$SESSION"}',
    ...steps,
    'call report_completed {"session_token":"$SESSION","result":"success","summary":"done"}',
  ]
}

/** A Runner of its own, as `toryo runner` on another machine would be. */
export async function runnerAt(
  hub: TestHub,
  token: string,
  home: string,
  changes: Partial<RunnerOptions> = {},
): Promise<Runner> {
  fs.mkdirSync(home, { recursive: true, mode: 0o700 })
  const config = parseConfig(JSON.stringify(scriptedConfig), 'test')
  const runner = new Runner({
    url: hub.url,
    token,
    version: '0.0.0-test',
    home,
    bridge: { program: await bridgeProgram(), args: ['--url', changes.url ?? hub.url], env: { TORYO_HOME: home } },
    source: engineSource(),
    lang: 'en',
    config: () => config,
    log: openLog({ level: '3', file: path.join(home, 'runner.log') }),
    ...changes,
    pace: { ...QUICK, ...changes.pace },
  })
  runner.start()
  return runner
}
