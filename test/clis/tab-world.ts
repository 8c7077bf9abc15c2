// Agent programs as a person has them: a home, a repository, `toryo up` with its Runner and its pty-host, registered in the
// programs' config files, and the scripted model.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import xterm from '@xterm/headless'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { configTargets } from '#registration/targets.ts'
import { HubChild, post, Workshop } from '../processes.ts'
import { markedProcesses } from '../scripted.ts'
import { git } from '../tabs.ts'
import { DIST, ROOT } from '../../scripts/sources.js'
import { bringServer, type CliName, settleIn } from './clis.ts'
import { Model } from './model.ts'
import type { Heard, Script } from './model/conversation.ts'
import { Screen } from './terminal.ts'
import { until } from './world.ts'

const PROTOCOLS = { claude: 'anthropic', codex: 'responses', gemini: 'gemini', opencode: 'chat' } as const

const DOORS = fileURLToPath(new URL('../fixtures/operators-doors.js', import.meta.url))
const NEIGHBOUR = 'tsk_neighbour'

export type TabInfo = {
  tab_id: string
  status: string
  worktree_path: string
  session_id: string | null
  messages: { from: string; message: string; state: string }[]
}

type TabWorldOptions = { trusted?: boolean; copied?: boolean; careful?: boolean }

type Runs = { runs: { run_id: string }[] }

type Scripts = Readonly<Record<string, Script>>

export class TabWorld implements AsyncDisposable {
  readonly model: Model
  readonly #shop = new Workshop()
  readonly #env: Record<string, string>
  readonly #clis: readonly CliName[]
  #hub: HubChild | undefined

  /** `trusted`: the person has confirmed to each program that the repository can be trusted. `copied`: see COPIED_SERVER.
   * `careful`: the person wants to be asked. */
  static async open(clis: readonly CliName[], scripts: Scripts, options: TabWorldOptions = {}): Promise<TabWorld> {
    const world = new TabWorld(clis, await Model.start(scripts), options)
    await world.#start()
    return world
  }

