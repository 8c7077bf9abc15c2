// How a run ended, as a fact that travels from the Runner to the hub and into the database. run-end-text.ts has the sentence for people.
import { z } from 'zod'
import { cut } from './errors.ts'

export const END_KINDS = [
  // It reported, and what its process did afterwards does not matter.
  'reported',
  'no-task',
  'no-report',
  'no-sign-in',
  'signed-out',
  // Its model, or the account it is used with.
  'quota',
  'sign-in',
  'service',
  'model',
  // Its own permissions.
  'denied',
  // Our limits.
  'silence',
  'time-limit',
  // It never ran.
  'program-missing',
  'folder-missing',
  'no-workspace',
  'not-started',
  'untrusted',
  'not-taken-up',
  // It ran and ended.
  'killed',
  'failed',
  // It was ended from outside.
  'stopped',
  'task-left',
  'runner-stopped',
  'taken-away',
  'hub-away',
  'lingered',
  'runner-lost',
  'hub-lost',
  'silent',
  'unknown',
] as const
export type EndKind = (typeof END_KINDS)[number]

const SAID_CHARS = 1000
const NAME_CHARS = 200
const MOST_NAMES = 20

export const RunEnd = z.object({
  kind: z.enum(END_KINDS),
  /** The program as people call it, and as a shell does. */
  label: z.string().max(NAME_CHARS).optional(),
  command: z.string().max(NAME_CHARS).optional(),
  engine: z.string().max(NAME_CHARS).optional(),
  /** The program's own words. */
  said: z.string().max(SAID_CHARS).optional(),
  /** Of the limit that was reached. */
  minutes: z.number().nonnegative().optional(),
  /** The setting that it comes from. */
  setting: z.string().max(NAME_CHARS).optional(),
  signal: z.string().max(40).optional(),
  exitCode: z.int().optional(),
  /** Tools that its own permissions refused. */
  denied: z.array(z.string().max(NAME_CHARS)).max(MOST_NAMES).optional(),
  /** What became of its task: where it was moved, by which person, and which agent has it now. */
  handle: z.string().max(NAME_CHARS).optional(),
  status: z.string().max(40).optional(),
  person: z.string().max(NAME_CHARS).optional(),
  assignee: z.string().max(NAME_CHARS).optional(),
})
export type RunEnd = z.infer<typeof RunEnd>

/** Portable and short enough: databases take neither NUL nor half a character. */
export function runEnd(kind: EndKind, facts: Omit<RunEnd, 'kind'> = {}): RunEnd {
  const { label, command, engine, said, minutes, setting, signal, exitCode, denied } = facts
  const { handle, status, person, assignee } = facts
  const words = portable(said ?? '', SAID_CHARS)
    .replace(/\s+/g, ' ')
    .trim()
  return {
    kind,
    ...(label !== undefined && { label: portable(label, NAME_CHARS) }),
    ...(command !== undefined && { command: portable(command, NAME_CHARS) }),
    ...(engine !== undefined && { engine: portable(engine, NAME_CHARS) }),
    ...(words !== '' && { said: words }),
    ...(minutes !== undefined && { minutes }),
    ...(setting !== undefined && { setting }),
    ...(signal !== undefined && { signal }),
    ...(exitCode !== undefined && { exitCode }),
    ...(denied?.length && { denied: denied.slice(0, MOST_NAMES).map(name => portable(name, NAME_CHARS)) }),
    ...(handle !== undefined && { handle: portable(handle, NAME_CHARS) }),
    ...(status !== undefined && { status }),
    ...(person !== undefined && { person: portable(person, NAME_CHARS) }),
    ...(assignee !== undefined && { assignee: portable(assignee, NAME_CHARS) }),
  }
}

export function portable(text: string, chars: number): string {
  return cut(text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD'), chars)
}
