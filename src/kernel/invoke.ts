// The one road: caller → input → verb → output. Every call takes it, from MCP, HTTP or CLI; it is the only catch-all.
import type { z } from 'zod'
import { confinedTo } from '#contract/access.ts'
import { CLAIMS, type Caller, callerKey, callerName, hasSignedIn, isRevocable, whyNotFor } from '#contract/caller.ts'
import { CallRefused } from '#contract/events.ts'
import { CoreError, cut, HubError, type Lang } from '#contract/errors.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import { bodyDigest, findAnswer, saveAnswer } from './answers.ts'
import type { Database, Db } from './db/db.ts'
import type { EventLog } from './events.ts'
import type { HubTime } from './hub-time.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import { weigh } from './portable.ts'
import type { Quotas } from './quotas.ts'
import { withIds } from './short-names.ts'
import type { Call, Connection, Running, Tool } from './tool.ts'

/** The caller that a session stands for. `mayUse`: the session is the caller's own, or this kind of caller has none. */
export type Named = { readonly owner: Caller; readonly mayUse: boolean }

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: HubError }

export type InvokerDeps<S> = {
  database: Database
  events: EventLog
  clock: HubTime
  ids: Ids
  log: Log
  quotas: Quotas
  /** The services over a transaction or over the reading connection. */
  bind(db: Db): S
  /**
   * Refuses a caller whose standing has changed since it signed in, or whose connection's opener's has. Runs inside the transaction
   * of a write, and before a stored answer is given again; where a token can be revoked, always.
   */
  admit(db: Db, caller: Caller, opener?: Caller): Promise<void>
  /** The caller of a session token, even if the session has ended; undefined for an unknown token. */
  named(db: Db, token: string, call: Call): Promise<Named | undefined>
  /** The caller that signed in on this connection, as it is stored. */
  onConnection(secret: string): Promise<Caller | undefined>
  /** The id of what has this short name, or is it; undefined: it names nothing. */
  idOf(db: Db, of: string, name: string): Promise<string | undefined>
}

export class Invoker<S> {
  readonly #deps: InvokerDeps<S>
  readonly #reading: S

  constructor(deps: InvokerDeps<S>) {
    this.#deps = deps
    this.#reading = deps.bind(deps.database)
  }

  async invoke(tool: Tool<S>, args: unknown, call: Call): Promise<Outcome> {
    const { clock, log, quotas } = this.#deps
    const { account } = call
    const began = clock.monotonic()
    const refusal = account === undefined ? undefined : quotas.enter(account)
    let outcome: Outcome
    try {
      outcome = refusal ? { ok: false, error: refusal } : await this.#outcome(tool, args, call)
    } finally {
      if (account !== undefined && !refusal) quotas.leave(account)
    }
    if (log.isLevelEnabled?.('debug') === false) return outcome
    // Never what was said: arguments and answers are people's work and may hold secrets.
    const facts = { tool: tool.name, caller: callerName(call.caller), ms: Math.round(clock.monotonic() - began) }
    log.debug({ ...facts, outcome: outcome.ok ? 'ok' : outcome.error.code }, 'call')
    return outcome
  }

  async #outcome(tool: Tool<S>, args: unknown, call: Call): Promise<Outcome> {
    try {
      // One that was started and never signed in may have been replaced meanwhile; then nothing else is worth an answer.
      const isStarter = call.caller.kind === 'starter' && !tool.evenFenced
      if (isStarter) await this.#deps.admit(this.#deps.database, call.caller)
      if (!tool.callers.includes(call.caller.kind)) throw refusal(tool, call.caller)
      if (isRevocable(call.caller, call.connection?.opener))
        await this.#deps.admit(this.#deps.database, call.caller, call.connection?.opener)
      const given = this.#input(tool, args, call)
      // Each wait costs as much as a cheap query: most calls have neither short names nor a session.
      const named = this.withIds(tool, given)
      const input = named instanceof Promise ? await named : named
      const session =
        input['session_token'] === undefined ? undefined : await this.#session(this.#deps.database, input, call)
      const acting = this.#as(session, call)
      const value =
        tool.effect === 'read'
          ? await this.#read(tool, input, acting)
          : await this.#write(tool, input, acting, { session, given })
      if (!tool.after) return { ok: true, value }
      const whole = await tool.after(this.#reading, value as Record<string, unknown>, acting)
      return { ok: true, value: tool.output.parse(whole) }
    } catch (error) {
      const known = this.#known(error, tool)
      if (known.kind === 'forbidden') await this.#audit(tool, args, call, known)
      return { ok: false, error: known }
    }
  }

