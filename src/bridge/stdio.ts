// The bridge's own process: stdout belongs to JSON-RPC alone, and when the client is gone the bridge goes, too.
import { isAlive } from '#system/processes.ts'

export type Stdout = {
  /** Text gets its line break here; bytes have it. False when the client reads too slowly: wait for `drained`. */
  line: (line: string | Buffer) => boolean
  /** Resolves when everything is out, or after `ms`. */
  flush: (ms: number) => Promise<void>
}

type StdoutEvents = { drained: () => void; gone: () => void }

/** From now on whatever else writes to stdout (console, a library, a debug hook) writes to stderr instead. */
export function takeStdout(events: StdoutEvents): Stdout {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  stdout.on('drain', events.drained)
  stdout.on('error', events.gone)
  stdout.on('close', events.gone)
  // Without a reader, no one can be notified.
  stderr.on('error', () => {})
  return {
    line: line => write(typeof line === 'string' ? `${line}\n` : line),
    flush: ms =>
      new Promise(resolve => {
        if (stdout.writableLength === 0 || stdout.destroyed) return resolve()
        setTimeout(resolve, ms)
        write('', () => resolve())
      }),
  }
}

export function readStdin(onBytes: (bytes: Buffer) => void, onEnd: () => void): void {
  const { stdin } = process
  if (stdin.readableEnded || stdin.destroyed) return onEnd()
  stdin.on('data', onBytes)
  stdin.on('end', onEnd)
  stdin.on('close', onEnd)
  stdin.on('error', onEnd)
}

/** Calls back once the process that started us is gone, or a signal asks us to go. */
export function watchLifetime(onGone: () => void): void {
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT'] as const) process.on(signal, onGone)
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent || !lives(parent)) onGone()
  }, 1000).unref()
}

/** Only Windows needs the question: elsewhere an orphan gets another parent. */
function lives(pid: number): boolean {
  return process.platform !== 'win32' || isAlive(pid)
}
