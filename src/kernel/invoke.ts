// The one road: caller → input → verb → output. Every call takes it, from MCP, HTTP or CLI; it is the only catch-all.
import type { z } from 'zod'
import { type Caller, callerName } from '#contract/caller.ts'
import { CallRefused } from '#contract/events.ts'
import { CoreError, HubError, type Lang } from '#contract/errors.ts'
import { bodyDigest, findAnswer, saveAnswer } from './answers.ts'
import type { Clock } from './clock.ts'
import type { Database, Db } from './db/db.ts'
import type { EventLog } from './events.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import { refusePortability } from './portable.ts'
import type { Call, Connection, Running, Tool } from './tool.ts'

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: HubError }

export type InvokerDeps<S> = {
  database: Database
  events: EventLog
  clock: Clock
  ids: Ids
  log: Log
  /** The services over a transaction or over the reading connection. */
  bind(db: Db): S
  /** Refuses a caller whose standing has changed since it signed in. Runs inside the transaction of a write; for a Runner, always. */
  admit(db: Db, call: Call): Promise<void>
  /** Who signed in on this connection, as it is stored. */
  onConnection(secret: string): Promise<Caller | undefined>
}

export class Invoker<S> {
  readonly #deps: InvokerDeps<S>
  readonly #reading: S

  constructor(deps: InvokerDeps<S>) {
    this.#deps = deps
    this.#reading = deps.bind(deps.database)
  }

  async invoke(tool: Tool<S>, args: unknown, call: Call): Promise<Outcome> {
    const { clock, log } = this.#deps
    const began = clock.monotonic()
    const outcome = await this.#outcome(tool, args, call)
    // Never what was said: arguments and answers are people's work and may hold secrets.
    const facts = { tool: tool.name, caller: callerName(call.caller), ms: Math.round(clock.monotonic() - began) }
    log.debug({ ...facts, outcome: outcome.ok ? 'ok' : outcome.error.code }, 'call')
    return outcome
  }

  async #outcome(tool: Tool<S>, args: unknown, call: Call): Promise<Outcome> {
    try {
      if (!tool.callers.includes(call.caller.kind)) throw notFor(tool, call)
      if (call.caller.kind === 'runner') await this.#deps.admit(this.#deps.database, call)
      const input = this.#input(tool, args)
      const value = tool.effect === 'read' ? await this.#read(tool, input, call) : await this.#write(tool, input, call)
      if (!tool.after) return { ok: true, value }
      const whole = await tool.after(this.#reading, value as Record<string, unknown>, call)
      return { ok: true, value: tool.output.parse(whole) }
    } catch (error) {
      const known = this.#known(error, tool)
      if (known.kind === 'forbidden') await this.#audit(tool, args, call, known)
      return { ok: false, error: known }
    }
  }

