// One test's own machine for real agent programs: a person's home, a project, a hub, a scripted model, and runs as the hub
// starts them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { existedBefore } from '#engines/existed.ts'
import type { HeadlessRequest, Invocation, McpEntry } from '#engines/engine.ts'
import type { Facts } from '#engines/facts.ts'
import { findProgram } from '#engines/find-program.ts'
import { judge, type Verdict } from '#engines/judge.ts'
import { type Ending, type Limits, supervise, type Supervised } from '#kernel/processes/supervise.ts'
import { DIST } from '../../scripts/sources.js'
import { type TestHub, type TestHubOptions, testHub } from '../hub.ts'
import { QUICK } from '../runner.ts'
import { newMarker } from '../scripted.ts'
import { type CliName, engineOf, settleIn } from './clis.ts'
import { Model } from './model.ts'
import type { Script } from './model/conversation.ts'

export type RunOptions = Partial<Pick<HeadlessRequest, 'permission' | 'session' | 'model' | 'prompt' | 'mcp'>> & {
  limits?: Limits
  env?: Record<string, string>
}

type Scripts = Readonly<Record<string, Script>>

/** `runner`: as `toryo up` has one. `registered`: in the config files of this home, as `toryo up` is. */
type HubOptions = Omit<TestHubOptions, 'runner' | 'register'> & { runner?: boolean; registered?: boolean }

export type Done = { facts: Facts; verdict: Verdict; ending: Ending; output: string; errors: string; marker: string }

export class CliWorld implements AsyncDisposable {
  readonly cli: CliName
  readonly folder: string
  readonly hub: TestHub
  readonly model: Model
  /** What the person's shell would hand on. */
  readonly source: Record<string, string>
  #runs = 0
  #employed = 1

  private constructor(cli: CliName, folder: string, hub: TestHub, model: Model, source: Record<string, string>) {
    this.cli = cli
    this.folder = folder
    this.hub = hub
    this.model = model
    this.source = source
  }

  /** Of several programs the first is the one that `run` and `start` are about. */
  static async open(clis: CliName | readonly CliName[], scripts: Scripts, hub: HubOptions = {}): Promise<CliWorld> {
    const all = typeof clis === 'string' ? [clis] : clis
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-clis-')))
    const [home, work] = [path.join(folder, 'home'), path.join(folder, 'work')]
    fs.mkdirSync(work)
    const model = await Model.start(scripts)
    const source = settleIn(all, { home, work, url: model.url })
    const bridge = path.join(DIST, 'bridge.js')
    const { runner, registered, ...rest } = hub
    const register = registered && { register: { env: source, bridge } }
    const options = {
      engineEnv: source,
      ...rest,
      ...register,
      ...(runner && { runner: { bridge, source, pace: QUICK } }),
    }
    return new CliWorld(all[0] as CliName, folder, await testHub(options), model, source)
  }

  get home(): string {
    return path.join(this.folder, 'home')
  }

  get work(): string {
    return path.join(this.folder, 'work')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hub[Symbol.asyncDispose]()
    await this.model[Symbol.asyncDispose]()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  /** A project in the work folder and an agent of this engine with a task. */
  async employ(): Promise<{ projectId: string; agentId: string; taskId: string }> {
    const name = `site${this.#employed++}`
    const agent = { agent_id: `agt_${name}` }
    const project = { project_id: `prj_${name}` }
    await this.hub.api('project.add', { id: project.project_id, name, directory: this.work })
    await this.hub.api('agent.add', { id: agent.agent_id, name: `${name} worker`, engine: this.cli })
    await this.hub.api('project.assign', { ...project, ...agent })
    const task = { title: 'Build the roof', assignee_id: agent.agent_id, status: 'in_progress' } as const
    await this.hub.api('task.add', { id: `tsk_${name}`, ...project, ...task })
    return { projectId: project.project_id, agentId: agent.agent_id, taskId: `tsk_${name}` }
  }

  /** A start that is claimed for the agent, as a Runner does it. */
  async ticket({ agentId, projectId }: { agentId: string; projectId: string }): Promise<string> {
    const { body } = await this.hub.call('should_start', { agent_id: agentId, project_id: projectId })
    if (typeof body['ticket'] !== 'string') throw new Error(`no start: ${JSON.stringify(body)}`)
    return body['ticket']
  }

  /** Our bridge as a program gets it for one run. */
  bridge(ticket: string): McpEntry {
    const file = path.join(this.folder, `ticket-${this.#runs}`)
    fs.writeFileSync(file, `${ticket}\n`, { mode: 0o600 })
    const args = [path.join(DIST, 'bridge.js'), '--url', this.hub.url]
    return { command: process.execPath, args, env: { TORYO_TICKET_FILE: file } }
  }

  /** Starts the program as the hub does. */
  async start(options: RunOptions): Promise<Running> {
    const engine = engineOf(this.cli)
    const { program, invocation } = await this.#invocation(options)
    const { limits = {} } = options
    const marker = newMarker()
    const reader = engine.reader({ cwd: this.work, exists: existedBefore() })
    const heard = { output: '', errors: '' }
    const run = await supervise({
      launch: {
        program,
        args: invocation.args,
        cwd: this.work,
        env: { ...invocation.env, TORYO_RUN_ID: `run_${this.#runs}` },
        marker,
        ...(invocation.stdin === undefined ? {} : { stdin: invocation.stdin }),
      },
      limits,
      onOutput(bytes, from) {
        reader.push(bytes, from)
        heard[from === 'stdout' ? 'output' : 'errors'] += bytes.toString('utf8')
      },
    })
    const done = run.ended.then((ending): Done => {
      reader.end()
      const { facts } = reader
      return { facts, verdict: judge(engine.capabilities, facts, ending), ending, ...heard, marker }
    })
    return { run, done, marker, facts: () => reader.facts }
  }

  async run(options: RunOptions): Promise<Done> {
    return (await this.start(options)).done
  }

  /** Runs the program as a person does: it bears no mark of ours, so that it may act as the operator. */
  async byHand(options: RunOptions): Promise<void> {
    const { program, invocation } = await this.#invocation(options)
    const child = spawn(program, invocation.args, { cwd: this.work, env: invocation.env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => (output += String(bytes)))
    child.stdin.end(invocation.stdin)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${this.cli} ended with ${code}: ${output.slice(-2000)}`)
  }

  async #invocation(options: RunOptions): Promise<{ program: string; invocation: Invocation }> {
    const engine = engineOf(this.cli)
    this.#runs += 1
    const folder = path.join(this.folder, `run-${this.#runs}`)
    fs.mkdirSync(folder, { mode: 0o700 })
    const { limits: _, env = {}, prompt = 'SCRIPT=usual', permission = 'edit', ...rest } = options
    const request = { folder, directory: this.work, source: { ...this.source, ...env }, permission, prompt, ...rest }
    const invocation = await engine.headless?.(request)
    const program = findProgram(invocation?.program ? [invocation.program] : engine.programs, this.source)
    if (!invocation || program === undefined) throw new Error(`${this.cli} cannot be started`)
    return { program, invocation }
  }
}

export type Running = { run: Supervised; done: Promise<Done>; marker: string; facts: () => Facts }

/** Waits for a condition. Real programs on a busy machine take their time: only a hang meets the limit. */
export async function until<T>(what: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (const limit = performance.now() + 300_000; ; await pause(50)) {
    const value = await what()
    if (value !== undefined && value !== false) return value
    if (performance.now() > limit) throw new Error(`Waited in vain for: ${what.toString()}`)
  }
}
