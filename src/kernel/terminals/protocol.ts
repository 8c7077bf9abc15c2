// What hub and pty-host say to each other, and how each proves to the other that it knows the secret of the state file.
// A pty-host outlives the release that started it, so that a later hub may meet an older one: the greeting agrees on a version.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { TerminalError, type TerminalExit, type TerminalProblem } from './terminals.ts'
import { LaunchError, type LaunchProblem } from '#kernel/processes/launch.ts'

/** A new one is added in front; from the first release on, old ones stay for as long as hosts that speak nothing else may run. */
export const VERSIONS = [2] as const

export const Record = z.object({ boot: z.string(), pid: z.int(), start: z.string(), marker: z.string() })
export const Exit = z.object({
  code: z.int().optional(),
  signal: z.string().optional(),
  lost: z.literal(true).optional(),
})

export function exitOf({ code, signal, lost }: z.infer<typeof Exit>): TerminalExit {
  return { code, signal, ...(lost && { lost }) }
}

export const Greeting = z.object({
  hello: z.literal('toryo-pty'),
  versions: z.array(z.int()),
  nonce: z.string().min(16),
})
/** `version` 0: none of the hub's. */
export const Answer = z.object({ version: z.int(), versions: z.array(z.int()), nonce: z.string(), proof: z.string() })

const Id = z.string().min(1).max(200)
const Length = z.int().min(1).max(1000)
export const WindowSize = z.object({ cols: Length, rows: Length })

/** A viewer that the hub let in, with the part of the request that WebSockets need. Whose it is the host need not know. */
export const ViewerRequest = z.object({
  terminal: Id,
  headers: z.record(z.string(), z.string()),
  readOnly: z.boolean(),
  size: WindowSize.optional(),
  /** How the program ended, should the host know nothing of it any more. */
  exit: Exit.optional(),
})
export type ViewerRequest = z.infer<typeof ViewerRequest>

/** With a `visit`, this connection is the viewer's from the next byte on; without, it is the hub's. */
export const Credentials = z.object({ proof: z.string(), visit: ViewerRequest.optional() })
export const Welcome = z.object({
  welcome: z.literal(true),
  terminals: z.array(z.object({ id: z.string(), record: Record, exit: Exit.optional() })),
  viewers: z.int(),
})

/**
 * Over the channel to a host that the hub started itself go the connections of viewers. Both processes hold one for a moment,
 * and would take each other's bytes: the hub lets go when the host has it, and only then is the viewer answered, which is silent
 * until then.
 */
export const HandedViewer = z.union([
  /** `head`, in base64, came behind the request. */
  z.object({ number: z.int(), visit: ViewerRequest, head: z.string() }),
  z.object({ released: z.int() }),
])
export type HandedViewer = z.infer<typeof HandedViewer>
export const Received = z.object({ received: z.int() })

/** Each with `request`, a number that the answer repeats. */
export const Request = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('open'),
    request: z.int(),
    id: Id,
    program: z.string(),
    args: z.array(z.string()),
    cwd: z.string(),
    env: z.record(z.string(), z.string()),
    marker: z.string().min(8),
    cols: Length,
    rows: Length,
    logFile: z.string(),
  }),
  z.object({ do: z.literal('screen'), request: z.int(), id: Id }),
  /** The hub's own line, typed once for each key; the bytes in base64. Answers `typed` or `changed`. */
  z.object({
    do: z.literal('stroke'),
    request: z.int(),
    id: Id,
    key: z.string().min(1).max(200),
    paste: z.string(),
    pauseMs: z.number().min(0).max(10_000),
    enter: z.string(),
    ifSeq: z.number().optional(),
  }),
  z.object({ do: z.literal('stop'), request: z.int(), id: Id }),
  z.object({ do: z.literal('forget'), request: z.int(), id: Id }),
  /** Ends every terminal, then the host. */
  z.object({ do: z.literal('end'), request: z.int() }),
  /** The hub leaves; a host without a terminal that runs ends at once. */
  z.object({ do: z.literal('leave'), request: z.int() }),
])
export type Request = z.infer<typeof Request>

export const Stroked = z.enum(['typed', 'changed'])
export const Opened = z.object({ record: Record })
export const Screened = z.object({
  lines: z.array(z.string()),
  /** Not said by hosts of an earlier version. */
  wrapped: z.array(z.object({ row: z.int(), spaced: z.boolean() })).optional(),
  cursor: z.object({ x: z.int(), y: z.int() }),
  alternate: z.boolean(),
  bracketedPaste: z.boolean(),
  title: z.string(),
  quietMs: z.number(),
  typedMs: z.number().nullable(),
  unsent: z.boolean(),
  seq: z.number(),
})

/** What the host says after the greeting. */
export const HostMessage = z.union([
  z.object({ request: z.int(), done: z.unknown() }),
  z.object({ request: z.int(), failed: z.object({ problem: z.string(), message: z.string() }) }),
  z.object({ event: z.literal('exit'), id: z.string(), exit: Exit }),
  /** How many viewers there are. */
  z.object({ event: z.literal('viewers'), count: z.int() }),
  /** A person's input did not fit, or the program did not read it. */
  z.object({ event: z.literal('refused'), id: z.string(), problem: z.string() }),
])
export type HostMessage = z.infer<typeof HostMessage>

/** Direction and both nonces are in it: no proof can be replayed, nor sent back to its maker. */
export function proof(secret: string, side: 'hub' | 'host', hubNonce: string, hostNonce: string): string {
  return createHmac('sha256', secret).update(`${side}\n${hubNonce}\n${hostNonce}`).digest('base64url')
}

export function sameProof(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}

export function problemOf(error: unknown): { problem: string; message: string } {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof LaunchError) return { problem: `launch:${error.problem}`, message }
  if (error instanceof TerminalError) return { problem: error.problem, message }
  return { problem: 'surprise', message }
}

export function errorOf({ problem, message }: { problem: string; message: string }): Error {
  if (problem.startsWith('launch:')) return new LaunchError(problem.slice('launch:'.length) as LaunchProblem, message)
  if (problem === 'surprise') return new Error(message)
  return new TerminalError(problem as TerminalProblem, message)
}
