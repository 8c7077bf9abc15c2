// Finds the process at the other end of a connection by /proc: the table of connections gives an inode, the open files of the
// processes say who holds it.
import fs from 'node:fs'
import { endianness } from 'node:os'
import {
  addressBytes,
  type Holders,
  isOwnAddress,
  type Peer,
  type PeerSystem,
  type ProcessView,
  type Suspects,
} from './peer.ts'
import { pidSpace } from '#system/process-identity.ts'
import { findProcess, limitOf, listPids, markOf, type ProcessInfo } from '#system/processes.ts'
import { socketsOf } from '#system/sockets.ts'
import { Turn } from '#system/turn.ts'

/** The inode number of the namespace in which every process of the system can be seen. */
const WHOLE_MACHINE = 'pid:[4026531836]'

type Row = { inode: string; uid: string }

export const linuxPeers: PeerSystem = {
  view: async () => new LazyView(),

  async holders(peers, suspects) {
    const rows = await rowsOf(peers)
    const inodes = new Set([...rows.values()].map(({ inode }) => inode))
    const found = await scan(inodes, suspects)
    return peers.map((peer): Holders => {
      const row = rows.get(peer)
      if (!row) return isOwnAddress(peer) ? 'gone' : 'elsewhere'
      const pids = found.holders.get(row.inode)
      if (pids) return pids
      // One of these has it, and each of them may be the one.
      const hidden = found.hidden.filter(pid => uidOf(pid) === row.uid)
      const likely = hidden.filter(pid => suspects.includes(pid))
      if (likely.length > 0) return likely
      const isOurs = row.uid === String(process.getuid?.())
      return isOurs && hidden.length === 0 && seesWholeMachine() ? 'gone' : 'hidden'
    })
  },
}

/** Reads of each process what is asked for, once. */
class LazyView implements ProcessView {
  readonly #infos = new Map<number, ProcessInfo | undefined>()
  readonly #marks = new Map<number, string | undefined>()

  find(pid: number): ProcessInfo | undefined {
    if (!this.#infos.has(pid)) this.#infos.set(pid, findProcess(pid))
    return this.#infos.get(pid)
  }

  markOf(pid: number): string | undefined {
    if (!this.#marks.has(pid)) this.#marks.set(pid, markOf(pid))
    return this.#marks.get(pid)
  }

  limitOf(pid: number): number | undefined {
    return limitOf(pid)
  }
}

/** The other ends as the kernel lists them. Those without a process have the inode 0. */
async function rowsOf(peers: readonly Peer[]): Promise<Map<Peer, Row>> {
  const rows = new Map<Peer, Row>()
  for (const family of [4, 6] as const) {
    // Reading a table takes milliseconds where there is much memory, whatever is in it: only one that can have what is missing.
    const missing = peers.filter(peer => !rows.has(peer) && addressesIn(peer, family) !== undefined)
    if (missing.length === 0) continue
    const file = family === 4 ? '/proc/net/tcp' : '/proc/net/tcp6'
    const table = await fs.promises.readFile(file, 'latin1').catch(() => '') // There may be no IPv6 here.
    for (const peer of missing) {
      const row = findRow(table, peer, family)
      if (row && row.inode !== '0') rows.set(peer, row)
    }
  }
  return rows
}

/** In any state: a peer that has sent everything may have closed its half. */
export function findRow(table: string, peer: Peer, family: 4 | 6): Row | undefined {
  const addresses = addressesIn(peer, family)
  const at = addresses === undefined ? -1 : table.indexOf(` ${addresses} `)
  if (at === -1) return undefined
  const end = table.indexOf('\n', at)
  const [, , , , , , uid, , inode] = table.slice(at + 1, end === -1 ? undefined : end).split(/\s+/)
  return uid === undefined || inode === undefined ? undefined : { inode, uid }
}

/** Both ends as their row of this table begins; their local end is our remote one. */
function addressesIn(peer: Peer, family: 4 | 6): string | undefined {
  const remote = endIn(peer.remoteAddress, peer.remotePort, family)
  const local = endIn(peer.localAddress, peer.localPort, family)
  return remote === undefined || local === undefined ? undefined : `${remote} ${local}`
}

/** `0100007F:1F90`: words in the machine's own order of bytes. */
function endIn(address: string | undefined, port: number | undefined, family: 4 | 6): string | undefined {
  if (address === undefined || port === undefined) return undefined
  const bytes = addressBytes(address)
  const isOld = bytes.startsWith(OLD)
  if (family === 4 && !isOld) return undefined
  const words = (family === 4 ? bytes.slice(OLD.length) : bytes).match(/.{8}/g) ?? []
  const inOrder = words.map(word => (endianness() === 'LE' ? (word.match(/../g) ?? []).reverse().join('') : word))
  return `${inOrder.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}
/** How an address of IPv4 begins in IPv6. */
const OLD = `${'0'.repeat(20)}ffff`

/** A process that held a connection before often holds the next one. Looking at those first saves a look at all processes. */
const RECENT = 64
const recent = new Set<number>()

/** Suspects first, all of them; then until each is found those that had one before, and the newest. */
async function scan(inodes: ReadonlySet<string>, suspects: Suspects) {
  const holders = new Map<string, number[]>()
  const hidden: number[] = []
  const looked = new Set<number>()
  const turn = new Turn()
  const look = async (pid: number) => {
    if (looked.has(pid)) return
    looked.add(pid)
    const held = socketsOf(pid, inodes)
    if (held === 'hidden') hidden.push(pid)
    else for (const inode of held) holders.set(inode, [...(holders.get(inode) ?? []), pid])
    await turn.over()
  }
  if (inodes.size === 0) return { holders, hidden }
  for (const pid of descendants(suspects.roots)) await look(pid)
  for (const pid of [...recent].reverse()) if (holders.size < inodes.size) await look(pid)
  if (holders.size < inodes.size)
    for (const pid of listPids().sort((a, b) => b - a)) if (holders.size < inodes.size) await look(pid)
  for (const [pid] of holders.values()) if (pid !== undefined) remember(pid)
  return { holders, hidden }
}

function remember(pid: number): void {
  recent.delete(pid)
  recent.add(pid)
  for (const oldest of recent) if (recent.size > RECENT) recent.delete(oldest)
}

/** Including the roots. A process that was reparented is not among them, and is found as all others are. */
function descendants(roots: readonly number[]): number[] {
  const found = new Set(roots.filter(pid => pid > 1))
  for (const pid of found) for (const child of childrenOf(pid)) found.add(child)
  return [...found]
}

function childrenOf(pid: number): number[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // Gone, or a kernel that does not say.
  }
}

/** The user as which it opens connections. Every user may read this. */
function uidOf(pid: number): string | undefined {
  try {
    const ids = /^Uid:\s+(.*)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return ids?.split(/\s+/)[3]
  } catch {
    return undefined // Gone meanwhile.
  }
}

/** In a container, a peer that connects may be outside of it, where we do not see it. */
function seesWholeMachine(): boolean {
  return pidSpace() === WHOLE_MACHINE
}
