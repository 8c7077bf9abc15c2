// How the hub's process is asked to stop, and what it says when that takes long or is done in a hurry.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Text } from '#contract/errors.ts'
import type { OwnedLog } from '#kernel/log.ts'
import type { RunningHub } from './lifecycle.ts'

const EXIT_CRASHED = 70
/** How long a hub that is to end at once waits at most. */
export const HURRY_MS = 3000
/** Two signals closer together than this count as one. */
const ECHO_MS = 300

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/**
 * `first` is heard from the first moment: a hub that is stopped while it starts must still take its state file away. `again` is a
 * person's impatience: a signal that comes right behind the first was passed on by a shell, and a terminal that closes hangs up.
 * `hangs`: whether a terminal that hangs up is ours. Node resets the SIGHUP handling that nohup set, so the streams are checked instead.
 */
export function stopSignals(
  hangs: boolean,
  log: Pick<OwnedLog, 'info'>,
): { first: Promise<void>; again: Promise<StopSignal> } {
  let heardAt: number | undefined
  let stop = () => {}
  let hurry: (signal: StopSignal) => void = () => {}
  const first = new Promise<void>(resolve => (stop = resolve))
  const again = new Promise<StopSignal>(resolve => (hurry = resolve))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (signal === 'SIGHUP' && !hangs) return log.info('a terminal hung up that is not ours; the hub goes on')
      stop()
      heardAt ??= performance.now()
      if (signal !== 'SIGHUP' && performance.now() - heardAt > ECHO_MS) hurry(signal)
    })
  return { first, again }
}

/** What is ended so has no recorded end; the next hub of this database finds it by its rows. */
export async function endAtOnce(running: RunningHub | undefined): Promise<Text> {
  const done = running && (await Promise.race([running.endNow(), sleep(HURRY_MS)]))
  const { ended = 0, left = [] } = done ?? {}
  const rest = left.length > 0 || (running && !done)
  const pids = left.length > 0 ? ` (${left.join(', ')})` : ''
  if (rest)
    return {
      en: `Ended at once. Some processes may still be running${pids}; the next \`toryo up\` finds and ends them.`,
      ja: `ただちに終了しました。まだ動いているプロセスがあるかもしれません${pids}。次の \`toryo up\` が見つけて終了させます。`,
    }
  return {
    en: `Ended at once; ${ended} ${ended === 1 ? 'process was' : 'processes were'} killed. The next \`toryo up\` records how their work ended.`,
    ja: `ただちに終了しました (強制終了したプロセス: ${ended})。作業の結果は次の \`toryo up\` が記録します。`,
  }
}

/** No limping on in an unknown state: the log says why, and the next start finds everything that was committed. */
export function crashLoudly(log: OwnedLog): void {
  const crash = (error: unknown) => {
    log.error({ err: error }, 'the hub crashed')
    process.stderr.write(`toryo: the hub crashed: ${(error as Error)?.stack ?? String(error)}\n`)
    // The log's last lines are worth a moment.
    setTimeout(() => process.exit(EXIT_CRASHED), 200)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}
