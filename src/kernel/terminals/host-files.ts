// The folder of one pty-host: where its socket is, its secret, and which processes it has. A hub that comes later finds the
// host by it, and when the host is dead, what it left running. The host alone writes; nobody else may read.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { Exit, Record } from './protocol.ts'

const HostState = z.object({
  record: Record,
  secret: z.string().min(16),
  socket: z.string(),
  release: z.string(),
  startedAt: z.string(),
})
export type HostState = z.infer<typeof HostState>

const Journal = z.object({
  terminals: z.array(z.object({ id: z.string(), record: Record, exit: Exit.optional() })),
})
export type JournalEntry = z.infer<typeof Journal>['terminals'][number]

const STATE = 'host.json'
const JOURNAL = 'terminals.json'
export const HOST_LOG = 'host.log'
/** sun_path, with its NUL: 108 bytes on Linux, 104 elsewhere. */
const SOCKET_PATH_BYTES = 103

export class HostFiles {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Makes the folder, for its owner alone; refuses one that somebody else could have made or can change. */
  prepare(): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const stats = fs.lstatSync(this.folder)
    const uid = process.getuid?.()
    if (!stats.isDirectory()) throw new Error(`${this.folder} is not a folder`)
    if (uid === undefined) return
    if (stats.uid !== uid) throw new Error(`${this.folder} belongs to user ${stats.uid}, not to you (${uid})`)
    if ((stats.mode & 0o077) !== 0) throw new Error(`others can enter ${this.folder}; run: chmod 700 ${this.folder}`)
  }

  state(): HostState | undefined {
    return this.#read(STATE, HostState)
  }

  journal(): JournalEntry[] {
    return this.#read(JOURNAL, Journal)?.terminals ?? []
  }

  writeState(state: HostState): void {
    this.#write(STATE, state)
  }

  writeJournal(terminals: readonly JournalEntry[]): void {
    this.#write(JOURNAL, { terminals })
  }

  /** By the host itself, and only its own: another may have come after it. */
  removeState(secret: string): void {
    if (this.state()?.secret === secret) fs.rmSync(path.join(this.folder, STATE), { force: true })
  }

  /** Of a host that has ended: nothing of it is needed any more. */
  clear(): void {
    const socket = this.state()?.socket
    for (const name of [STATE, JOURNAL, ...(socket === undefined ? [] : [path.basename(socket)])])
      fs.rmSync(path.join(this.folder, name), { force: true })
    for (const name of fs.readdirSync(this.folder))
      if (/\.(tmp|sock)$/.test(name)) fs.rmSync(path.join(this.folder, name), { force: true })
  }

  /** What was written wrongly, or by a stranger, is no state. */
  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const file = path.join(this.folder, name)
    let fd: number
    try {
      fd = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0))
    } catch {
      return undefined // Not there, or a link.
    }
    try {
      const stats = fs.fstatSync(fd)
      const uid = process.getuid?.()
      if (!stats.isFile() || (uid !== undefined && (stats.uid !== uid || (stats.mode & 0o077) !== 0))) return undefined
      return schema.safeParse(JSON.parse(fs.readFileSync(fd, 'utf8'))).data
    } catch {
      return undefined // No JSON.
    } finally {
      fs.closeSync(fd)
    }
  }

  /** Readers see the old file or the new one. No sync: after a loss of power nothing runs that it could name. */
  #write(name: string, value: unknown): void {
    const draft = path.join(this.folder, `${name}.${randomBytes(4).toString('hex')}.tmp`)
    fs.writeFileSync(draft, JSON.stringify(value), { mode: 0o600, flag: 'wx' })
    fs.renameSync(draft, path.join(this.folder, name))
  }
}

/**
 * A name for the socket that fits into the system's limit. Where the folder's path is too long, Linux reaches it through an
 * open descriptor of the folder; hold it until the socket is connected.
 */
export function reach(socket: string): { address: string; done: () => void } {
  if (Buffer.byteLength(socket) <= SOCKET_PATH_BYTES) return { address: socket, done: () => {} }
  if (process.platform !== 'linux')
    throw new Error(`${socket} is too long for a socket; give TORYO_HOME a shorter path`)
  const fd = fs.openSync(path.dirname(socket), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  return { address: `/proc/self/fd/${fd}/${path.basename(socket)}`, done: () => fs.closeSync(fd) }
}
