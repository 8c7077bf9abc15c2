// The port between the parts that run programs in terminals and the process that holds the terminals. A terminal outlives the hub: what is
// asked here is answered by its host, which has the screen, the scrollback and the log.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProcessRecord } from '#kernel/processes/record.ts'

export type OpenTerminal = {
  /** The caller's own; one that is taken is refused. */
  id: string
  /** An absolute path. */
  program: string
  args: readonly string[]
  /** An absolute path. */
  cwd: string
  /** All of it: nothing of the hub's or the host's environment is added but the mark, and TERM when it has none. */
  env: Readonly<Record<string, string>>
  /** Random; no other may have the same. Store `plannedRecord(marker)` before: it finds the program after any crash. */
  marker: string
  cols: number
  rows: number
  /** The raw output, capped: its beginning and its end are kept. */
  logFile: string
}

export type Screen = {
  /** The visible rows, without the blanks at their ends. */
  lines: string[]
  /** Which of them go on with the one above, which was too long for the width; `spaced`: with a blank between the two. */
  wrapped?: { row: number; spaced: boolean }[] | undefined
  cursor: { x: number; y: number }
  /** A full-screen program has switched to the screen without scrollback. */
  alternate: boolean
  bracketedPaste: boolean
  title: string
  /** Since the last output. */
  quietMs: number
  /** Since a person typed; null when none has. */
  typedMs: number | null
  /** A person typed something and has neither sent nor thrown it away. */
  unsent: boolean
  /** Grows with every output and with every input of a person: as long as it stays, the screen is as it was. */
  seq: number
}

/** One line of the hub's own and what sends it off. */
export type Stroke = {
  /** The same key is typed once, also when it is sent again by the next hub. */
  key: string
  paste: Uint8Array
  /** Between the two; whatever a person types meanwhile waits. */
  pauseMs: number
  enter: Uint8Array
  /** Nothing is typed when the screen has changed since. */
  ifSeq?: number | undefined
}

export type TerminalExit = {
  code: number | undefined
  signal: string | undefined
  /** Its host died with it, so how the program itself ended is unknown. */
  lost?: true
}

export type Size = { cols: number; rows: number }

/** The connection of a viewer whose request was found good and is not answered yet. */
export type ViewerConnection = {
  socket: Duplex
  request: IncomingMessage
  /** What came behind the request. */
  head: Buffer
  /** Neither keys nor the size of the window count. */
  readOnly: boolean
  /** Of the window: the terminal has that size before it is shown. */
  size: Size | undefined
  /** The hub must be able to end the connection: it is not handed over. */
  revocable: boolean
}

export type ListedTerminal = { id: string; record: ProcessRecord; exit: TerminalExit | undefined }

export interface Terminals {
  /** Throws LaunchError when nothing was started. */
  open(options: OpenTerminal): Promise<ProcessRecord>
  /** Also after a hub restart: what an earlier hub opened is there. Ended ones stay listed until `forget`. */
  list(): Promise<ListedTerminal[]>
  screen(id: string): Promise<Screen>
  /**
   * All of the stroke or nothing, by the host itself: our own end changes nothing about it. Throws TerminalError
   * `stalled`, `full` or `too-long`.
   */
  type(id: string, stroke: Stroke): Promise<'typed' | 'changed'>
  /**
   * Gives a viewer's connection to the process that holds the terminal, which answers it and speaks with it from then on. When no
   * process holds the terminal any more, nothing was done with the connection: how the program ended is all that is left to say.
   */
  show(id: string, viewer: ViewerConnection): Promise<TerminalExit | undefined>
  /** Ends the program and all that came from it; the tail of the output is kept. One that has ended answers as it ended. */
  stop(id: string): Promise<TerminalExit>
  /** Of an ended one: its screen is given up, the log file stays. Of one that runs: nothing happens. */
  forget(id: string): Promise<void>
  onExit(listener: (id: string, exit: TerminalExit) => void): () => void
  /** A crash leaves terminals to the next hub, as `leave` does; Ctrl-C and `toryo stop` end them. */
  dispose(mode: 'leave' | 'end'): Promise<void>
}

/** `too-long`: the terminal collects whole lines for its program, and would cut this one. */
export type TerminalProblem = 'no-terminal' | 'ended' | 'taken' | 'stalled' | 'full' | 'too-long' | 'no-host'

export class TerminalError extends Error {
  readonly problem: TerminalProblem

  constructor(problem: TerminalProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
