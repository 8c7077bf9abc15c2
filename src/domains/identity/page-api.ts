import type { PageView } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import type { Page, Pages } from './pages.ts'

type Services = { pages: Pages }

/** `url`: where the hub is reached from this machine. */
export function pageOperations(url: () => string) {
  return [
    operation({
      name: 'hub.login_link',
      effect: 'write',
      async run({ pages }: Services, _input, { caller }) {
        const { token, expiresAt } = await pages.link(caller)
        // In the fragment: it is never sent, so it is in no log.
        return { url: `${url()}/#login=${token}`, expires_at: iso(expiresAt) }
      },
    }),
    operation({
      name: 'page.list',
      effect: 'read',
      run: async ({ pages }: Services, _input, { caller }) => {
        const own = caller.kind === 'operator' ? caller.page : undefined
        return { pages: (await pages.list()).map(page => ({ ...pageView(page), is_this: page.id === own })) }
      },
    }),
    operation({
      name: 'page.revoke',
      effect: 'write',
      run: async ({ pages }: Services, { page_id: id }, { caller }) => {
        const revoked = id === undefined ? await pages.revokeAll(caller) : [await pages.revoke(id, caller)]
        return { pages: revoked.map(pageView) }
      },
    }),
  ]
}

function pageView({ id, browser, createdAt, seenAt, revokedAt }: Page): PageView {
  return {
    page_id: id,
    browser,
    signed_in_at: iso(createdAt),
    last_seen_at: iso(seenAt),
    revoked_at: revokedAt === null ? null : iso(revokedAt),
  }
}
