// Which project folders are on this machine. Looked for one at a time and beside everything else: a network drive that hangs must
// not hold up the heartbeat.
import fs from 'node:fs/promises'
import type { ProjectFolder } from '#contract/runner.ts'

/** What is reported to the hub: which folders of this list are here. */
export type FoldersHere = { readonly list: string; readonly here: string[] }

/** As many as the hub takes. */
const MOST = 20_000

export class Folders {
  readonly #changed: () => void
  #wanted: { list: string; look: readonly ProjectFolder[] } = { list: '', look: [] }
  #here: FoldersHere = { list: '', here: [] }
  #looking = false
  #lookedAt = Number.NEGATIVE_INFINITY

  /** `changed` is called when there is something new to report. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  get here(): FoldersHere {
    return this.#here
  }

  /** What the hub wants to know; undefined from an older hub, which does not ask. */
  heard(wanted: { list: string; look?: readonly ProjectFolder[] | undefined } | undefined): void {
    if (!wanted?.look) return
    this.#wanted = { list: wanted.list, look: wanted.look.slice(0, MOST) }
    void this.#look()
  }

  /** Folders come and go. */
  lookAgain(atMostEveryMs: number): void {
    if (performance.now() - this.#lookedAt >= atMostEveryMs) void this.#look()
  }

  /** It was not there when it was needed. */
  missed(projectId: string): void {
    const { list, here } = this.#here
    if (here.includes(projectId)) this.#tell({ list, here: here.filter(id => id !== projectId) })
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    const { list, look } = this.#wanted
    const here: string[] = []
    for (const { project_id, directory } of look) if (await isFolder(directory)) here.push(project_id)
    this.#looking = false
    this.#lookedAt = performance.now()
    // Another list came meanwhile.
    if (list !== this.#wanted.list) return this.#look()
    const isSame = list === this.#here.list && here.join() === this.#here.here.join()
    if (!isSame) this.#tell({ list, here })
  }

  #tell(here: FoldersHere): void {
    this.#here = here
    this.#changed()
  }
}

export async function isFolder(directory: string): Promise<boolean> {
  try {
    return (await fs.stat(directory)).isDirectory()
  } catch {
    return false // Not there, or not for us to enter: either way nothing can work in it.
  }
}
