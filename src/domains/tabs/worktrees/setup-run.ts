// Runs the command that prepares a worktree, and says why it failed.
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { showHidden } from '#contract/hidden-text.ts'
import type { SetupFailure } from '#contract/why.ts'
import { LaunchError } from '#kernel/processes/launch.ts'
import { type SetCommand, runSetCommand } from '#kernel/processes/set-command.ts'
import { TORYO_BRANCH, TORYO_PROJECT_DIR, TORYO_WORKTREE } from '#system/environment-names.ts'

export type SetupRun = Omit<SetCommand, 'facts' | 'heard'> & {
  /** What the command may want to know. */
  facts: { branch: string | null; projectDirectory: string | null }
  progress?: ((line: string) => void) | undefined
}

const LINE_LENGTH = 200

/** Undefined when it succeeded, else why not. */
export async function runSetup({ facts, progress, ...run }: SetupRun): Promise<SetupFailure | undefined> {
  const tail = new Tail(progress)
  const named = {
    [TORYO_WORKTREE]: run.path,
    ...(facts.branch !== null && { [TORYO_BRANCH]: facts.branch }),
    ...(facts.projectDirectory !== null && { [TORYO_PROJECT_DIR]: facts.projectDirectory }),
  }
  try {
    const ending = await runSetCommand({ ...run, facts: named, heard: bytes => tail.hear(bytes) })
    if (!ending) return { kind: 'not-found', program: String(run.command[0]) }
    const { cause, code, signal } = ending
    if (cause === 'stopped') return { kind: 'stopped' }
    if (cause === 'time-limit') return { kind: 'too-long', minutes: run.minutes }
    if (code === 0) return undefined
    return { kind: 'ended', exitCode: code ?? null, signal: signal ?? null, last: tail.last }
  } catch (error) {
    if (error instanceof LaunchError) return { kind: 'said', text: error.message }
    throw error
  }
}

/** The last line that was said, for the person who waits. */
class Tail {
  readonly #decoder = new StringDecoder('utf8')
  readonly #progress: ((line: string) => void) | undefined
  #line = ''
  #last = ''

  constructor(progress: ((line: string) => void) | undefined) {
    this.#progress = progress
  }

  hear(bytes: Buffer): void {
    const lines = (this.#line + this.#decoder.write(bytes)).split(/[\r\n]+/)
    this.#line = (lines.pop() ?? '').slice(-10 * LINE_LENGTH)
    const last = lines.map(plain).findLast(line => line !== '')
    if (last === undefined) return
    this.#last = last
    this.#progress?.(last)
  }

  get last(): string {
    return plain(this.#line) || this.#last
  }
}

/** Without what moves a cursor or changes a colour. */
function plain(line: string): string {
  // More than enough to be shown of it, and no more to be looked through.
  const begun = stripVTControlCharacters(line.slice(0, 10 * LINE_LENGTH))
  return showHidden(begun, () => '')
    .trim()
    .slice(0, LINE_LENGTH)
}
