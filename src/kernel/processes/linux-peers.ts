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
import { findProcess, markOf, type ProcessInfo, Turn } from './table.ts'

/** The inode number of the namespace in which every process of the system can be seen. */
const EVERYBODY = 'pid:[4026531836]'

type Row = { inode: string; uid: string }

export const linuxPeers: PeerSystem = {
  view: async () => new LazyView(),

  async holders(peers, suspects) {
    const rows = await rowsOf(peers)
    const inodes = new Set([...rows.values()].map(({ inode }) => inode))
    const found = await scan(inodes, suspects)
    return peers.map((peer): Holders => {
      const row = rows.get(peer)
      if (!row) return isOwnAddress(peer) ? 'nobody' : 'elsewhere'
      const pids = found.holders.get(row.inode)
      if (pids) return pids
      // One of these has it, and each of them may be the one.
      const hidden = found.hidden.filter(pid => uidOf(pid) === row.uid)
      const likely = hidden.filter(pid => suspects.includes(pid))
      if (likely.length > 0) return likely
      const isOurs = row.uid === String(process.getuid?.())
      return isOurs && hidden.length === 0 && seesEverybody() ? 'nobody' : 'hidden'
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
}

/** The other ends as the kernel lists them. Those without a process have the inode 0. */
async function rowsOf(peers: readonly Peer[]): Promise<Map<Peer, Row>> {
  const rows = new Map<Peer, Row>()
  // Reading a table takes milliseconds where there is much memory, whatever is in it: the second only when it is needed.
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const missing = new Map(peers.filter(peer => !rows.has(peer)).map(peer => [keyOf(peer), peer]))
    if (missing.size === 0) break
    for (const [key, row] of parseTable(await fs.promises.readFile(table, 'latin1').catch(() => ''))) {
      const peer = missing.get(key)
      if (peer && row.inode !== '0') rows.set(peer, row)
    }
  }
  return rows
}

function keyOf({ localAddress = '', localPort, remoteAddress = '', remotePort }: Peer): string {
  // Their local end is our remote one.
  return `${addressBytes(remoteAddress)}:${remotePort} ${addressBytes(localAddress)}:${localPort}`
}

/** By both ends, as the end of the row sees them. In any state: who has sent all it wants to say may have closed its half. */
export function parseTable(text: string): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const line of text.split('\n').slice(1)) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/)
    if (local === undefined || remote === undefined || uid === undefined || inode === undefined) continue
    rows.set(`${endOf(local)} ${endOf(remote)}`, { inode, uid })
  }
  return rows
}

/** `0100007F:1F90`: words in the machine's own order of bytes. */
function endOf(text: string): string {
  const [address = '', port = ''] = text.split(':')
  const words = (address.match(/.{8}/g) ?? []).map(word =>
    endianness() === 'LE' ? (word.match(/../g) ?? []).reverse().join('') : word,
  )
  const bytes = words.join('').toLowerCase()
  return `${bytes.length === 8 ? `${'0'.repeat(20)}ffff${bytes}` : bytes}:${Number.parseInt(port, 16)}`
}

/** Suspects first; then the newest, among which whoever has just connected most likely is, until each has been found. */
async function scan(inodes: ReadonlySet<string>, suspects: Suspects) {
  const holders = new Map<string, number[]>()
  const hidden: number[] = []
  const look = (pid: number) => {
    const held = socketsOf(pid, inodes)
    if (held === 'hidden') hidden.push(pid)
    else for (const inode of held) holders.set(inode, [...(holders.get(inode) ?? []), pid])
  }
  if (inodes.size === 0) return { holders, hidden }
  const turn = new Turn()
  const all = pidsNow().sort((a, b) => b - a)
  const first = new Set<number>()
  for (const pid of suspects.all ? all : []) {
    if (suspects.includes(pid)) first.add(pid)
    await turn.over()
  }
  for (const pid of first) {
    look(pid)
    await turn.over()
  }
  for (const pid of all) {
    if (holders.size === inodes.size) break
    if (!first.has(pid)) look(pid)
    await turn.over()
  }
  return { holders, hidden }
}

function pidsNow(): number[] {
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0)
}

function socketsOf(pid: number, inodes: ReadonlySet<string>): string[] | 'hidden' {
  const folder = `/proc/${pid}/fd`
  try {
    return fs.readdirSync(folder).flatMap(fd => {
      const inode = /^socket:\[(\d+)\]$/.exec(link(`${folder}/${fd}`))?.[1]
      return inode !== undefined && inodes.has(inode) ? [inode] : []
    })
  } catch (error) {
    return isGone(error) ? [] : 'hidden'
  }
}

function link(path: string): string {
  try {
    return fs.readlinkSync(path)
  } catch {
    return '' // Closed meanwhile.
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** The user as whom it opens connections. Everybody may read this. */
function uidOf(pid: number): string | undefined {
  try {
    const ids = /^Uid:\s+(.*)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return ids?.split(/\s+/)[3]
  } catch {
    return undefined // Gone meanwhile.
  }
}

/** In a container, whoever connects may be outside of it, where we do not see it. */
function seesEverybody(): boolean {
  return link('/proc/self/ns/pid') === EVERYBODY
}
