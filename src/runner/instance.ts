// One engine process for one agent on one project, from its files to its end, which is reported exactly once.
import fs from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { instanceLog } from '#client/locate.ts'
import type { ApiOutput } from '#contract/api.ts'
import type { Lang } from '#contract/errors.ts'
import { TORYO_LANG } from '#contract/lang.ts'
import { USUAL_PERMISSION } from '#contract/permission.ts'
import { whatHappened } from '#contract/run-end-text.ts'
import { type EndKind, portable, type RunEnd } from '#contract/run-end.ts'
import type { EndCause, InstanceState, RunSeen } from '#contract/runner.ts'
import type { Engine, McpEntry } from '#engines/engine.ts'
import { endOf, notStarted } from '#engines/ending.ts'
import { existedBefore } from '#engines/existed.ts'
import type { Facts } from '#engines/facts.ts'
import { findProgram } from '#engines/find-program.ts'
import { Patience } from '#engines/patience.ts'
import type { Reader } from '#engines/reader.ts'
import { CappedLog } from '#kernel/processes/capped-log.ts'
import type { Launch } from '#kernel/processes/launch.ts'
import { plannedRecord, type ProcessRecord } from '#kernel/processes/record.ts'
import { TORYO_RUN_ID, TORYO_TICKET_FILE } from '#system/environment-names.ts'
import { replaceFile } from '#system/files.ts'
import { type Ending as ProcessEnding, type Limits, supervise, type Supervised } from '#kernel/processes/supervise.ts'
import type { Ending, Entry, Journal } from './journal.ts'
import { kickPrompt } from './kick-prompt.ts'
import { Paced } from './paced.ts'

export type Begun = ApiOutput<'runner.begin'> & { agentId: string; projectId: string; ticket: string }

export type Unable = { kind: 'program-missing' | 'folder-missing'; said?: string }

/** What the hub says of the workspace of a task. */
export type Workplace = ApiOutput<'runner.workspace'>

