// The folder of one pty-host: where its socket is, its secret, and which processes it has. A hub that comes later finds the
// host by it, and when the host is dead, what it left running. Only the host writes, and only its user may read.
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { makePrivateFolder, openNoFollow, replaceFile } from '#system/files.ts'
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

  /** Makes the folder, for its owner alone; refuses one that another user could have made or can change. */
  prepare(): void {
    const { mode } = makePrivateFolder(this.folder)
    if (process.getuid && (mode & 0o077) !== 0)
      throw new Error(`others can enter ${this.folder}; run: chmod 700 ${this.folder}`)
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

  /** What is malformed, or written by another user, is not a valid state. */
  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const file = path.join(this.folder, name)
    let fd: number
    try {
      fd = openNoFollow(fs, file)
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
    replaceFile(fs, path.join(this.folder, name), JSON.stringify(value), { sync: false })
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
