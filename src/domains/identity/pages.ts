// Browsers that are signed in to the dashboard. Each holds two halves of a credential: a cookie, which no script can read but which the
// browser sends to every port of this machine, and a token that the page keeps. Only both together are the operator's.
import { type Caller, tokenOf } from '#contract/caller.ts'
import type { PageId } from '#contract/id-types.ts'
import { IdentityError, PageSignedIn, PageSignedOut } from '#contract/identity.ts'
import type { Db, Rows } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { IdentityTables } from './schema.ts'

export type Page = {
  id: PageId
  cookieDigest: string
  tokenDigest: string
  /** As the browser calls itself. */
  browser: string
  createdAt: number
  seenAt: number
  expiresAt: number
  revokedAt: number | null
  /** The token with which its link was made: with that, it ends. */
  madeBy: string | null
}

export type SignedIn = { id: PageId; cookie: string; token: string; lifeMs: number }

type Deps = { db: Db; events: EventLog; clock: HubTime; ids: Ids }

const LINK_MS = 10 * 60_000
const PAGE_MS = 30 * 24 * 60 * 60_000
/** Its last use is kept to the minute: it is not worth a write for each request. */
const USE_STEP_MS = 60_000
const BROWSER_CHARS = 300

export class Pages {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** A token for one sign-in. Only its digest is kept. */
  link(by: Caller): Promise<{ token: string; expiresAt: number }> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids } = this.#deps
      const store = new PageStore(tx)
      const now = clock.steady()
      await store.dropLinks(now)
      const token = ids.secret('lgn')
      await store.addLink(digest(token), now + LINK_MS, tokenOf(by))
      return { token, expiresAt: clock.now() + LINK_MS }
    })
  }

  /** The link is used up by it, whatever comes of the answer. */
  signIn(link: string, browser: string): Promise<SignedIn> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, events } = this.#deps
      const store = new PageStore(tx)
      const taken = await store.takeLink(digest(link))
      if (taken === undefined || taken.expires_at <= clock.steady()) throw IdentityError.LOGIN_REFUSED()
      const [cookie, token] = [ids.secret('pgc'), ids.secret('pgt')]
      const now = clock.now()
      const page: Page = {
        id: ids.next('pag'),
        cookieDigest: digest(cookie),
        tokenDigest: digest(token),
        browser: browser.slice(0, BROWSER_CHARS).toWellFormed(),
        createdAt: now,
        seenAt: now,
        expiresAt: clock.steady() + PAGE_MS,
        revokedAt: null,
        madeBy: taken.made_by,
      }
      await store.insert(page)
      await events.publish(tx, PageSignedIn, { pageId: page.id }, operatorAt(page))
      return { id: page.id, cookie, token, lifeMs: PAGE_MS }
    })
  }

  /** Both halves, of the same page. */
  async identify(cookie: string, token: string): Promise<Caller> {
    const { db, clock } = this.#deps
    const page = await new PageStore(db).findByCookie(digest(cookie))
    if (!page || page.tokenDigest !== digest(token) || !this.#isOpen(page)) throw IdentityError.PAGE_SIGNED_OUT()
    const now = clock.now()
    if (Math.abs(now - page.seenAt) >= USE_STEP_MS)
      // A disk that is full must not lock people out.
      await db.tx(tx => new PageStore(tx).seen(page.id, now)).catch(() => {})
    return operatorAt(page)
  }

  /** On every call: a browser that was signed out is worth nothing from that moment on. */
  async admit(caller: Caller): Promise<void> {
    if (caller.kind !== 'operator' || caller.page === undefined) return
    const page = await new PageStore(this.#deps.db).find(caller.page)
    if (!page || !this.#isOpen(page)) throw IdentityError.PAGE_SIGNED_OUT()
  }

  /** Those that are signed in now. */
  async list(): Promise<Page[]> {
    return (await new PageStore(this.#deps.db).list()).filter(page => this.#isOpen(page))
  }

  revoke(id: PageId, by: Caller): Promise<Page> {
    return this.#deps.db.tx(async tx => {
      const store = new PageStore(tx)
      const page = await store.find(id)
      if (!page) throw IdentityError.PAGE_NOT_FOUND({ pageId: id })
      if (page.revokedAt !== null) return page
      const revokedAt = this.#deps.clock.now()
      await store.revoke(id, revokedAt)
      await this.#deps.events.publish(tx, PageSignedOut, { pageId: id }, by)
      return { ...page, revokedAt }
    })
  }

  /** Signs every browser out. */
  revokeAll(by: Caller): Promise<Page[]> {
    return this.#deps.db.tx(async () => {
      const revoked: Page[] = []
      for (const { id } of await this.list()) revoked.push(await this.revoke(id, by))
      return revoked
    })
  }

  #isOpen({ revokedAt, expiresAt }: Page): boolean {
    return revokedAt === null && expiresAt > this.#deps.clock.steady()
  }
}

/** One that somebody signed in by a token acts with that token: it makes no other, and is worth nothing without it. */
function operatorAt({ id, madeBy }: Page): Caller {
  return { kind: 'operator', page: id, ...(madeBy !== null && { token: madeBy }) }
}

class PageStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async dropLinks(now: number): Promise<void> {
    await this.#q.deleteFrom('login_links').where('expires_at', '<=', now).execute()
  }

  async addLink(tokenDigest: string, expiresAt: number, madeBy: string | null): Promise<void> {
    const row = { token_digest: tokenDigest, expires_at: expiresAt, made_by: madeBy }
    await this.#q.insertInto('login_links').values(row).execute()
  }

  /** Undefined when there is none. */
  async takeLink(tokenDigest: string): Promise<{ expires_at: number; made_by: string | null } | undefined> {
    const query = this.#q.deleteFrom('login_links').where('token_digest', '=', tokenDigest)
    return query.returning(['expires_at', 'made_by']).executeTakeFirst()
  }

  async find(id: PageId): Promise<Page | undefined> {
    const row = await this.#q.selectFrom('pages').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toPage(row)
  }

  async findByCookie(cookieDigest: string): Promise<Page | undefined> {
    const query = this.#q.selectFrom('pages').selectAll().where('cookie_digest', '=', cookieDigest)
    const row = await query.executeTakeFirst()
    return row && toPage(row)
  }

  /** Newest first. */
  async list(): Promise<Page[]> {
    const query = this.#q.selectFrom('pages').selectAll().where('revoked_at', 'is', null)
    return (await query.orderBy('id', 'desc').execute()).map(toPage)
  }

  async insert(page: Page): Promise<void> {
    await this.#q
      .insertInto('pages')
      .values({
        id: page.id,
        cookie_digest: page.cookieDigest,
        token_digest: page.tokenDigest,
        browser: page.browser,
        created_at: page.createdAt,
        seen_at: page.seenAt,
        expires_at: page.expiresAt,
        revoked_at: page.revokedAt,
        made_by: page.madeBy,
      })
      .execute()
  }

  /** Alone: a revocation that happens meanwhile must stay. */
  async seen(id: PageId, at: number): Promise<void> {
    await this.#q.updateTable('pages').set({ seen_at: at }).where('id', '=', id).execute()
  }

  async revoke(id: PageId, at: number): Promise<void> {
    await this.#q.updateTable('pages').set({ revoked_at: at }).where('id', '=', id).execute()
  }
}

function toPage(row: IdentityTables['pages']): Page {
  return {
    id: row.id,
    cookieDigest: row.cookie_digest,
    tokenDigest: row.token_digest,
    browser: row.browser,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    madeBy: row.made_by,
  }
}