  /** The arguments with ids in the place of short names. */
  withIds<T>(tool: Tool<S>, args: T): T | Promise<T> {
    return withIds(tool.input, args, (of, name) => this.idOf(of, name))
  }

  idOf(of: string, name: string): Promise<string | undefined> {
    return this.#deps.idOf(this.#deps.database, of, name)
  }

  #input(tool: Tool<S>, args: unknown, call: Call): Record<string, unknown> {
    const { problem, bytes } = weigh(args)
    if (problem) throw problem
    const parsed = tool.input.safeParse(args ?? {})
    if (!parsed.success) throw CoreError.INVALID_ARGUMENT({ reason: explain(parsed.error) })
    const isPaid = tool.effect !== 'read' && call.account !== undefined
    const refusal = isPaid ? this.#deps.quotas.write(call.account, bytes) : undefined
    if (refusal) throw refusal
    return parsed.data
  }

  async #read(tool: Tool<S>, input: Record<string, unknown>, call: Call): Promise<unknown> {
    const prepared = tool.prepare && (await tool.prepare(this.#reading, input, call))
    return tool.output.parse(await tool.run(this.#reading, input, new RunningCall(call, prepared, atOnce)))
  }

  /** The owner of the session that the call names and may use. */
  async #session(db: Db, input: Record<string, unknown>, call: Call): Promise<Caller | undefined> {
    const named = await this.#named(db, input, call)
    return named?.mayUse ? named.owner : undefined
  }

  async #named(db: Db, from: Record<string, unknown>, call: Call): Promise<Named | undefined> {
    const token = from['session_token']
    return typeof token === 'string' ? this.#deps.named(db, token, call) : undefined
  }

  /** One caller may have signed in more than once on its connection: a call that names a session is made where that one works. */
  #as(session: Caller | undefined, call: Call): Call {
    if (session === undefined || !hasSignedIn(call.caller)) return call
    const isElsewhere = confinedTo(session) !== confinedTo(call.caller)
    return isElsewhere ? new RunningCall(call, undefined, atOnce, session) : call
  }

  /** The stored answer, for a caller that may still have it: one that was stopped or replaced since gets the refusal. */
  async #before(
    db: Db,
    tool: Tool<S>,
    { key, body, session }: Known,
    call: Call,
  ): Promise<{ value: unknown } | undefined> {
    const before = key === undefined ? undefined : await findAnswer(db, key, body)
    if (!before) return undefined
    if (!tool.evenFenced) await this.#deps.admit(db, call.caller, call.connection?.opener)
    const given = session ? undefined : await this.#named(db, before.value as Record<string, unknown>, call)
    if (given && !given.mayUse) throw CoreError.IDEMPOTENCY_CONFLICT()
    const owner = session ?? given?.owner
    if (owner) await this.#deps.admit(db, owner)
    return before
  }

  async #write(
    tool: Tool<S>,
    input: Record<string, unknown>,
    call: Call,
    { session, given }: { session: Caller | undefined; given: Record<string, unknown> },
  ): Promise<unknown> {
    const { database, clock } = this.#deps
    const key = call.key ?? (call.clientKey === undefined ? undefined : ownKey(call.clientKey, session ?? call.caller))
    // As it was sent: a name may mean something else by the time it is sent again, and the answer is still the first one's.
    const body = key === undefined ? '' : bodyDigest(tool.name, given)
    const known = { key, body, session }
    if (tool.prepare && !tool.readFirst) {
      const before = await this.#before(database, tool, known, call)
      if (before) {
        await this.#recognise(call)
        return before.value
      }
    }
    const prepared = tool.prepare && (await tool.prepare(this.#reading, input, call))
    const seen = tool.readFirst && (await tool.readFirst(this.#reading, input, new RunningCall(call, prepared, atOnce)))
    if (seen) {
      // What it saw may be this very call's own effect: then its answer was stored with it.
      const before = await this.#before(database, tool, known, call)
      return before ? before.value : tool.output.parse(seen)
    }
    const effects: (() => void)[] = []
    let replayed = false
    const answer = await database.tx(async tx => {
      const before = await this.#before(tx, tool, known, call)
      replayed = before !== undefined
      if (before) return before.value
      if (!tool.evenFenced) await this.#deps.admit(tx, call.caller, call.connection?.opener)
      const inside = new RunningCall(call, prepared, effect => void effects.push(effect))
      const value = tool.output.parse(await tool.run(this.#deps.bind(tx), input, inside))
      if (key !== undefined) await saveAnswer(tx, key, body, value, clock.steady())
      return value
    }, call.account)
    if (replayed) await this.#recognise(call)
    for (const effect of effects) effect()
    return answer
  }

  /** A connection that came back before its sign-in was committed learns here who it is. */
  async #recognise({ connection }: Call): Promise<void> {
    connection?.identifyAs(await this.#deps.onConnection(connection.secret))
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
      await this.#deps.database.tx(
        tx => this.#deps.events.publish(tx, CallRefused, { tool: tool.name, code: error.code, claimed }, call.caller),
        call.account,
      )
    } catch (failure) {
      // The refusal stands whether or not it could be written down.
      this.#deps.log.warn({ err: failure, tool: tool.name }, 'a refused call could not be recorded')
    }
  }
}

/** Not spread: `signal` is lazy, and spreading would create an AbortController per call. A class, since each call makes one. */
class RunningCall<P> implements Running<P> {
  readonly caller: Caller
  readonly lang: Lang
  readonly connection: Connection | undefined
  readonly key: string | undefined
  readonly clientKey: string | undefined
  readonly account: string | undefined
  readonly prepared: P
  readonly afterCommit: Running<P>['afterCommit']
  readonly #call: Call

  constructor(call: Call, prepared: P, afterCommit: Running<P>['afterCommit'], caller = call.caller) {
    this.caller = caller
    this.lang = call.lang
    this.connection = call.connection
    this.key = call.key
    this.clientKey = call.clientKey
    this.account = call.account
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

/** By what a call is known when it is sent again, and the owner of the session that it names. */
type Known = { readonly key: string | undefined; readonly body: string; readonly session: Caller | undefined }

/** The same word from another caller, or from the same one working elsewhere, is another key. */
function ownKey(key: string, by: Caller): string {
  return JSON.stringify([callerKey(by), confinedTo(by) ?? null, key])
}

/** A read has no commit to wait for. */
const atOnce = (effect: () => void): void => effect()

function refusal(tool: Tool<never>, caller: Caller): HubError {
  const { name, toolset, callers } = tool
  return CoreError.NOT_ALLOWED({ what: whyNotFor({ name, isApi: toolset === 'api', callers }, caller) })
}

function claimedId(args: unknown): string | null {
  if (args === null || typeof args !== 'object') return null
  const claims = args as Record<string, unknown>
  for (const name of CLAIMS) {
    const claim = claims[name]
    if (typeof claim === 'string') return withoutSecrets(claim).slice(0, 200)
  }
  return null
}

function explain(error: z.ZodError): { en: string; ja: string } {
  const parts = error.issues.slice(0, 5).map(issue => {
    const where = issue.path.join('.') || 'arguments'
    return `${cut(where)}: ${cut(issue.message, 300)}`
  })
  const list = parts.join('; ')
  return { en: `Wrong arguments. ${list}`, ja: `引数が正しくありません。${list}` }
}
