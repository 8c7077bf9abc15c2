// The hub process of `toryo up` in a terminal. It runs separately from the view, so that it can keep running in the background
// when the person closes the view; otherwise it ends together with this process.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { hubEnvironment } from '#client/hub-process.ts'

export type HubChild = {
  readonly pid: number | undefined
  /** Its exit code, also when it never listened. */
  readonly ended: Promise<number>
  /** Resolves when it listens, of a demo with its database; never if it does not. */
  readonly listens: Promise<string | undefined>
  signal(name: NodeJS.Signals): void
  /** From now on it stays when we end. Resolves when it has understood. */
  leave(): Promise<void>
}

export function startHubChild(program: string, argv: readonly string[], heard: (text: string) => void): HubChild {
  const child = spawn(process.execPath, [program, 'up', ...argv, '--attached'], {
    // A session of its own: Ctrl-C is for us, who ask first.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // It may stay for days: nothing of the tab or run that we are in may stick to it.
    env: hubEnvironment(),
  })
  for (const stream of [child.stdout, child.stderr]) wholeLines(stream, heard)
  const listens = listening(child)
  const ended = new Promise<number>(resolve => {
    child.once('close', (code, signal) => resolve(codeOf(code, signal)))
    child.once('error', error => {
      heard(`toryo: ${error.message}\n`)
      resolve(1)
    })
  })
  return {
    pid: child.pid,
    ended,
    listens,
    signal: name => void child.kill(name),
    async leave() {
      const left = said(child, 'left')
      child.send('leave')
      await Promise.race([left, ended])
      child.disconnect()
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
    },
  }
}

function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise(resolve => {
    child.on('message', message => {
      if (message === word) resolve()
    })
  })
}

function listening(child: ChildProcess): Promise<string | undefined> {
  return new Promise(resolve => {
    child.on('message', message => {
      if (typeof message !== 'object' || message === null || !('listening' in message)) return
      resolve(typeof message.listening === 'string' ? message.listening : undefined)
    })
  })
}

function codeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

function wholeLines(stream: NodeJS.ReadableStream | null, heard: (text: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => {
    const end = (rest + text).lastIndexOf('\n') + 1
    const all = rest + text
    rest = all.slice(end)
    if (end > 0) heard(all.slice(0, end))
  })
  stream?.on('end', () => rest !== '' && heard(`${rest}\n`))
}
