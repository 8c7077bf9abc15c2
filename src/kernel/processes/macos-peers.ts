// Finds the process at the other end of a connection with `lsof`, and what it comes from with `ps`.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { addressBytes, type Holders, isOwnAddress, type Peer, type PeerSystem, type ProcessView } from './peer.ts'
import { markShown, parsePs, PS_COLUMNS, PS_ENV, type ProcessInfo } from '#system/processes.ts'

/** What a program prints; empty when it finds nothing. */
type Print = (program: string, args: readonly string[]) => Promise<string>

const MAX_BYTES = 64 * 1024 * 1024

export function macosPeers(print: Print = printed): PeerSystem {
  return {
    async view() {
      const [infos, marks] = await Promise.all([
        print('/bin/ps', ['-ax', '-o', PS_COLUMNS]),
        // Behind the arguments comes the environment, of those whose owner and signature let us see it.
        print('/bin/ps', ['-axEww', '-o', 'pid=,command=']),
      ])
      return new WholeView(parsePs(infos), parseMarks(marks))
    },

    async holders(peers) {
      const ports = [...new Set(peers.map(({ remotePort }) => `-iTCP:${remotePort}`))]
      const open = parseLsof(await print('/usr/sbin/lsof', ['-nP', '-w', '-FpnT', ...ports]))
      return peers.map((peer): Holders => {
        const theirs = open.filter(({ name }) => name === nameOf(peer, 'theirs'))
        if (theirs.length > 0) return theirs.map(({ pid }) => pid)
        if (!isOwnAddress(peer)) return 'elsewhere'
        // Other users' processes are not shown. Our own end shows whether there is one.
        const isOpen = open.some(({ name, state }) => name === nameOf(peer, 'ours') && state === 'ESTABLISHED')
        return isOpen ? 'hidden' : 'gone'
      })
    },
  }
}

class WholeView implements ProcessView {
  readonly #infos: ReadonlyMap<number, ProcessInfo>
  readonly #marks: ReadonlyMap<number, string>

  constructor(infos: ReadonlyMap<number, ProcessInfo>, marks: ReadonlyMap<number, string>) {
    this.#infos = infos
    this.#marks = marks
  }

  find(pid: number): ProcessInfo | undefined {
    return this.#infos.get(pid)
  }

  markOf(pid: number): string | undefined {
    return this.#marks.get(pid)
  }

  limitOf(): undefined {
    return undefined
  }
}

type Open = { pid: number; name: string; state: string }

/** `p` begins a process, `n` names a connection, `TST=` says how it stands; both are about the file that came before them. */
function parseLsof(text: string): Open[] {
  const found: Open[] = []
  let pid = 0
  let current: Open | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1))
    if (line.startsWith('f') || line.startsWith('p')) current = undefined
    const state = /^TST=(\w+)/.exec(line)?.[1]
    const name = /^n(.+):(\d+)->(.+):(\d+)$/.exec(line)
    if (state === undefined && !name) continue
    current ??= { pid, name: '', state: '' }
    if (!found.includes(current)) found.push(current)
    if (state !== undefined) current.state = state
    if (name) current.name = `${inName(name[1])}:${name[2]} ${inName(name[3])}:${name[4]}`
  }
  return found
}

function inName(address = ''): string {
  return addressBytes(address.replace(/^\[(.*)\]$/, '$1'))
}

function nameOf(
  { localAddress = '', localPort, remoteAddress = '', remotePort }: Peer,
  end: 'ours' | 'theirs',
): string {
  const ours = `${addressBytes(localAddress)}:${localPort}`
  const other = `${addressBytes(remoteAddress)}:${remotePort}`
  return end === 'ours' ? `${ours} ${other}` : `${other} ${ours}`
}

/** An argument could pretend to be a mark, which would only take rights from the process that was given it. */
function parseMarks(text: string): Map<number, string> {
  const marks = new Map<number, string>()
  for (const line of text.split('\n')) {
    const [, pid, rest = ''] = /^\s*(\d+)\s(.*)$/.exec(line) ?? []
    const mark = markShown(rest)
    if (pid !== undefined && mark !== undefined) marks.set(Number(pid), mark)
  }
  return marks
}

async function printed(program: string, args: readonly string[]): Promise<string> {
  const options = { encoding: 'latin1', maxBuffer: MAX_BYTES, env: PS_ENV } as const
  const { stdout } = await promisify(execFile)(program, [...args], options).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }), // It ends with 1 when anything was unreadable.
  )
  return stdout
}
