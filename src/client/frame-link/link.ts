// What a bridge or a Runner knows of its connection to a hub, whatever carries the frames. Knows frames, not messages.

export type LinkEndpoint = {
  url: string
  /** The same hub's Unix socket. */
  socket?: string
  /** Of the certificate that it must show, if its state file names one. */
  certificate?: string
  /** Our credential: the operator's token, a Runner's, or the ticket of a run or tab. */
  credential: string
  /** What the hub must prove to know before it gets the credential, where that is not the credential itself. */
  token?: string
}

export type Closed = { code: number; reason: string }

export type LinkEvents = {
  frame(text: string): void
  /** The same as it came, with its line break, where it came so. True: it was taken, and `frame` is not called. */
  line?(bytes: Buffer): boolean
  /** The hub reads more slowly than the client writes, or no longer so. */
  congested(yes: boolean): void
  /** What the hub said of its tools' errors beside the upgrade (ERRORS_HEADER), before the first frame. */
  errorForms?(header: string): void
}

export interface Link {
  readonly closed: Promise<Closed>
  send(frame: string): void
  pause(): void
  resume(): void
  terminate(): void
}

/** Close codes of the hub, and what an HTTP status in place of the upgrade amounts to. */
export const UNAUTHORISED = 4401
export const INCOMPATIBLE = 4409
export const ABNORMAL = 1006
/** The hub has as many connections as it takes. */
export const TRY_AGAIN = 1013

export const FROM_HUB_BYTES = 16 * 1024 * 1024
/** A hub that hangs does not answer. */
export const RHYTHM = { everyMs: 15_000, missed: 3 }
