// The hub's side of the proof (ADR 0024): it knows the credential that a client is about to show, and this is its own connection.
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { PASS_FOR_HEADER } from '#contract/limits.ts'
import {
  type Binding,
  KEY_LENGTH,
  PROOF_VERSION,
  passText,
  plainAddress,
  proofText,
  TLS_BYTES,
  TLS_LABEL,
} from '#contract/proof.ts'
import { sameSecret } from './guard.ts'

export type Proving = {
  /** The stored digest of the credential whose digest begins so. */
  digestOf(key: string): Promise<string | undefined>
  /** Whether the user has named this `host:port` as one that leads here. */
  isNamed(host: string): boolean
}

const CHALLENGE = /^[\w-]{1,128}$/
const KEY = new RegExp(`^[\\w-]{${KEY_LENGTH}}$`)

/** The header's value; undefined when nothing was asked that can be answered. */
export async function prove(
  request: IncomingMessage,
  query: URLSearchParams,
  address: AddressInfo | string | null,
  proving: Proving,
): Promise<string | undefined> {
  const [challenge, key, at] = ['challenge', 'key', 'at'].map(name => query.get(name) ?? '') as [string, string, string]
  if (!CHALLENGE.test(challenge) || !KEY.test(key)) return undefined
  const known = await proving.digestOf(key)
  if (known === undefined) return PROOF_VERSION
  const bindings: (Binding | undefined)[] = [bindingOf(request, address)]
  if (proving.isNamed(at)) bindings.push({ kind: 'host', host: at })
  const codes = bindings.flatMap(binding => (binding ? [codeOf(known, challenge, binding)] : []))
  // One that never fits says that the credential is known, though nothing of this connection can be signed.
  return [PROOF_VERSION, ...(codes.length > 0 ? codes : ['-'])].join(' ')
}

/** For clients of before, which say what to update only once they are connected. No client of today takes it for a proof. */
export function proveAsBefore(query: URLSearchParams, token: string): string | undefined {
  const challenge = query.get('challenge') ?? ''
  if (query.has('key') || !CHALLENGE.test(challenge)) return undefined
  return createHmac('sha256', token).update(challenge).digest('base64url')
}

/** Whether the client shows that it knows an operator's credential, and wants a pass. */
export async function wantsPass(
  request: IncomingMessage,
  query: URLSearchParams,
  operatorDigest: Proving['digestOf'],
): Promise<boolean> {
  const wish = request.headers[PASS_FOR_HEADER]
  const challenge = query.get('challenge') ?? ''
  const key = query.get('key') ?? ''
  if (typeof wish !== 'string' || !CHALLENGE.test(challenge) || !KEY.test(key)) return false
  const known = await operatorDigest(key)
  if (known === undefined) return false
  return sameSecret(wish, createHmac('sha256', known).update(passText(challenge)).digest('base64url'))
}

function codeOf(known: string, challenge: string, binding: Binding): string {
  return createHmac('sha256', known).update(proofText(challenge, binding)).digest('base64url')
}

/** What the system says of our end. Never what the request says: that is the sender's own. */
function bindingOf({ socket }: IncomingMessage, address: AddressInfo | string | null): Binding | undefined {
  if (typeof address === 'string') return { kind: 'unix', path: address }
  if (socket instanceof TLSSocket) {
    if (socket.getProtocol() !== 'TLSv1.3') return undefined
    const exported = socket.exportKeyingMaterial(TLS_BYTES, TLS_LABEL, Buffer.alloc(0)).toString('base64url')
    return { kind: 'tls', exported }
  }
  const { localAddress, localPort } = socket
  if (localAddress === undefined || localPort === undefined) return undefined
  return { kind: 'tcp', address: plainAddress(localAddress), port: localPort }
}
