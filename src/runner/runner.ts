// Asks the hub which agents should work, starts them, watches them and reports their end. Works beside the hub or on another
// machine; all it knows of tasks is that there are some.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '#client/api.ts'
import { HubLink } from '#client/hub-link.ts'
import type { ApiOutput } from '#contract/api.ts'
import { HubError } from '#contract/errors.ts'
import { runEnd } from '#contract/run-end.ts'
import type { RunSeen } from '#contract/runner.ts'
import { Scout } from '#engines/agent-config.ts'
import { allEngines } from '#engines/all-engines.ts'
import type { Config } from '#contract/config.ts'
import { Git } from '#kernel/git/git.ts'
import type { Log } from '#kernel/log.ts'
import { pruneLogs } from '#kernel/processes/prune-logs.ts'
import { plannedRecord, type ProcessRecord } from '#kernel/processes/record.ts'
import { Abilities } from './abilities.ts'
import { Alarm } from './alarm.ts'
import { Contact } from './contact.ts'
import { Endings, TELL_MIN_MS } from './endings.ts'
import { Folders } from './folders.ts'
import { Hints } from './hints.ts'
import { HubAway, HubLine } from './hub-line.ts'
import { Instance, type InstanceOptions, type Workplace } from './instance.ts'
import { Journal } from './journal.ts'
import { Limits } from './limits.ts'
import type { Notice } from './notice.ts'
import { PACE, type Pace } from './pace.ts'
import { TrustAsker } from './trust-asker.ts'

export type RunnerOptions = Pick<InstanceOptions, 'bridge' | 'source' | 'lang' | 'home'> & {
  url: string
  token: string
  /** Of the certificate that the hub must show; without it, authorities decide. */
  certificate?: string
  version: string
  config: () => Pick<Config, 'engines' | 'runner'>
  log: Log
  /** For people who watch. */
  notice?: (notice: Notice) => void
  pace?: Partial<Pace>
  at?: InstanceOptions['at']
}

/** A little less than what the hub grants for a start. */
const CLAIM_MS = 100_000

const FOR_ALL = ['no_slot', 'rate_limited']

type Pair = { agentId: string; projectId: string; directory: string }

