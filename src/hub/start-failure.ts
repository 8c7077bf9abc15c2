// Why a hub did not start, for the person at the terminal, and the exit code of it.
import type { Target } from '#client/locate.ts'
import { portHolder } from '#system/port-holder.ts'
import { readState } from '#client/state-file.ts'
import type { Lang } from '#contract/errors.ts'
import { say } from '#contract/lang.ts'
import { Refused } from '#kernel/refused.ts'
import { LockHeld } from './lifecycle.ts'
import { PortTaken } from './listening.ts'
import { postgresTrouble } from './postgres-trouble.ts'

/** For the process that started it in the background: another hub owns this database; look for its state file. */
const EXIT_LOCKED = 75

export function explain(error: unknown, target: Target, background: boolean, lang: Lang): number {
  if (error instanceof LockHeld) {
    if (background) return EXIT_LOCKED
    const state = readState(target)
    const where = state ? ` (pid ${state.pid}, ${state.url})` : ''
    return fail(
      say(lang, {
        en: `A hub for ${target.shownDb} is already running${where}. Stop it with \`toryo stop\`, or use another database with --db.`,
        ja: `${target.shownDb} のハブは既に動いています${where}。\`toryo stop\` で停止するか、--db で別のデータベースを指定してください。`,
      }),
      1,
    )
  }
  if (error instanceof PortTaken) {
    const { port } = error
    const holder = portHolder(port)
    return fail(
      say(lang, {
        en: `port ${port} is taken${holder ? ` by ${holder}` : ''}; choose another with --port.`,
        ja: `ポート ${port} は使用中です${holder ? ` (${holder})` : ''}。--port で別のポートを指定してください。`,
      }),
      1,
    )
  }
  if (error instanceof Refused) return fail(say(lang, error.text), 1)
  const trouble = postgresTrouble(error, target.shownDb)
  if (trouble) return fail(say(lang, trouble), 1)
  const reason = reasonOf(error)
  return fail(say(lang, { en: `the hub could not start: ${reason}`, ja: `ハブを起動できませんでした: ${reason}` }), 1)
}

/** A name that leads to several addresses fails once for each, and the sum of these errors has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return (error as Error).message || String(error)
}

export function fail(message: string, code: number): number {
  process.stderr.write(`toryo: ${message}\n`)
  return code
}
