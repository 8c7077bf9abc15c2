// Tokens with the operator's rights that outlive hubs, for people and bridges on other machines. Each has a name and can be revoked.
import { type Caller, tokenOf } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import { IdentityError, TokenAdded, TokenRevoked } from '#contract/identity.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Rows } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { Runners } from './runners.ts'
import type { IdentityTables } from './schema.ts'

export type Token = {
  name: string
  tokenDigest: string
  createdAt: number
  usedAt: number | null
  revokedAt: number | null
}

export type TokensDeps = { db: Db; events: EventLog; clock: Clock; ids: Ids; runners: Pick<Runners, 'revokeMadeBy'> }

const ONLY_HERE = {
  en: 'A token cannot make another token. Create it on the machine of the hub, with `toryo token create`.',
  ja: 'トークンで別のトークンを作ることはできません。ハブのマシンで `toryo token create` を実行してください。',
}

/** Its last use is kept to the minute: it is not worth a write for each request. */
const USE_STEP_MS = 60_000

export class Tokens {
  readonly #deps: TokensDeps

  constructor(deps: TokensDeps) {
    this.#deps = deps
  }

  /** The token is shown once and stored as its digest. A name is never given twice: a connection is known by it. */
  add(name: string, by: Caller): Promise<{ name: string; token: string }> {
    return this.#deps.db.tx(async tx => {
      const store = new TokenStore(tx)
      // Else one that is taken away would live on in those that it has made.
      if (tokenOf(by) !== null) throw CoreError.NOT_ALLOWED({ what: ONLY_HERE })
      if (await store.find(name)) throw IdentityError.TOKEN_EXISTS({ name })
      const token = this.#deps.ids.secret('opr')
      const createdAt = this.#deps.clock.now()
      await store.save({ name, tokenDigest: digest(token), createdAt, usedAt: null, revokedAt: null })
      await this.#deps.events.publish(tx, TokenAdded, { name }, by)
      return { name, token }
    })
  }

  revoke(name: string, by: Caller): Promise<Token> {
    return this.#deps.db.tx(async tx => {
      const store = new TokenStore(tx)
      const token = await store.find(name)
      if (!token) throw IdentityError.TOKEN_NOT_FOUND({ name })
      if (token.revokedAt !== null) return token
      const revoked = { ...token, revokedAt: this.#deps.clock.now() }
      await store.save(revoked)
      await this.#deps.events.publish(tx, TokenRevoked, { name }, by)
      await this.#deps.runners.revokeMadeBy(name, by)
      return revoked
    })
  }

  list(): Promise<Token[]> {
    return new TokenStore(this.#deps.db).list()
  }

  async identify(credential: string): Promise<Caller> {
    const { db, clock } = this.#deps
    const token = await new TokenStore(db).findByDigest(digest(credential))
    if (!token || token.revokedAt !== null) throw IdentityError.TOKEN_REFUSED()
    const now = clock.now()
    if (Math.abs(now - (token.usedAt ?? 0)) >= USE_STEP_MS)
      // A disk that is full must not lock people out.
      await db.tx(tx => new TokenStore(tx).used(token.name, now)).catch(() => {})
    return { kind: 'operator', token: token.name }
  }

  /** Of the token whose digest begins so, also when it was revoked: its holder gets that answer once it has shown it. */
  async digestOf(key: string): Promise<string | undefined> {
    return (await this.list()).find(({ tokenDigest }) => tokenDigest.startsWith(key))?.tokenDigest
  }

  /** On every call: a token that is revoked is worth nothing from that moment on, also on a connection that is open. */
  async admit(caller: Caller): Promise<void> {
    if (caller.kind !== 'operator' || caller.token === undefined) return
    const token = await new TokenStore(this.#deps.db).find(caller.token)
    if (!token || token.revokedAt !== null) throw IdentityError.TOKEN_REFUSED()
  }
}

class TokenStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(name: string): Promise<Token | undefined> {
    const row = await this.#q.selectFrom('operator_tokens').selectAll().where('name', '=', name).executeTakeFirst()
    return row && toToken(row)
  }

  async findByDigest(tokenDigest: string): Promise<Token | undefined> {
    const query = this.#q.selectFrom('operator_tokens').selectAll().where('token_digest', '=', tokenDigest)
    const row = await query.executeTakeFirst()
    return row && toToken(row)
  }

  async list(): Promise<Token[]> {
    return (await this.#q.selectFrom('operator_tokens').selectAll().orderBy('name').execute()).map(toToken)
  }

  async save(token: Token): Promise<void> {
    const row = {
      name: token.name,
      token_digest: token.tokenDigest,
      created_at: token.createdAt,
      used_at: token.usedAt,
      revoked_at: token.revokedAt,
    }
    await this.#q
      .insertInto('operator_tokens')
      .values(row)
      .onConflict(oc => oc.column('name').doUpdateSet(row))
      .execute()
  }

  /** Alone: a revocation that happens meanwhile must stay. */
  async used(name: string, at: number): Promise<void> {
    await this.#q.updateTable('operator_tokens').set({ used_at: at }).where('name', '=', name).execute()
  }
}

function toToken(row: IdentityTables['operator_tokens']): Token {
  return {
    name: row.name,
    tokenDigest: row.token_digest,
    createdAt: row.created_at,
    usedAt: row.used_at,
    revokedAt: row.revoked_at,
  }
}