  private constructor(clis: readonly CliName[], model: Model, options: TabWorldOptions) {
    this.model = model
    this.#clis = clis
    const { trusted = true, copied = false, careful = false } = options
    const work = trusted ? this.repository : path.join(this.home, 'another')
    const home = settleIn(clis, { home: this.home, work, url: model.url, copied, careful })
    this.#env = { ...home, TORYO_HOME: path.join(this.home, 'toryo') }
    fs.mkdirSync(this.repository)
    git(this.repository, 'init', '-q', '-b', 'main')
    bringServer(this.repository)
    git(this.repository, 'add', '-A')
    git(this.repository, 'commit', '-q', '-m', 'first')
    fs.mkdirSync(this.#env['TORYO_HOME'] as string, { mode: 0o700 })
    const roles = clis.map(engine => ({ id: `${engine}-role`, engine, model: 'default', instructions: 'You build.' }))
    fs.writeFileSync(path.join(this.#env['TORYO_HOME'] as string, 'config.json'), JSON.stringify({ roles }))
  }

  get home(): string {
    return this.#shop.home
  }

  get repository(): string {
    return path.join(this.home, 'repo')
  }

  async #start(): Promise<void> {
    // Of the environment that this test has itself nothing reaches the programs: it may be a person's own.
    const none = Object.fromEntries(Object.keys(process.env).map(name => [name, undefined]))
    const args = ['--db', this.#shop.db(), '--port', '0']
    this.#hub = new HubChild(this.#shop.spawn('hub.js', args, { ...none, ...this.#env }), this.#shop.target())
    await this.#hub.settled()
    await until(() => this.#clis.every(cli => this.#isRegistered(cli)))
    await this.api('project.add', { id: 'prj', name: 'prj', directory: this.repository })
    await this.api('project.add', { id: 'prj_neighbour', name: 'neighbour', directory: this.home })
    await this.api('task.add', { id: NEIGHBOUR, project_id: 'prj_neighbour', title: 'Not yours', status: 'todo' })
  }

  /** As it is for every user of `toryo up`. */
  #isRegistered(cli: CliName): boolean {
    const files = configTargets(this.#env, this.home).filter(({ engine }) => engine === cli)
    return files.some(({ file }) => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(REGISTERED_NAME))
  }

  async api<T = Record<string, unknown>>(operation: string, input: object): Promise<T> {
    const { status, body } = await this.#post(operation, input)
    if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`)
    return body as T
  }

  #post(operation: string, input: object): ReturnType<typeof post> {
    const state = this.#hub?.state
    if (!state) throw new Error(`there is no hub: ${this.#hub?.exit?.stderr ?? ''}`)
    return post(state, operation, input)
  }

  /** Launches it on a branch of its own; answers the tab's id. */
  async launch(cli: CliName, more: object = {}): Promise<string> {
    const wish = { engine: cli, branch: `work/${cli}`, project_id: 'prj', ...more }
    return (await this.api<TabInfo>('tab.launch', wish)).tab_id
  }

  /** An agent with a task, which the Runner starts then; answers the task's id. */
  async employ(cli: CliName): Promise<string> {
    const [agent_id, project_id] = [`agt_${cli}`, `prj_${cli}`]
    await this.api('project.add', { id: project_id, name: project_id, directory: this.repository })
    await this.api('agent.add', { id: agent_id, name: agent_id, engine: cli })
    await this.api('project.assign', { project_id, agent_id })
    const task = { title: 'Build the roof', assignee_id: agent_id, status: 'in_progress' }
    return (await this.api<{ task_id: string }>('task.add', { project_id, ...task })).task_id
  }

  /** A crew of one; answers its run once it has ended. */
  async crew(cli: CliName, prompt: string): Promise<Record<string, unknown>> {
    const stages = [{ tasks: [{ role: `${cli}-role`, prompt }] }]
    // On a busy machine a program may not print its version in time, and its role counts as not available for now.
    const { runs } = await this.#until(async () => {
      const { status, body } = await this.#post('crew.run', { mode: 'concurrent', stages, directory: this.repository })
      if (status !== 200 && status !== 503) throw new Error(`crew.run answered ${status}: ${JSON.stringify(body)}`)
      return status === 200 && (body as unknown as Runs)
    }, `there is no crew of ${cli}`)
    const run_id = runs[0]?.run_id
    return this.#until(async () => {
      const run = await this.api('run.show', { run_id })
      return ['completed', 'failed', 'cancelled'].includes(String(run['status'])) && run
    }, `the run of ${cli} does not end`)
  }

  /** A command that tries all that the operator could do to another project's task. */
  get tryDoors(): string {
    return [process.execPath, DOORS, this.home, path.join(DIST, 'bridge.js'), NEIGHBOUR]
      .map(word => `'${word}'`)
      .join(' ')
  }

  /** How that task is. */
  async neighbour(): Promise<unknown> {
    return (await this.api('task.show', { task_id: NEIGHBOUR }))['status']
  }

  /** Waits for something that the hub knows. */
  async comesTrue(what: () => Promise<boolean>): Promise<void> {
    await this.#until(what, `it never came true: ${what.toString()}`)
  }

  /** As `toryo tab send` does it. */
  async send(tab: string, message: string): Promise<void> {
    await this.api('tab.send', { tab_id: tab, message })
  }

  /** `toryo tab attach` in the person's own terminal. */
  attach(tab: string): Screen {
    const args = [path.join(ROOT, 'bin', 'toryo.js'), 'tab', 'attach', tab, '--db', this.#shop.db()]
    return Screen.run(process.execPath, args, this.home, this.#env)
  }

  show(tab: string): Promise<TabInfo> {
    return this.api<TabInfo>('tab.show', { tab_id: tab })
  }

  /** Waits for the tab to have this status. */
  async becomes(tab: string, status: string): Promise<void> {
    await this.#until(async () => (await this.show(tab)).status === status, `${tab} is not ${status}`)
  }

  /** What the model of a program was asked with these words, once it has asked as often as there are results. */
  async hears(cli: CliName, words: string, results = 0): Promise<Heard> {
    const wanted = (heard: Heard) =>
      heard.protocol === PROTOCOLS[cli] && heard.prompt === words && heard.results.length === results
    return this.#until(() => this.model.asked.find(wanted), `${cli} did not ask with ${results} results: ${words}`)
  }

  async #until<T>(what: () => T | undefined | false | Promise<T | undefined | false>, problem: string): Promise<T> {
    try {
      return await until(what)
    } catch (error) {
      const heard = this.model.asked.map(({ protocol, prompt }) => `${protocol}: ${prompt}`).join('\n')
      throw new Error(`${problem}\nasked:\n${heard}\n${await this.screens()}`, { cause: error })
    }
  }

  /** Gemini CLI leaves drafts of its own when it is ended while it writes; the workshop would take them for ours. */
  #sweep(): void {
    const folder = path.join(this.home, '.gemini')
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    for (const name of names) if (/^projects\.json\..*\.tmp$/.test(name)) fs.rmSync(path.join(folder, name))
  }

  /** What the terminals show, to find out why a test failed. */
  async screens(): Promise<string> {
    const folder = path.join(this.home, 'toryo', 'tabs')
    const shown = fs.readdirSync(folder).map(async tab => {
      const terminal = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true })
      const log = fs.readFileSync(path.join(folder, tab, 'terminal.log'))
      await new Promise<void>(resolve => terminal.write(log, resolve))
      const { active } = terminal.buffer
      const lines = Array.from({ length: 40 }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true))
      terminal.dispose()
      return `--- ${tab}\n${lines.join('\n').trimEnd()}`
    })
    return (await Promise.all(shown)).join('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub?.stop()
    await this.model[Symbol.asyncDispose]()
    await until(() => markedProcesses(this.home).length === 0)
    this.#sweep()
    await this.#shop[Symbol.asyncDispose]()
  }
}
