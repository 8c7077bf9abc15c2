// Whether a terminal hands its program whole lines (canonical mode), where the system cuts a line that is too long and reports
// nothing. Node cannot read a terminal's settings, so `stty` does. It is started for long lines only.
import { spawn } from 'node:child_process'
import fs from 'node:fs'

/** A line without its end. Linux drops what is beyond its buffer of 4096 bytes; elsewhere MAX_CANON is 1024. */
export const LINE_BYTES = process.platform === 'linux' ? 4095 : 1023

const PATIENCE_MS = 5000
/** Where systems keep stty; the host has no environment of its own. */
const PATH = '/usr/bin:/bin:/run/current-system/sw/bin'
/** A screen that never rests is looked at again and again until a line can be typed. */
const FRESH_MS = 1000

export class LineMode {
  readonly #path: string
  #seen: { at: number; canonical: Promise<boolean | undefined> } | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** As it was at most a second ago. */
  recent(): Promise<boolean | undefined> {
    const fresh = this.#seen && performance.now() - this.#seen.at < FRESH_MS
    return fresh && this.#seen ? this.#seen.canonical : this.now()
  }

  /** Undefined when it cannot be known: there is no stty, or the terminal is gone. */
  now(): Promise<boolean | undefined> {
    const canonical = settings(this.#path).then(canonicalIn)
    this.#seen = { at: performance.now(), canonical }
    return canonical
  }
}

export function canonicalIn(settings: string): boolean | undefined {
  const [, off] = /(?:^|\s)(-?)icanon(?=[\s;]|$)/.exec(settings) ?? []
  return off === undefined ? undefined : off === ''
}

/** What `stty -a` says; empty when it says nothing. */
function settings(path: string): Promise<string> {
  return new Promise(resolve => {
    let fd: number
    try {
      // A descriptor of its own: the child makes its standard input blocking, which would hold for every copy that we have.
      fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOCTTY | fs.constants.O_NONBLOCK)
    } catch {
      return resolve('') // The terminal is gone.
    }
    let said = ''
    const child = spawn('stty', ['-a'], {
      stdio: [fd, 'pipe', 'ignore'],
      env: { PATH, LC_ALL: 'C' },
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    fs.closeSync(fd)
    child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString('latin1')))
    child.on('error', () => resolve('')) // There is no stty.
    child.on('close', code => resolve(code === 0 ? said : ''))
  })
}
