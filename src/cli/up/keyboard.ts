// The person's keys while a live view is shown. Raw: what is typed must not be echoed into the panel, and a Ctrl-C is one of the
// answers. The terminal is as it was when this is disposed, when it is suspended, and at every exit of the process.
import type { ReadStream } from 'node:tty'

const CTRL_C = '\u0003'
const CTRL_Z = '\u001a'
const CTRL_BACKSLASH = '\u001c'
/** A stop takes effect within moments; one that the kernel refuses (no shell could continue us) never does. */
const STOPPED_MS = 100
const ECHO_MS = 500

export type Keys = {
  interrupt(): void
  key(key: string): void
  /** The terminal itself has gone: its window was closed. */
  gone(): void
  /** Before we are stopped by Ctrl-Z, and when we go on: others have written to the terminal meanwhile. */
  suspended(): void
  resumed(): void
}

export class Keyboard {
  readonly #input: ReadStream
  readonly #keys: Keys
  readonly #typed = (data: Buffer) => this.#read(data.toString('latin1'))
  readonly #gone = () => this.#keys.gone()
  readonly #suspend = () => this.#stop()
  readonly #resume = () => this.#goOn()
  readonly #restore = () => this.#raw(false)
  #isDisposed = false
  #continuedAt = Number.NEGATIVE_INFINITY

  constructor(input: ReadStream, keys: Keys) {
    this.#input = input
    this.#keys = keys
    input.on('data', this.#typed)
    input.on('end', this.#gone)
    input.on('error', this.#gone)
    process.on('SIGTSTP', this.#suspend)
    process.on('SIGCONT', this.#resume)
    process.on('exit', this.#restore)
    this.#raw(true)
    input.resume()
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    process.off('SIGTSTP', this.#suspend)
    process.off('SIGCONT', this.#resume)
    process.off('exit', this.#restore)
    this.#input.off('data', this.#typed)
    this.#input.off('end', this.#gone)
    this.#raw(false)
    // 'error' stays: a terminal that goes away now does not matter any more.
    this.#input.pause()
  }

  #read(text: string): void {
    for (const key of text) {
      if (this.#isDisposed) return
      if (key === CTRL_C) this.#keys.interrupt()
      // To the whole group, as a terminal that is not raw would: npm may stand between us and the shell.
      else if (key === CTRL_Z) process.kill(0, 'SIGTSTP')
      else if (key === CTRL_BACKSLASH) this.#quit()
      else this.#keys.key(key)
    }
  }

  /** With the signal's own effect: the kernel knows whether a shell is there to continue us. */
  #stop(): void {
    this.#keys.suspended()
    this.#raw(false)
    process.off('SIGTSTP', this.#suspend)
    process.kill(process.pid, 'SIGTSTP')
    setTimeout(this.#resume, STOPPED_MS)
  }

  #goOn(): void {
    // A stop ends with the timer and with the signal, in any order.
    const now = performance.now()
    if (this.#isDisposed || now - this.#continuedAt < ECHO_MS) return
    this.#continuedAt = now
    process.off('SIGTSTP', this.#suspend)
    process.on('SIGTSTP', this.#suspend)
    // Off first: it may have been changed behind our back, and is not set when it is thought to be set.
    this.#raw(false)
    this.#raw(true)
    this.#keys.resumed()
  }

  #quit(): void {
    this.dispose()
    process.kill(process.pid, 'SIGQUIT')
  }

  #raw(on: boolean): void {
    try {
      this.#input.setRawMode(on)
    } catch {
      // The terminal is gone; `gone` says so.
    }
  }
}
