// The terminal and the environment, as the commands see them. Tests pass their own.
import type { Readable, Writable } from 'node:stream'
import pc from 'picocolors'
import type { Lang, Text } from '#contract/errors.ts'
import { langOf } from '#contract/lang.ts'

export type Io = {
  readonly lang: Lang
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Columns of the terminal; undefined when stdout is none. */
  readonly width: number | undefined
  readonly colors: ReturnType<typeof pc.createColors>
  now(): number
  say(text: Text): string
}

export function processIo(): Io {
  const { env, stdin, stdout, stderr } = process
  const lang = langOf(env)
  return {
    lang,
    env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    width: stdout.isTTY ? stdout.columns || 80 : undefined,
    // Not undefined, as isTTY is for a pipe: the library would then decide on its own.
    colors: pc.createColors(wantsColour(env, Boolean(stdout.isTTY))),
    now: () => Date.now(),
    say: text => text[lang],
  }
}

/** no-color.org and force-color.org. */
export function wantsColour(env: Io['env'], tty: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return tty && env['TERM'] !== 'dumb'
}
