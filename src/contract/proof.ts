// How a hub proves that it knows a credential before it is shown it, and that nothing stands between: the words that both sides
// must agree on. ADR 0024 says why it is so.

/** `GET /healthz?challenge=…&key=…&at=…`; the answer is in this header, `2` and then one code for each binding. */
export const PROOF_HEADER = 'x-toryo-proof'
export const PROOF_VERSION = '2'

/** Enough of a credential's digest to find it by; what is left of it is as good as the whole to make codes with. */
export const KEY_LENGTH = 12

export type Binding =
  /** The two ends of a connection in clear text, as the system of either side sees the hub's end. */
  | { readonly kind: 'tcp'; readonly address: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }
  /** What both ends of one TLS connection alone can derive (RFC 9266). */
  | { readonly kind: 'tls'; readonly exported: string }
  /** `host:port` as the client dialled it. The hub signs those that its user has named. */
  | { readonly kind: 'host'; readonly host: string }

/** The label under which RFC 9266 lets a connection's secret be exported, and how much of it. */
export const TLS_LABEL = 'EXPORTER-Channel-Binding'
export const TLS_BYTES = 32

/** What is signed. Holds a line break, which no challenge of the first version could. */
export function proofText(challenge: string, binding: Binding): string {
  return [`toryo-proof ${PROOF_VERSION}`, challenge, ...Object.values(binding)].join('\n')
}

/** What a client signs that wants a pass: nothing that the hub would say of itself. */
export function passText(challenge: string): string {
  return `toryo-pass ${PROOF_VERSION}\n${challenge}`
}

/** One spelling of an address: a socket that takes both families shows IPv4 inside of IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase()
}
