// All terminals of one hub, and the journal that names their processes on the disk. Does what the hub asks for.
import type { HostFiles } from '#kernel/terminals/host-files.ts'
import { plannedRecord, type ProcessRecord } from '#kernel/processes/record.ts'
import { type OpenTerminal, TerminalError, type TerminalExit } from '#kernel/terminals/terminals.ts'
import { Hosted } from './hosted.ts'

/** Of those that have ended, so many keep their screen until the hub is done with them. */
const KEPT_ENDED = 32

export type HostEvents = {
  exited(id: string, exit: TerminalExit): void
  refused(id: string, error: TerminalError): void
}

type Held = { record: ProcessRecord; hosted: Hosted | undefined }

export class Host {
  readonly #files: HostFiles
  readonly #events: HostEvents
  readonly #held = new Map<string, Held>()
  readonly #opening = new Set<Promise<unknown>>()
  #ending = false

  constructor(files: HostFiles, events: HostEvents) {
    this.#files = files
    this.#events = events
  }

  /** How many programs run, or are about to. */
  get running(): number {
    return [...this.#held.values()].filter(({ hosted }) => !hosted?.exit).length
  }

  list() {
    return [...this.#held].flatMap(([id, { record, hosted }]) =>
      hosted ? [{ id, record, ...(hosted.exit && { exit: hosted.exit }) }] : [],
    )
  }

  async open(options: OpenTerminal): Promise<{ record: ProcessRecord }> {
    const opening = this.#open(options)
    this.#opening.add(opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(opening)
    }
  }

  async #open(options: OpenTerminal): Promise<{ record: ProcessRecord }> {
    if (this.#ending) throw new TerminalError('no-host', 'the terminals are being ended')
    const taken = this.#held.get(options.id)
    if (taken && !taken.hosted?.exit) throw new TerminalError('taken', `there is a terminal ${options.id} already`)
    taken?.hosted?.dispose()
    const held: Held = { record: plannedRecord(options.marker), hosted: undefined }
    this.#held.set(options.id, held)
    // Before anything runs: should we be killed in the next moment, its mark is on the disk.
    this.#record()
    try {
      const hosted = await Hosted.open(options, {
        exited: exit => this.#exited(options.id, exit),
        refused: error => this.#events.refused(options.id, error),
      })
      held.hosted = hosted
      held.record = hosted.record
      this.#record()
      return { record: held.record }
    } catch (error) {
      this.#held.delete(options.id)
      this.#record()
      throw error
    }
  }

  find(id: string): Hosted | undefined {
    return this.#held.get(id)?.hosted
  }

  get(id: string): Hosted {
    const hosted = this.find(id)
    if (!hosted) throw new TerminalError('no-terminal', `there is no terminal ${id}`)
    return hosted
  }

  forget(id: string): void {
    const hosted = this.#held.get(id)?.hosted
    if (!hosted?.exit) return
    hosted.dispose()
    this.#held.delete(id)
    this.#record()
  }

  async end(): Promise<void> {
    this.#ending = true
    // Those that are just being started, too.
    await Promise.allSettled(this.#opening)
    await Promise.allSettled([...this.#held.values()].flatMap(({ hosted }) => (hosted ? [hosted.stop()] : [])))
  }

  #exited(id: string, exit: TerminalExit): void {
    try {
      this.#record()
    } finally {
      // Also when the disk is full: nothing else would say it.
      this.#events.exited(id, exit)
    }
    const ended = [...this.#held].filter(([, { hosted }]) => hosted?.exit)
    for (const [old] of ended.slice(0, -KEPT_ENDED)) this.forget(old)
  }

  #record(): void {
    this.#files.writeJournal(
      [...this.#held].map(([id, { record, hosted }]) => ({ id, record, ...(hosted?.exit && { exit: hosted.exit }) })),
    )
  }
}