export type InstanceOptions = {
  home: string
  hub: string
  runner: string
  journal: Journal
  engine: Engine | undefined
  /** How the instance reaches the hub. */
  bridge: { program: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  source: NodeJS.ProcessEnv
  lang: Lang
  limits: Required<Limits> & { troubleMs: number }
  marker: string
  /** Where it works, if that is the workspace of a task: asked until it is there. */
  workspace: () => Promise<Workplace>
  /** Its process runs, and has a record. */
  launched: () => void
  /** Reports what its output says while it runs, with a pause between two reports. What is lost comes with the next, or at the end. */
  told: (seen: RunSeen) => Promise<void>
  /** Why this machine cannot start it, though it could when it was claimed; undefined when it can. */
  unable: () => Promise<Unable | undefined>
  /** Why nothing may start in this folder until a person has looked at it; undefined when it may. */
  untrusted: (projectId: string, directory: string) => Promise<string | undefined>
  /** Named points in a start, at which tests let the world end. */
  at: (point: string) => void
}

const MESSAGE_LENGTH = 1000
/** Two words of a process about itself are so far apart: people read them, nothing depends on them. */
const PROGRESS_MS = 3000
/** The programs that are looked for are not in PATH. */
class ProgramMissing extends Error {}

export class Instance {
  readonly begun: Begun
  readonly #options: InstanceOptions
  #process: Supervised | undefined
  #reader: Reader | undefined
  #stopped: { cause: EndCause; kind: EndKind } | undefined
  #logFile: string | undefined
  #directory: string
  #env: Readonly<Record<string, string>> = {}
  startedAt = performance.now()
  /** When we last said that it runs and the hub heard us: the time at which we said it. */
  heldAt: number
  state: InstanceState = 'starting'
  leftAt: number | undefined
  readonly ended: Promise<Ending>

  constructor(begun: Begun, heldAt: number, options: InstanceOptions) {
    this.begun = begun
    this.#directory = begun.directory
    this.heldAt = heldAt
    this.#options = options
    this.ended = this.#run()
  }

  get id(): string {
    return this.begun.instance_id
  }

  get record(): ProcessRecord | undefined {
    return this.#process?.record
  }

  /** Time in which the Runner did not run counts for none of its limits. */
  postpone(ms: number): void {
    this.startedAt += ms
    if (this.leftAt !== undefined) this.leftAt += ms
  }

  /** Where its output is kept. */
  get logFile(): string | undefined {
    return this.#logFile
  }

  /** Ends it, with all that came from it. The first reason counts. */
  async stop(cause: EndCause, kind: EndKind): Promise<void> {
    this.#stopped ??= { cause, kind }
    await this.#process?.stop()
    await this.ended
  }

  async #run(): Promise<Ending> {
    let ending: Ending
    try {
      ending = await this.#supervise()
    } catch (error) {
      const why =
        error instanceof ProgramMissing
          ? this.#stopEnd('program-missing')
          : this.#stopEnd('not-started', (error as Error).message)
      ending = this.#ending('not-started', why)
    }
    try {
      this.#options.journal.save({ ...this.#entry(), ending })
    } catch {
      // The disk is full: the end is still reported, unless we crash right now; then the next Runner finds out.
    }
    this.#options.at('ended')
    return ending
  }

  #entry(): Entry {
    const { hub, runner, marker } = this.#options
    return { instanceId: this.id, hub, runner, process: this.#process?.record ?? plannedRecord(marker) }
  }

  async #supervise(): Promise<Ending> {
    const { journal, at, engine, limits } = this.#options
    journal.save(this.#entry())
    at('planned')
    const unable = await this.#options.unable()
    if (unable) return this.#ending('stopped', this.#stopEnd(unable.kind, unable.said))
    const refused = this.begun.workspace ? await this.#enterWorkspace() : await this.#mayEnterFolder()
    if (refused) return refused
    at('trusted')
    if (!engine?.headless)
      throw new Error(`no engine ${this.begun.engine} that works without a terminal was found here`)
    const launch = await this.#launch(engine)
    const log = await this.#log()
    const remark = (line: string) => log.write(Buffer.from(`${line}\n`))
    const reader = engine.reader({ cwd: launch.cwd, exists: existedBefore(), remark })
    this.#reader = reader
    if (this.#stopped) {
      await log.close()
      return this.#ending(this.#stopped.cause, this.#stopEnd(this.#stopped.kind))
    }
    const patience = new Patience(limits.troubleMs, () => void this.#process?.stop())
    const news = new Paced(PROGRESS_MS, () => this.#options.told(seenOf(reader.facts)))
    this.#process = await supervise({
      launch,
      limits,
      log,
      onOutput: (bytes, from) => {
        if (reader.push(bytes, from).length === 0) return
        patience.heard(reader.facts)
        news.heard()
      },
    })
    this.#options.launched()
    at('launched')
    journal.save(this.#entry())
    at('recorded')
    // Asked to stop while it was being started.
    if (this.#stopped) void this.#process.stop()
    const ended = await this.#process.ended
    patience.dispose()
    news.dispose()
    reader.end()
    return this.#judge(engine, ended, patience.isOver)
  }

  /** The hub has looked at what it brings: it is on the hub's own machine. */
  async #enterWorkspace(): Promise<Ending | undefined> {
    // However long its setup takes, the agent has all of its time to sign in.
    this.startedAt = Number.POSITIVE_INFINITY
    let place: Workplace
    do {
      if (this.#stopped) return this.#ending(this.#stopped.cause, this.#stopEnd(this.#stopped.kind))
      place = await this.#options.workspace()
    } while (place.state === 'making')
    this.startedAt = performance.now()
    const { state, directory, env, problem } = place
    if (state === 'untrusted')
      return { ...this.#ending('untrusted', this.#stopEnd('untrusted')), ...(problem !== null && { message: problem }) }
    if (state === 'failed' || directory === null)
      return this.#ending('stopped', this.#stopEnd('no-workspace', problem ?? undefined))
    this.#directory = directory
    this.#env = env
    return undefined
  }

  async #mayEnterFolder(): Promise<Ending | undefined> {
    const refusal = await this.#options.untrusted(this.begun.projectId, this.begun.directory)
    if (refusal === undefined) return undefined
    return { ...this.#ending('untrusted', this.#stopEnd('untrusted')), message: refusal }
  }

  async #launch(engine: Engine): Promise<Launch> {
    const { journal, bridge, source, lang, marker } = this.#options
    const { begun } = this
    const folder = journal.folderOf(this.id)
    const ticketFile = path.join(folder, 'ticket')
    replaceFile(fs, ticketFile, `${begun.ticket}\n`, { sync: false })
    const mcp: McpEntry = {
      command: process.execPath,
      args: [bridge.program, ...bridge.args],
      env: { ...bridge.env, [TORYO_TICKET_FILE]: ticketFile, [TORYO_LANG]: lang },
    }
    const prompt = kickPrompt(
      {
        agentId: begun.agentId,
        agentName: begun.agent_name,
        projectId: begun.projectId,
        projectName: begun.project_name,
        systemPrompt: begun.system_prompt,
      },
      lang,
    )
    const permission = begun.permission ?? USUAL_PERMISSION
    const invocation = await engine.headless?.({
      folder,
      directory: this.#directory,
      source,
      permission,
      prompt,
      mcp,
    })
    const names = invocation?.program === undefined ? engine.programs : [invocation.program]
    const program = findProgram(names, source)
    if (!invocation || program === undefined) throw new ProgramMissing(`${names.join(' or ')} is not in PATH`)
    return {
      program,
      args: invocation.args,
      cwd: this.#directory,
      env: { ...invocation.env, ...this.#env, [TORYO_RUN_ID]: this.id },
      marker,
      ...(invocation.stdin !== undefined && { stdin: invocation.stdin }),
    }
  }

  async #log(): Promise<CappedLog> {
    const { home, hub } = this.#options
    const { agentId, projectId, epoch } = this.begun
    const file = instanceLog(home, hub, { agentId, projectId, epoch })
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    // Of a database that no longer exists.
    fs.rmSync(file, { force: true })
    this.#logFile = file
    return CappedLog.create(file)
  }

  #judge(engine: Engine, ended: ProcessEnding, gaveUp: boolean): Ending {
    const reader = this.#reader as Reader
    const { totalMs, silenceMs } = this.#options.limits
    const by = { ...ended, stopped: this.#stopped?.kind, gaveUp }
    const { end: why, quota } = endOf(engine, reader, by, {
      total: { minutes: totalMs / 60_000, setting: 'runner.totalMinutes' },
      silence: { minutes: silenceMs / 60_000, setting: 'runner.silentMinutes' },
    })
    return {
      ...this.#ending(this.#stopped?.cause ?? causeOf(ended, gaveUp), why),
      exit_code: ended.code ?? null,
      signal: ended.signal ?? null,
      quota: quota ? { message: clip(quota.message), resets_at: quota.resetsAt ?? null } : null,
      seen: seenOf(reader.facts),
    }
  }

  #stopEnd(kind: EndKind, said?: string): RunEnd {
    return notStarted(this.#options.engine, this.begun.engine, kind, said)
  }

  #ending(cause: EndCause, why: RunEnd): Ending {
    return { ...end(cause, why), log_path: this.#logFile === undefined ? null : clip(this.#logFile) }
  }
}

function causeOf({ cause }: ProcessEnding, gaveUp: boolean): EndCause {
  if (cause === 'time-limit' || cause === 'silence') return cause
  return cause === 'stopped' && !gaveUp ? 'stopped' : 'itself'
}

export function end(cause: EndCause, why: RunEnd): Ending {
  const message = `${whatHappened(why).en}.`
  return { cause, exit_code: null, signal: null, message: clip(message), quota: null, end: why }
}

const FILES_BYTES = 200_000
const SEEN_TEXT = 4000
const NAME = 200

/** As much as fits into one call: an end that cannot be reported would be worse than one without its last files. */
function seenOf(facts: Facts): RunSeen {
  let room = FILES_BYTES
  const files = (paths: readonly string[]) =>
    paths.slice(0, 500).flatMap(path => {
      const name = portable(path, 4096)
      room -= Buffer.byteLength(name)
      return room > 0 ? [name] : []
    })
  const { session, model, denied, deniedTools, usage, costUsd, lastMessage, trouble } = facts
  return {
    ...(session !== undefined && { session: portable(session, NAME) }),
    ...(model !== undefined && { model: portable(model, NAME) }),
    tool_calls: facts.toolCalls,
    denied,
    denied_tools: deniedTools.slice(0, 100).map(name => portable(name, NAME)),
    created: files(facts.created),
    edited: files(facts.edited),
    deleted: files(facts.deleted),
    ...(usage && { usage }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
    ...(lastMessage !== undefined && { last_message: portable(lastMessage, SEEN_TEXT) }),
    ...(trouble !== undefined && { trouble: portable(trouble, SEEN_TEXT) }),
  }
}

/** Portable text: the hub takes neither NUL nor half a character. */
function clip(text: string): string {
  return portable(text, MESSAGE_LENGTH)
}