  #input(tool: Tool<S>, args: unknown): Record<string, unknown> {
    const problem = refusePortability(args)
    if (problem) throw problem
    const parsed = tool.input.safeParse(args ?? {})
    if (!parsed.success) throw CoreError.INVALID_ARGUMENT({ reason: explain(parsed.error) })
    return parsed.data
  }

  async #read(tool: Tool<S>, input: Record<string, unknown>, call: Call): Promise<unknown> {
    const prepared = tool.prepare && (await tool.prepare(this.#reading, input, call))
    return tool.output.parse(await tool.run(this.#reading, input, new RunningCall(call, prepared, atOnce)))
  }

  async #write(tool: Tool<S>, input: Record<string, unknown>, call: Call): Promise<unknown> {
    const { database, clock } = this.#deps
    const key = call.key
    const body = key === undefined ? '' : bodyDigest(tool.name, input)
    if (key !== undefined && tool.prepare && !tool.glance) {
      const before = await findAnswer(database, key, body)
      if (before) {
        await this.#recognise(call)
        return before.value
      }
    }
    const prepared = tool.prepare && (await tool.prepare(this.#reading, input, call))
    const seen = tool.glance && (await tool.glance(this.#reading, input, new RunningCall(call, prepared, atOnce)))
    if (seen) {
      // What it saw may be this very call's own effect: then its answer was stored with it.
      const before = key === undefined ? undefined : await findAnswer(database, key, body)
      return before ? before.value : tool.output.parse(seen)
    }
    const effects: (() => void)[] = []
    let replayed = false
    const answer = await database.tx(async tx => {
      if (key !== undefined) {
        const before = await findAnswer(tx, key, body)
        replayed = before !== undefined
        if (before) return before.value
      }
      if (!tool.evenFenced) await this.#deps.admit(tx, call)
      const inside = new RunningCall(call, prepared, effect => void effects.push(effect))
      const value = tool.output.parse(await tool.run(this.#deps.bind(tx), input, inside))
      if (key !== undefined) await saveAnswer(tx, key, body, value, clock.now())
      return value
    })
    if (replayed) await this.#recognise(call)
    for (const effect of effects) effect()
    return answer
  }

  /** A connection that came back before its sign-in was committed learns here who it is. */
  async #recognise({ connection }: Call): Promise<void> {
    connection?.become(await this.#deps.onConnection(connection.secret))
  }

  /** Surprises become one sentence and a reference; their text stays in the log. */
  #known(error: unknown, tool: Tool<S>): HubError {
    const translated = this.#deps.database.translate(error)
    if (translated instanceof HubError) return translated
    const ref = this.#deps.ids.next('ref')
    this.#deps.log.error({ err: error, ref, tool: tool.name }, 'a call failed')
    return CoreError.INTERNAL_ERROR({ ref }, error)
  }

  async #audit(tool: Tool<S>, args: unknown, call: Call, error: HubError): Promise<void> {
    const claimed = claimedId(args)
    try {
      await this.#deps.database.tx(tx =>
        this.#deps.events.publish(tx, CallRefused, { tool: tool.name, code: error.code, claimed }, call.caller),
      )
    } catch (failure) {
      // The refusal stands whether or not it could be written down.
      this.#deps.log.warn({ err: failure, tool: tool.name }, 'a refused call could not be recorded')
    }
  }
}

/** Not by spreading: a signal that nobody asks for is not made. A class, since each call makes one. */
class RunningCall<P> implements Running<P> {
  readonly caller: Caller
  readonly lang: Lang
  readonly connection: Connection | undefined
  readonly key: string | undefined
  readonly prepared: P
  readonly afterCommit: Running<P>['afterCommit']
  readonly #call: Call

  constructor(call: Call, prepared: P, afterCommit: Running<P>['afterCommit']) {
    this.caller = call.caller
    this.lang = call.lang
    this.connection = call.connection
    this.key = call.key
    this.prepared = prepared
    this.afterCommit = afterCommit
    this.#call = call
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  progress(done: number, total?: number, message?: string): void {
    this.#call.progress(done, total, message)
  }
}

/** A read has no commit to wait for. */
const atOnce = (effect: () => void): void => effect()

function notFor(tool: Tool<never>, call: Call): HubError {
  const who = call.caller.kind
  if (who === 'starter' && tool.callers.includes('agent')) {
    const en = `${tool.name} is for agents that have signed in. Call authenticate first.`
    const ja = `${tool.name} はサインイン後に使えます。先に authenticate を呼び出してください。`
    return CoreError.NOT_ALLOWED({ what: { en, ja } })
  }
  const what = {
    en: `${tool.name} is not for this kind of caller (${who}).`,
    ja: `${tool.name} はこの種類の呼び出し元 (${who}) では使えません。`,
  }
  return CoreError.NOT_ALLOWED({ what })
}

function claimedId(args: unknown): string | null {
  if (args === null || typeof args !== 'object') return null
  const claims = args as Record<string, unknown>
  for (const name of ['from_agent_id', 'agent_id', 'agentId', 'assignee_id', 'task_id', 'project_id']) {
    const claim = claims[name]
    if (typeof claim === 'string') return claim.slice(0, 200)
  }
  return null
}

function explain(error: z.ZodError): { en: string; ja: string } {
  const parts = error.issues.slice(0, 5).map(issue => {
    const where = issue.path.join('.') || 'arguments'
    return `${where}: ${issue.message}`
  })
  const list = parts.join('; ')
  return { en: `Wrong arguments. ${list}`, ja: `引数が正しくありません。${list}` }
}
