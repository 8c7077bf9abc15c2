// Says of connections which of the processes that we started is at the other end. Those that ask at the same time share one look at
// the system.
import { linuxPeers } from './linux-peers.ts'
import { macosPeers } from './macos-peers.ts'
import { type Origin, Origins, type Started, selfOf } from './origin.ts'
import type { Holders, Peer, PeerSystem } from './peer.ts'
import { bootId } from '#system/processes.ts'

/** `unknown`: on this machine, and it cannot be said from where. */
export type PeerOrigin<T> = Origin<T> | { readonly kind: 'unknown' }

export type PeersDeps<T> = {
  /** All that were started and have not ended, also those that are only about to be. */
  started: () => Promise<readonly Started<T>[]>
  /** Marks of those that started us and let us go. */
  ownMarks?: readonly string[]
  /** Undefined where nothing can be known: then every caller is taken for what its credential says. */
  system?: PeerSystem | undefined
}

type Waiting<T> = { peer: Peer; resolve: (origin: PeerOrigin<T>) => void; reject: (error: unknown) => void }

export class Peers<T> {
  readonly #deps: PeersDeps<T>
  readonly #system: PeerSystem | undefined
  #waiting: Waiting<T>[] = []
  #working = false

  constructor(deps: PeersDeps<T>) {
    this.#deps = deps
    this.#system = 'system' in deps ? deps.system : systemHere()
  }

  originOf(peer: Peer): Promise<PeerOrigin<T>> {
    if (!this.#system) return Promise.resolve({ kind: 'outside' })
    if (peer.remotePort === undefined || peer.localPort === undefined) return Promise.resolve({ kind: 'unknown' })
    return new Promise((resolve, reject) => {
      this.#waiting.push({ peer, resolve, reject })
      if (!this.#working) void this.#work(this.#system as PeerSystem)
    })
  }

  /** A scan answers the questions that came before it began: it misses processes that were started later. */
  async #work(system: PeerSystem): Promise<void> {
    this.#working = true
    // All questions of one turn share a scan.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0)
      try {
        const origins = await this.#look(
          system,
          asked.map(({ peer }) => peer),
        )
        for (const [at, { resolve }] of asked.entries()) resolve(origins[at] ?? { kind: 'unknown' })
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    this.#working = false
  }

  async #look(system: PeerSystem, peers: readonly Peer[]): Promise<PeerOrigin<T>[]> {
    const { started, ownMarks = [] } = this.#deps
    const [known, view] = await Promise.all([started(), system.view()])
    const origins = new Origins(view, known, bootId(), selfOf(view, process.pid, ownMarks))
    const includes = (pid: number) => origins.of(pid).kind !== 'outside'
    const holders = await system.holders(peers, { includes, roots: known.map(({ record }) => record.pid) })
    return holders.map(held => judged(held, origins))
  }
}

/** If several processes hold it, one that was started by such a process is enough. */
function judged<T>(held: Holders, origins: Origins<T>): PeerOrigin<T> {
  if (held === 'gone') return { kind: 'unknown' }
  if (held === 'elsewhere' || held === 'hidden') return { kind: 'outside' }
  const found = held.map(pid => origins.of(pid))
  return (
    found.find(({ kind }) => kind === 'started') ?? found.find(({ kind }) => kind === 'marked') ?? { kind: 'outside' }
  )
}

function systemHere(): PeerSystem | undefined {
  if (process.platform === 'linux') return linuxPeers
  return process.platform === 'darwin' ? macosPeers() : undefined
}