export class Runner {
  readonly #options: RunnerOptions
  readonly #pace: Pace
  readonly #link: HubLink
  readonly #api: Client
  readonly #journal: Journal
  readonly #git: Git
  readonly #trust: TrustAsker
  readonly #endings: Endings
  readonly #contact: Contact
  readonly #instances = new Map<string, Instance>()
  readonly #stopping = new AbortController()
  #line: HubLine | undefined
  #hints: Hints | undefined
  readonly #alarms = [new Alarm(), new Alarm()] as const
  readonly #folders = new Folders(() => this.#alarms[0].ring())
  readonly #abilities: Abilities
  readonly #limits: Limits
  /** What we last reported to the hub about what we can start. */
  #told = ''
  #hearsNoProgress = false
  #hub: Pick<ApiOutput<'runner.hold'>, 'hub' | 'runner'> | undefined
  #loops: Promise<unknown> = Promise.resolve()
  #stopped: Promise<void> | undefined
  #finish: (why: 'stopped' | 'refused') => void = () => {}
  /** Settles when it has stopped, and why. */
  readonly ended: Promise<'stopped' | 'refused'>

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#pace = { ...PACE, ...options.pace }
    this.#link = new HubLink(options.url, options.token, options.certificate)
    const { url, token, lang } = options
    this.#api = createClient({ url, token, lang, fetch: this.#link.fetch })
    this.#journal = Journal.create(options.home, randomBytes(8).toString('hex'))
    const { home, source: env, config } = options
    this.#git = new Git({ folder: join(home, 'runner-git'), env })
    this.#trust = new TrustAsker(new Scout({ config, git: this.#git, env }), input =>
      this.#patiently(() => this.#api.call('runner.inspect', input, { timeoutMs: this.#pace.callMs })),
    )
    this.#endings = new Endings({
      ...{ api: this.#api, home, log: options.log, at: options.at },
      callMs: this.#pace.callMs,
      hub: () => this.#hub,
      stopping: this.#stopping.signal,
    })
    this.#contact = new Contact({
      log: options.log,
      notice: options.notice,
      refused: () => {
        this.#stopped ??= this.#stop('refused')
      },
      stopping: this.#stopping.signal,
    })
    this.#abilities = new Abilities({ config, source: env, folders: this.#folders })
    this.#limits = new Limits({
      ...{ pace: this.#pace, log: options.log, woke: () => this.#alarms[0].ring() },
      instances: () => [...this.#instances.values()],
      stopping: this.#stopping.signal,
    })
    this.ended = new Promise(resolve => (this.#finish = resolve))
  }

  start(): void {
    const { url, token, lang, version, log, certificate } = this.#options
    const endpoint = { url, credential: token, ...(certificate !== undefined && { certificate }) }
    this.#line = new HubLine({ endpoint, lang, version, callMs: this.#pace.callMs, log })
    this.#hints = new Hints(endpoint, () => this.#hint())
    this.#loops = Promise.all([
      this.#pruneLogs(),
      this.#endings.recover(),
      this.#beat(),
      this.#poll(),
      this.#limits.watch(),
    ])
    this.#loops.catch(error => log.error({ err: error }, 'the Runner failed'))
  }

  /** Of the instances that run. */
  records(): ProcessRecord[] {
    return [...this.#instances.values()].flatMap(({ record }) => record ?? [])
  }

  /** Ends all its instances and says so to the hub, if the hub is there to hear it. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop('stopped')
    return this.#stopped
  }

  async #stop(why: 'stopped' | 'refused'): Promise<void> {
    this.#stopping.abort()
    this.#hints?.dispose()
    const stopAll = () =>
      Promise.all([...this.#instances.values()].map(instance => instance.stop('stopped', 'runner-stopped')))
    // A start that the hub is just granting would be lost: its answer is worth a moment.
    const patience = new AbortController()
    const loops = this.#loops.catch(() => {}).finally(() => patience.abort()) // Failures were said by `start`.
    const enough = sleep(this.#pace.farewellMs, undefined, { signal: patience.signal }).catch(() => {}) // No need.
    await Promise.all([stopAll(), Promise.race([loops, enough])])
    await this.#line?.dispose()
    this.#git.dispose()
    await loops
    await stopAll()
    await this.#endings.toldWithin(this.#pace.farewellMs)
    this.#link.dispose()
    this.#journal.close()
    this.#finish(why)
  }

  /** The heartbeat: reports us and our instances to the hub, and gets their states. */
  async #beat(): Promise<void> {
    while (!this.#isStopping) {
      const asked = performance.now()
      try {
        await this.#hold()
        this.#contact.works()
      } catch (error) {
        this.#contact.failed(error, 'the hub did not hear that we are here')
      }
      this.#limits.asked(asked)
      await this.#alarms[0].nap(this.#pace.heartbeatMs, this.#stopping.signal)
    }
  }

  async #hold(): Promise<void> {
    const held = [...this.#instances.values()]
    const sentAt = performance.now()
    const abilities = this.#abilities.now()
    const answer = await this.#api.call(
      'runner.hold',
      {
        ...abilities,
        instances: held.map(({ id }) => id),
        processes: held.flatMap(({ id, record, logFile: log_path }) =>
          record ? [{ instance_id: id, ...record, log_path }] : [],
        ),
      },
      { timeoutMs: this.#pace.callMs },
    )
    this.#hub = answer
    this.#folders.heard(answer.folders)
    // What we can start by now was not offered before.
    const told = JSON.stringify(abilities)
    if (told !== this.#told) this.#alarms[1].ring()
    this.#told = told
    const states = new Map<string, Instance['state']>(
      answer.instances.map(({ instance_id, state }) => [instance_id, state]),
    )
    for (const instance of held) {
      instance.heldAt = sentAt
      this.#obey(instance, states.get(instance.id) ?? 'gone')
    }
  }

  #obey(instance: Instance, state: Instance['state']): void {
    instance.state = state
    if (state === 'left') instance.leftAt ??= performance.now()
    if (state === 'gone') void instance.stop('stopped', 'taken-away')
  }

  async #poll(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#turn()
      } catch (error) {
        this.#contact.failed(error, 'the hub could not be asked what to start')
      }
      await this.#alarms[1].nap(this.#pace.pollMs, this.#stopping.signal)
    }
  }

  /**
   * Is the hub there, what may be started, should this one? The second is asked for all pairs at once and answered with those that
   * have work: of a thousand that have none, nothing is asked one by one.
   */
  async #turn(): Promise<void> {
    await this.#ask('health_check', {})
    // Before the first word of the hub we do not know whose files we would write; and it offers what it knows we can start.
    if (!this.#hub || this.#told !== JSON.stringify(this.#abilities.now())) await this.#hold()
    this.#folders.lookAgain(this.#pace.pollMs)
    for (const pair of await this.#pairs()) {
      if (this.#isStopping) return
      if (this.#isBusy(pair)) continue
      const ask = () => this.#ask('should_start', { agent_id: pair.agentId, project_id: pair.projectId })
      let answer = await ask()
      if (answer['reason'] === 'trust_required' && (await this.#trust.isTrustedNow(pair))) answer = await ask()
      if (answer['should_start'] === true) await this.#startOrSay(pair, String(answer['ticket']))
      // Then no other pair can start either.
      if (FOR_ALL.includes(String(answer['reason']))) return
    }
  }

  async #pairs(): Promise<Pair[]> {
    const { pairs } = await this.#api.call('runner.startable', {}, { timeoutMs: this.#pace.callMs })
    return pairs.map(({ agent_id: agentId, project_id: projectId, working_directory: directory }) => ({
      agentId,
      projectId,
      directory,
    }))
  }

  #isBusy({ agentId, projectId }: Pair): boolean {
    return [...this.#instances.values()].some(({ begun }) => begun.agentId === agentId && begun.projectId === projectId)
  }

  /** An agent may have signed in with its passkey meanwhile. Then the ticket is refused, which is fine. */
  async #startOrSay(pair: Pair, ticket: string): Promise<void> {
    try {
      await this.#start(pair, ticket)
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== 'TICKET_REFUSED') throw error
      this.#options.log.info({ ...pair }, 'the start was overtaken')
    }
  }

  async #start({ agentId, projectId }: Pair, ticket: string): Promise<void> {
    const { at = () => {}, home, bridge, source, lang } = this.#options
    at('claimed')
    const marker = randomBytes(16).toString('hex')
    // The hub must know the mark before the process can come to it.
    const process = plannedRecord(marker)
    const input = { agent_id: agentId, project_id: projectId, ticket, process }
    const { begun, sentAt } = await this.#patiently(async () => {
      const asked = performance.now()
      return { begun: await this.#api.call('runner.begin', input, { timeoutMs: this.#pace.callMs }), sentAt: asked }
    })
    at('begun')
    const config = this.#options.config()
    const { totalMinutes, silentMinutes, troubledMinutes } = config.runner
    const { hub, runner } = this.#hub as { hub: string; runner: string }
    const instance = new Instance({ ...begun, agentId, projectId, ticket }, sentAt, {
      home,
      hub,
      runner,
      journal: this.#journal,
      engine: allEngines(config).get(begun.engine),
      bridge,
      source,
      lang,
      limits: {
        totalMs: totalMinutes * 60_000,
        silenceMs: silentMinutes * 60_000,
        troubleMs: troubledMinutes * 60_000,
      },
      marker,
      launched: () => this.#alarms[0].ring(),
      told: seen => this.#progress(begun.instance_id, seen),
      workspace: () => this.#workspace(begun.instance_id),
      unable: () => this.#abilities.whyNot(begun, projectId),
      untrusted: (project, directory) => this.#trust.refusal(project, directory),
      at: point => {
        if (point === 'trusted') this.#isStarted(begun, agentId, projectId)
        at(point)
      },
    })
    this.#instances.set(instance.id, instance)
    this.#endings.track(this.#see(instance, hub, runner))
    if (this.#isStopping) await instance.stop('stopped', 'runner-stopped')
  }

  /** An older hub does not know the call, and is not asked again. */
  async #progress(instance_id: string, seen: RunSeen): Promise<void> {
    if (this.#hearsNoProgress) return
    try {
      await this.#api.call('runner.progress', { instance_id, seen }, { timeoutMs: this.#pace.callMs })
    } catch (error) {
      this.#hearsNoProgress = error instanceof HubError && error.kind === 'not-found'
      throw error
    }
  }

  /** A hub that goes away meanwhile goes on with it when it is back. */
  #workspace(instance_id: string): Promise<Workplace> {
    return this.#patiently(() =>
      this.#api.call('runner.workspace', { instance_id }, { timeoutMs: this.#pace.callMs }),
    ).catch((error: unknown) => {
      if (!(error instanceof HubError)) throw error
      return { state: 'failed' as const, directory: null, env: {}, problem: error.text[this.#options.lang] }
    })
  }

  #isStarted(begun: ApiOutput<'runner.begin'>, agent: string, project: string): void {
    const { engine, instance_id: instance, agent_name, project_name } = begun
    this.#options.log.info({ agent, project, engine, instance }, 'started')
    this.#options.notice?.({ kind: 'started', agent: agent_name, project: project_name, engine })
  }

  /** As long as the claim lives: a hub that goes away right now must not cost the start. */
  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + CLAIM_MS
    for (;;) {
      try {
        return await call()
      } catch (error) {
        const isAway = error instanceof HubError && error.kind === 'unavailable'
        if (!isAway || this.#isStopping || performance.now() > deadline) throw error
        await sleep(TELL_MIN_MS)
      }
    }
  }

  async #see(instance: Instance, hub: string, runner: string): Promise<void> {
    const ending = await instance.ended
    const { agentId, projectId, agent_name: agent, project_name: project } = instance.begun
    if (ending.cause === 'untrusted')
      this.#options.notice?.({ kind: 'not-trusted', agent, project, message: ending.message })
    // Under another name: `message` is the log's own.
    const { message: why, seen: _, end: reason, ...facts } = ending
    const log = ['not-started', 'untrusted'].includes(ending.cause) ? this.#options.log.warn : this.#options.log.info
    log.call(
      this.#options.log,
      { agent: agentId, project: projectId, instance: instance.id, ...facts, reason: reason?.kind, why },
      'ended',
    )
    const entry = this.#journal.entries().find(({ instanceId }) => instanceId === instance.id)
    this.#instances.delete(instance.id)
    const told = entry && (await this.#endings.tell(this.#journal, { ...entry, hub, runner }, ending))
    // Only the hub knows whether the agent has reported.
    const end = told?.end ?? ending.end ?? runEnd('unknown')
    if (ending.cause !== 'untrusted')
      this.#options.notice?.({ kind: 'ended', agent, project, report: told?.report ?? null, end })
    // Its place may be wanted at once.
    this.#hint()
    await this.#pruneLogs()
  }

  /** What is written to is among the newest, also that of other Runners of this home. */
  #pruneLogs(): Promise<void> {
    return pruneLogs(join(this.#options.home, 'logs', 'instances'), { isOpen: () => false })
  }

  #ask(tool: string, input: object): Promise<Record<string, unknown>> {
    if (!this.#line) throw new HubAway('not started')
    return this.#line.call(tool, input)
  }

  #hint(): void {
    for (const alarm of this.#alarms) alarm.ring()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }
}
