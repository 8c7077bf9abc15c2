// Who really shows the operator's token: an agent in a tab runs as the user and can read it, and is itself all the same. Asked of
// the system, by the process at the other end of the connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Caller } from '#contract/caller.ts'
import type { Identities } from './hub.ts'

/** A connection does not change hands. But a tab whose program is quick may be known only a moment later. */
const SURE_MS = 5_000

export class Behind {
  readonly #identities: Pick<Identities, 'behind'>
  readonly #known = new WeakMap<Socket, { caller: Caller | undefined; at: number }>()

  constructor(identities: Pick<Identities, 'behind'>) {
    this.#identities = identities
  }

  /** Of an operator the tab, if there is one; everybody else is who they showed to be. */
  async of(shown: Caller, { socket }: IncomingMessage): Promise<Caller> {
    if (shown.kind !== 'operator') return shown
    const known = this.#known.get(socket)
    if (known && (known.caller || performance.now() - known.at < SURE_MS)) return known.caller ?? shown
    const { localPort, remotePort } = socket
    const caller = await this.#identities.behind({ localPort, remotePort })
    this.#known.set(socket, { caller, at: performance.now() })
    return caller ?? shown
  }
}
