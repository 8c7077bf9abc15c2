// The port between whoever has programs in terminals and the process that holds them. A terminal outlives the hub: what is
// asked here is answered by its host, which has the screen, the scrollback and the log.
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
  /** Random; nobody else may have the same. Store `plannedRecord(marker)` before: it finds the program after any crash. */
  marker: string
  cols: number
  rows: number
  /** The raw output, capped: its beginning and its end are kept. */
  logFile: string
}

export type Screen = {
  /** The visible rows, without the blanks at their ends. */
  lines: string[]
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
  /** Its host died with it, so that nobody knows how the program itself ended. */
  lost?: true
}

export type ListedTerminal = { id: string; record: ProcessRecord; exit: TerminalExit | undefined }

export interface Terminals {
  /** Throws LaunchError when nothing was started. */
  open(options: OpenTerminal): Promise<ProcessRecord>
  /** Also after a hub restart: what an earlier hub opened is there. Ended ones stay listed until `forget`. */
  list(): Promise<ListedTerminal[]>
  screen(id: string): Promise<Screen>
  /** Input of the hub's own. Settles when the terminal took all of it; throws TerminalError `stalled` or `full`. */
  write(id: string, bytes: Uint8Array): Promise<void>
  /** All of the stroke or nothing, by the host itself: our own end changes nothing about it. Throws as `write` does. */
  type(id: string, stroke: Stroke): Promise<'typed' | 'changed'>
  /** First the screen with its scrollback, then what comes. With a size, the terminal has that size before it is shown. */
  attach(id: string, viewer: Viewer, size?: { cols: number; rows: number }): Promise<Attachment>
  resize(id: string, cols: number, rows: number): Promise<void>
  /** Ends the program and all that came from it; the tail of the output is kept. One that has ended answers as it ended. */
  stop(id: string): Promise<TerminalExit>
  /** Of an ended one: its screen is given up, the log file stays. Of one that runs: nothing happens. */
  forget(id: string): Promise<void>
  onExit(listener: (id: string, exit: TerminalExit) => void): () => void
  /** A crash leaves terminals to the next hub, as `leave` does; Ctrl-C and `toryo stop` end them. */
  dispose(mode: 'leave' | 'end'): Promise<void>
}

/** Somebody who looks on. Calls come in order, and none after `detach` or `ended`. */
export interface Viewer {
  /** All that was shown before is void: this is the state now. Comes first, and again after falling behind. */
  screen(snapshot: Snapshot): void
  output(bytes: Uint8Array): void
  /** Somebody's window decided the size of all. */
  resized(cols: number, rows: number): void
  ended(exit: TerminalExit): void
  /** Bytes given to it that did not leave yet. Above 1 MB it gets nothing more until it can have a fresh screen. */
  readonly pending: number
}

export type Snapshot = {
  cols: number
  rows: number
  title: string
  /** Draws the screen and up to 1,000 lines before it on an empty terminal of that size. */
  data: Uint8Array
  /** Not the first: the viewer was too slow. */
  resync: boolean
}

export interface Attachment {
  /** A person's. Answers that the viewer's terminal gives by itself (DA, DSR, …) are taken out. False: too much is waiting. */
  input(bytes: Uint8Array): boolean
  /** The viewer's size. The last one who resized or typed decides. */
  resize(cols: number, rows: number): void
  detach(): void
}

export type TerminalProblem = 'no-terminal' | 'ended' | 'taken' | 'stalled' | 'full' | 'no-host'

export class TerminalError extends Error {
  readonly problem: TerminalProblem

  constructor(problem: TerminalProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
