// Which caller a credential stands for.
import { digest } from '#kernel/ids.ts'
import { sameSecret } from '#transports/guard.ts'
import type { Identities } from '#transports/hub.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import type { Services } from './services.ts'

type Own = Pick<ComposeOptions, 'token' | 'runnerToken' | 'runnerName'>

export function identitiesOf(own: Own, { peers, descends }: Parts, services: Services): Identities {
  const { token, runnerToken, runnerName } = own
  const { identity, tickets, runners, tokens, pages } = services
  const redeemers = redeemersOf(services, descends)
  const operatorDigest = async (key: string) =>
    [digest(token)].find(one => one.startsWith(key)) ?? (await tokens.digestOf(key))
  return {
    fromCredential: async (credential, connectionSecret, peer) => {
      if (sameSecret(credential, token)) return { kind: 'operator' }
      if (sameSecret(credential, runnerToken)) return { kind: 'runner', name: runnerName }
      const [kind = ''] = credential.split('_', 1)
      const redeem = Object.hasOwn(redeemers, kind) ? redeemers[kind] : undefined
      return redeem ? redeem(credential, connectionSecret, peer) : tickets.redeem(credential, connectionSecret)
    },
    originOf: peer => peers.originOf(peer),
    digestOf: async key =>
      (await operatorDigest(key)) ??
      [digest(runnerToken)].find(one => one.startsWith(key)) ??
      (await runners.digestOf(key)) ??
      (await tickets.digestOf(key)),
    operatorDigest,
    pages: {
      signIn: (link, browser) => pages.signIn(link, browser),
      identify: (cookie, page) => pages.identify(cookie, page),
      signOut: async id => void (await pages.revoke(id, { kind: 'operator', page: id })),
    },
    onConnection: secret => identity.onConnection(secret),
  }
}

/** By the prefix of a stored credential. */
function redeemersOf(services: Services, descends: Parts['descends']): Record<string, Identities['fromCredential']> {
  const { tickets, runTickets, runners, tokens, tabTickets } = services
  return {
    tkt: (ticket, connectionSecret) => tickets.redeem(ticket, connectionSecret),
    rtk: (ticket, connectionSecret, peer) => runTickets.redeem(ticket, connectionSecret, peer),
    rnr: token => runners.identify(token),
    opr: token => tokens.identify(token),
    ttk: (ticket, connectionSecret, peer) =>
      tabTickets.redeem(ticket, connectionSecret, marker => descends(peer, marker)),
  }
}
