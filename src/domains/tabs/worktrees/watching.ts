// Looks at worktrees again and again while clients watch them, and reports what changed. Without a client nothing runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { HubError } from '#contract/errors.ts'
import type { WorktreeId } from '#contract/id-types.ts'
import type { WorktreeChanged } from '#contract/worktrees.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Changes } from '#kernel/git/changes.ts'
import type { Log } from '#kernel/log.ts'
import { COUNTED_BYTES } from './model.ts'
import type { Worktrees } from './worktrees.ts'

type Heard = (change: WorktreeChanged) => void

type Watch = {
  readonly clients: Set<Heard>
  readonly stop: AbortController
  /** What was reported last, for clients that come later. */
  last?: WorktreeChanged
}

type Deps = {
  worktrees: Pick<Worktrees, 'stamp' | 'countedFiles'>
  clock: Pick<Clock, 'monotonic'>
  log: Log
}

/** At most one report of a worktree in this time. */
const PAUSE_MS = 2000
/** Looking may take this part of the time; the wait for a turn counts, so that many worktrees are looked at less often. */
const SHARE = 10
/** It was removed, or its folder is gone. */
const OVER = ['WORKTREE_NOT_FOUND', 'WORKTREE_NOT_READY', 'WORKTREE_GONE']

export class Watching {
  readonly #deps: Deps
  readonly #watches = new Map<WorktreeId, Watch>()
  /** Also those that were stopped and have not ended yet. */
  readonly #running = new Set<Promise<void>>()
  #isOver = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** How many worktrees are looked at now. */
  get size(): number {
    return this.#running.size
  }

  /** The first report comes after a first look: what changed since the client itself looked is in it. Answers how to stop. */
  watch(id: WorktreeId, heard: Heard): () => void {
    if (this.#isOver) return () => {}
    const watch = this.#watches.get(id) ?? this.#begin(id)
    watch.clients.add(heard)
    // The look that this report came from may be older than what the client has; a changed file is then in the next one.
    if (watch.last) heard(watch.last)
    return () => {
      watch.clients.delete(heard)
      if (watch.clients.size === 0) this.#end(id, watch)
    }
  }

  async dispose(): Promise<void> {
    this.#isOver = true
    for (const [id, watch] of this.#watches) this.#end(id, watch)
    await Promise.all(this.#running)
  }

  #begin(id: WorktreeId): Watch {
    const watch: Watch = { clients: new Set(), stop: new AbortController() }
    this.#watches.set(id, watch)
    const running = this.#follow(id, watch).finally(() => {
      this.#running.delete(running)
      this.#end(id, watch)
    })
    this.#running.add(running)
    return watch
  }

  #end(id: WorktreeId, watch: Watch): void {
    watch.stop.abort()
    if (this.#watches.get(id) === watch) this.#watches.delete(id)
  }

  async #follow(id: WorktreeId, watch: Watch): Promise<void> {
    const { clock, log } = this.#deps
    const { signal } = watch.stop
    let seen: string | undefined
    while (!signal.aborted) {
      const began = clock.monotonic()
      try {
        seen = await this.#look(id, watch, seen)
      } catch (error) {
        if (signal.aborted) return
        log.debug({ err: error, worktree: id }, 'a worktree that is watched cannot be read')
        // Its clients hear that by other events and ask again. What git cannot read just now may pass without a word.
        if (error instanceof HubError && OVER.includes(error.code)) return
      }
      const ms = Math.max(PAUSE_MS, SHARE * (clock.monotonic() - began))
      // An abort ends the loop.
      await sleep(ms, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Answers the stamp of what clients know now. */
  async #look(id: WorktreeId, watch: Watch, seen: string | undefined): Promise<string> {
    const { worktrees } = this.#deps
    const { signal } = watch.stop
    const stamp = await worktrees.stamp(id, signal)
    if (stamp === seen) return stamp
    const change = changeOf(id, await worktrees.countedFiles(id, COUNTED_BYTES, signal))
    watch.last = change
    for (const heard of watch.clients) heard(change)
    return stamp
  }
}

function changeOf(worktreeId: WorktreeId, { files }: Changes): WorktreeChanged {
  const sum = (of: (file: Changes['files'][number]) => number | undefined) =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0)
  return { worktreeId, files: files.length, added: sum(file => file.added), removed: sum(file => file.removed) }
}
