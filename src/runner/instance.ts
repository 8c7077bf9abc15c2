// One engine process for one agent on one project, from its files to its end, which is told exactly once.
import fs from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { instanceLog } from '#client/locate.ts'
import type { ApiOutput } from '#contract/api.ts'
import type { Lang } from '#contract/errors.ts'
import { USUAL_PERMISSION } from '#contract/permission.ts'
import type { EndCause, InstanceState } from '#contract/runner.ts'
import type { Engine, McpEntry } from '#engines/engine.ts'
import { findProgram } from '#engines/find.ts'
import { judge, type Verdict } from '#engines/judge.ts'
import type { Reader } from '#engines/reader.ts'
import { CappedLog } from '#kernel/processes/capped-log.ts'
import type { Launch } from '#kernel/processes/launch.ts'
import { plannedRecord, type ProcessRecord } from '#kernel/processes/record.ts'
import { type Ending as ProcessEnding, type Limits, supervise, type Supervised } from '#kernel/processes/supervise.ts'
import type { Ending, Entry, Journal } from './journal.ts'
import { kickPrompt } from './kick-prompt.ts'

export type Begun = ApiOutput<'runner.begin'> & { agentId: string; projectId: string; ticket: string }

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
  limits: Limits
  marker: string
  /** Its process runs, and has a record. */
  launched: () => void
  /** Why this machine cannot start it, though it could when it was claimed; undefined when it can. */
  unable: () => Promise<string | undefined>
  /** Why nothing may start in this folder until a person has looked at it; undefined when it may. */
  untrusted: (projectId: string, directory: string) => Promise<string | undefined>
  /** Named points in a start, at which tests let the world end. */
  at: (point: string) => void
}

const MESSAGE_LENGTH = 1000

export class Instance {
  readonly begun: Begun
  readonly #options: InstanceOptions
  #process: Supervised | undefined
  #reader: Reader | undefined
  #stopped: { cause: EndCause; message: string } | undefined
  startedAt = performance.now()
  /** When we last said that it runs and the hub heard us: the time at which we said it. */
  heldAt: number
  state: InstanceState = 'starting'
  leftAt: number | undefined
  readonly ended: Promise<Ending>

  constructor(begun: Begun, heldAt: number, options: InstanceOptions) {
    this.begun = begun
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

  /** Ends it, with all that came from it. The first reason counts. */
  async stop(cause: EndCause, message: string): Promise<void> {
    this.#stopped ??= { cause, message }
    await this.#process?.stop()
    await this.ended
  }

  async #run(): Promise<Ending> {
    let ending: Ending
    try {
      ending = await this.#supervise()
    } catch (error) {
      ending = end('not-started', `It could not be started: ${(error as Error).message}`)
    }
    try {
      this.#options.journal.save({ ...this.#entry(), ending })
    } catch {
      // The disk is full: the end is told all the same, unless we crash right now, and then it is found out again.
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
    if (unable !== undefined) return end('stopped', unable)
    const refusal = await this.#options.untrusted(this.begun.projectId, this.begun.directory)
    if (refusal !== undefined) return end('untrusted', refusal)
    at('trusted')
    if (!engine?.headless) throw new Error(`there is no engine ${this.begun.engine} here that works without a terminal`)
    const launch = await this.#launch(engine)
    const reader = engine.reader({ cwd: launch.cwd, exists: file => fs.existsSync(file) })
    this.#reader = reader
    const log = await this.#log()
    if (this.#stopped) {
      await log.close()
      return end(this.#stopped.cause, this.#stopped.message)
    }
    this.#process = await supervise({
      launch,
      limits,
      log,
      onOutput: (bytes, from) => void reader.push(bytes, from),
    })
    this.#options.launched()
    at('launched')
    journal.save(this.#entry())
    at('recorded')
    // Asked to stop while it was being started.
    if (this.#stopped) void this.#process.stop()
    const ended = await this.#process.ended
    reader.end()
    return this.#judge(engine, ended)
  }

  async #launch(engine: Engine): Promise<Launch> {
    const { journal, bridge, source, lang, marker } = this.#options
    const { begun } = this
    const folder = journal.folderOf(this.id)
    const ticketFile = path.join(folder, 'ticket')
    fs.writeFileSync(ticketFile, `${begun.ticket}\n`, { mode: 0o600 })
    const mcp: McpEntry = {
      command: process.execPath,
      args: [bridge.program, ...bridge.args],
      env: { ...bridge.env, TORYO_TICKET_FILE: ticketFile, TORYO_LANG: lang },
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
      directory: begun.directory,
      source,
      permission,
      prompt,
      mcp,
    })
    const names = invocation?.program === undefined ? engine.programs : [invocation.program]
    const program = findProgram(names, source)
    if (!invocation || program === undefined) throw new Error(`${names.join(' or ')} is not in PATH`)
    return {
      program,
      args: invocation.args,
      cwd: begun.directory,
      env: { ...invocation.env, TORYO_RUN_ID: this.id },
      marker,
      ...(invocation.stdin !== undefined && { stdin: invocation.stdin }),
    }
  }

  async #log(): Promise<CappedLog> {
    const { home, hub } = this.#options
    const { agentId, projectId, epoch } = this.begun
    const file = instanceLog(home, hub, { agentId, projectId, epoch })
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    // Of a database that is no more.
    fs.rmSync(file, { force: true })
    return CappedLog.create(file)
  }

  #judge(engine: Engine, ended: ProcessEnding): Ending {
    const facts = this.#reader?.facts
    const verdict = facts && judge(engine.capabilities, facts, ended)
    // A program that was short of quota for a while and went on is not out of it.
    const quota = verdict && verdict.outcome !== 'success' && !this.#stopped ? facts?.quota : undefined
    const cause = this.#stopped?.cause ?? causeOf(ended)
    return {
      cause,
      exit_code: ended.code ?? null,
      signal: ended.signal ?? null,
      message: clip(this.#stopped?.message ?? sentence(engine, ended, verdict)),
      quota: quota ? { message: clip(quota.message), resets_at: quota.resetsAt ?? null } : null,
    }
  }
}

function causeOf({ cause }: ProcessEnding): EndCause {
  if (cause === 'time-limit' || cause === 'silence') return cause
  return cause === 'stopped' ? 'stopped' : 'itself'
}

function sentence(engine: Engine, { cause, code, signal }: ProcessEnding, verdict: Verdict | undefined): string {
  if (cause === 'time-limit') return `${engine.label} ran for too long and was stopped.`
  if (cause === 'silence') return `${engine.label} said nothing for too long and was stopped.`
  const how = signal ? `by ${signal}` : `with exit code ${code ?? 'unknown'}`
  const why = verdict?.message ?? (verdict?.outcome === 'success' ? '' : verdict?.reason)
  return `${engine.label} ended ${how}${why ? `: ${why}` : '.'}`
}

export function end(cause: EndCause, message: string): Ending {
  return { cause, exit_code: null, signal: null, message: clip(message), quota: null }
}

/** Portable text: the hub takes neither NUL nor half a character. */
function clip(text: string): string {
  return text.slice(0, MESSAGE_LENGTH).replaceAll('\0', '').toWellFormed()
}
