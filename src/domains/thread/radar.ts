// Looks at the workspaces and tabs of this machine while agents or people work in them, and finds pairs that change the same lines or would not
// merge. Only what has changed since the last look is read again. Nothing waits for it, and what it cannot read is left out.
import type { Caller } from '#contract/caller.ts'
import { HubError } from '#contract/errors.ts'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import type { Clock } from '#kernel/clock.ts'
import { folderStamp } from '#kernel/git/folder-stamp.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import type { Touched } from '#kernel/git/overlap.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import type { Scratch, Work } from '#kernel/git/scratch.ts'
import type { Log } from '#kernel/log.ts'
import { Retries } from '#kernel/retries.ts'
import { Turn } from '#system/turn.ts'
import type { Found, Side } from './overlap-model.ts'
import { withoutMerging, compare, type Pair, Pairs } from './radar-pairs.ts'
import { Scratches } from './radar-scratches.ts'

export type Member = Side & {
  projectId: ProjectId
  repository: { commonDir: string; objectFormat: Checkout['objectFormat'] }
  /** An agent or a person works there now. */
  active: boolean
}

export type RadarDeps = {
  git: Git
  log: Log
  clock: Pick<Clock, 'monotonic'>
  /** The live ones of this machine; undefined while it has no worktrees. */
  members(): Promise<{ home: string; members: readonly Member[] } | undefined>
  /** Throws when it is not there any more. */
  readNow<T>(
    id: WorktreeId,
    what: string,
    read: (git: Git, checkout: Checkout, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  /** The commit that its own changes begin after. */
  baseOf(id: WorktreeId): Promise<string>
  /** Written and announced in one transaction. */
  record(home: string, now: readonly Found[], atWork: ReadonlySet<WorktreeId>, by: Caller): Promise<void>
  by: Caller
  /** For tests: how long to wait between two looks at least. */
  pauseMs?: number | undefined
  /** For tests: how many are looked at in one look. */
  readsAtOnce?: number | undefined
}

/** The paths in conflict, by the commit of the other. */
type Merged = ReadonlyMap<string, readonly string[] | undefined>
type Budget = { reads: number; pairs: number }

export type Seen = Work & {
  stamp: string
  base: string
  touched: Touched
  /** It was looked at when no one worked there: nothing changes any more. */
  calm: boolean
}

const PAUSE_MS = 3000
/** Looking may take this part of the time. */
const SHARE = 20
/** So many are looked at, and so many pairs merged, in one look; the rest follows with the next. */
const READS_AT_ONCE = 50
const PAIRS_AT_ONCE = 100
const MOST_FILES = 50

export class Radar {
  readonly #deps: RadarDeps
  readonly #gone = new AbortController()
  readonly #seen = new Map<WorktreeId, Seen>()
  readonly #scratches: Scratches
  readonly #pairs = new Pairs()
  /** Not yet compared with all others as they are now. */
  readonly #changed = new Set<WorktreeId>()
  /** When each was looked at, by count. */
  readonly #lookedAt = new Map<WorktreeId, number>()
  readonly #retries: Retries<WorktreeId>
  #count = 0
  #looks = 0
  /** What was written last. */
  #picture: string | undefined
  #looking: Promise<void> | undefined
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(deps: RadarDeps) {
    this.#deps = deps
    this.#retries = new Retries(deps.clock)
    this.#scratches = new Scratches(deps.git)
  }

  /** Now and then, and when something has happened. */
  wake(): void {
    void this.look()
  }

  /** The look that is under way, or a new one if it is time for one. */
  async look(): Promise<void> {
    const { clock, log, pauseMs = PAUSE_MS } = this.#deps
    const began = clock.monotonic()
    if (!this.#looking && (this.#gone.signal.aborted || began < this.#notBefore)) return
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        if (!this.#gone.signal.aborted) log.warn({ err: error }, 'overlaps could not be looked for; it is tried again')
      })
      .finally(() => {
        const ended = clock.monotonic()
        this.#notBefore = pauseMs === 0 ? ended : ended + Math.max(pauseMs, SHARE * (ended - began))
        this.#looking = undefined
      })
    await this.#looking
  }

  async dispose(): Promise<void> {
    this.#gone.abort()
    await this.#looking
    await this.#scratches.dispose()
  }

  async #look(): Promise<void> {
    const here = await this.#deps.members()
    if (!here) return
    const groups = groupsOf(here.members)
    const atWork = new Set(groups.flat().map(({ worktreeId }) => worktreeId))
    for (const id of this.#seen.keys()) if (!atWork.has(id)) this.#forget(id)
    for (const id of this.#lookedAt.keys()) if (!atWork.has(id)) this.#lookedAt.delete(id)
    this.#pairs.keep(atWork)
    await this.#scratches.keep(new Set(groups.map(groupKey)))
    const budget = { reads: this.#deps.readsAtOnce ?? READS_AT_ONCE, pairs: PAIRS_AT_ONCE }
    for (const group of this.#inTurn(groups)) {
      try {
        const scratch = await this.#scratchOf(group)
        if (!scratch) continue
        await this.#readAll(group, scratch, budget)
        await this.#compareChanged(group, scratch, budget)
      } catch (error) {
        if (this.#gone.signal.aborted) return
        this.#deps.log.warn({ err: error }, 'overlaps in one repository could not be looked for; it is tried again')
      }
    }
    if (this.#gone.signal.aborted) return
    const found = groups.flatMap(group => this.#foundIn(here.home, group))
    const picture = JSON.stringify([here.home, [...atWork], found])
    if (picture === this.#picture) return
    await this.#deps.record(here.home, found, atWork, this.#deps.by)
    this.#picture = picture
  }

  /** Each look begins with another one: the first may need all that one look allows, every time. */
  #inTurn(groups: readonly Member[][]): Member[][] {
    const first = this.#looks++ % Math.max(groups.length, 1)
    return [...groups.slice(first), ...groups.slice(0, first)]
  }

  /** It is to be read, and compared with all others, when it is seen again. */
  #forget(id: WorktreeId): void {
    this.#seen.delete(id)
    this.#changed.delete(id)
    this.#pairs.drop(id)
  }

  /** What was taken into an earlier one is taken again. */
  async #scratchOf(group: readonly Member[]): Promise<Scratch | undefined> {
    const [first] = group
    const key = groupKey(group)
    if (!first) return undefined
    if (await this.#scratches.ready(key, first.repository)) for (const { worktreeId } of group) this.#forget(worktreeId)
    return this.#scratches.get(key)
  }

  /** Those that were not looked at for the longest time first; the rest follows with the next look. */
  async #readAll(group: readonly Member[], scratch: Scratch, budget: Budget): Promise<void> {
    const since = ({ worktreeId }: Member) => this.#lookedAt.get(worktreeId) ?? 0
    for (const member of [...group].sort((a, b) => since(a) - since(b))) {
      const isFree = !member.active && this.#seen.get(member.worktreeId)?.calm === true
      if (!isFree && (budget.reads <= 0 || !this.#retries.isDue(member.worktreeId))) continue
      if (!isFree) {
        budget.reads--
        this.#lookedAt.set(member.worktreeId, ++this.#count)
      }
      await this.#read(member, scratch)
    }
  }

  async #read(member: Member, scratch: Scratch): Promise<void> {
    const { worktreeId: id, active } = member
    const deps = this.#deps
    const { signal } = this.#gone
    const before = this.#seen.get(id)
    try {
      // No one has worked there since; but it may have been deleted.
      if (before?.calm && !active) {
        await deps.readNow(id, 'there', async () => {}, signal)
        return
      }
      const stamp = await deps.readNow(id, 'stamp', folderStamp, signal)
      if (before?.stamp === stamp) {
        this.#seen.set(id, { ...before, calm: !active })
        return
      }
      const base = await deps.baseOf(id)
      this.#scratches.took(groupKey([member]))
      const work = await deps.readNow(id, 'work', (_git, checkout, stop) => scratch.take(checkout, stop), signal)
      const isSame = before?.commit === work.commit && before.base === base
      const touched = isSame ? before.touched : await scratch.touched(base, work.tree, [], signal)
      this.#seen.set(id, { ...work, stamp, base, touched, calm: !active })
      if (!isSame) this.#changed.add(id)
      this.#retries.passed(id)
    } catch (error) {
      this.#forget(id)
      if (signal.aborted) throw error
      // One that is not there is soon seen not to be. Whatever else it is, it is about this one alone.
      if (!(error instanceof HubError)) this.#retries.failed(id)
      deps.log.debug({ err: error, worktree: id }, 'a worktree cannot be compared with others')
    }
  }

  /** Each that has changed with all others; what the budget does not allow is still due at the next look. */
  async #compareChanged(group: readonly Member[], scratch: Scratch, budget: Budget): Promise<void> {
    const turn = new Turn()
    for (const a of group) {
      const one = this.#seen.get(a.worktreeId)
      if (!one || !this.#changed.has(a.worktreeId)) continue
      const due: { b: Member; other: Seen }[] = []
      for (const b of group) {
        await turn.over()
        const other = this.#seen.get(b.worktreeId)
        if (a === b || !other || !this.#pairs.isOld(a.worktreeId, b.worktreeId, one, other)) continue
        const pair = withoutMerging(one, other)
        if (pair) this.#pairs.set(a.worktreeId, b.worktreeId, pair)
        else due.push({ b, other })
      }
      const now = due.slice(0, Math.max(budget.pairs, 0))
      budget.pairs -= now.length
      await this.#compareWith(scratch, a, one, now)
      if (now.length < due.length) return
      this.#changed.delete(a.worktreeId)
    }
  }

  async #compareWith(
    scratch: Scratch,
    a: Member,
    one: Seen,
    due: readonly { b: Member; other: Seen }[],
  ): Promise<void> {
    const merged = await this.#merge(scratch, one, due)
    for (const { b, other } of due) {
      // An earlier one showed that it cannot be read.
      if (!this.#seen.has(a.worktreeId)) return
      const pair = await this.#compare(scratch, a, b, one, other, merged)
      if (pair) this.#pairs.set(a.worktreeId, b.worktreeId, pair)
    }
  }

  /** All at once. Undefined when one of them cannot be merged with it: then each is tried alone. */
  async #merge(scratch: Scratch, one: Seen, due: readonly { other: Seen }[]): Promise<Merged | undefined> {
    try {
      const commits = [...new Set(due.map(({ other }) => other.commit))]
      return await scratch.conflictsWithEach(one.commit, commits, this.#gone.signal)
    } catch (error) {
      if (this.#gone.signal.aborted || !(error instanceof GitError)) throw error
      return undefined
    }
  }

  #foundIn(home: string, group: readonly Member[]): Found[] {
    const members = new Map(group.map(member => [member.worktreeId, member]))
    const found: Found[] = []
    for (const { ids, pair } of this.#pairs.overlapping()) {
      const [a, b] = [members.get(ids[0]), members.get(ids[1])]
      if (!a || !b) continue
      const [sideA, sideB] = [sideOf(a), sideOf(b)]
      for (const [kind, files] of [
        ['lines', pair.lines],
        ['conflict', pair.conflict],
      ] as const)
        if (files)
          found.push({ home, projectId: a.projectId, kind, a: sideA, b: sideB, files: files.slice(0, MOST_FILES) })
    }
    return found
  }

  /** Undefined when it cannot be decided; both are read again. */
  async #compare(
    scratch: Scratch,
    a: Member,
    b: Member,
    one: Seen,
    other: Seen,
    merged: Merged | undefined,
  ): Promise<Pair | undefined> {
    const { signal } = this.#gone
    try {
      const alone = merged ? undefined : await scratch.conflicts(one.commit, other.commit, signal)
      const all = merged ? merged.get(other.commit) : alone
      return await compare(scratch, one, other, a.repository.objectFormat, all, signal)
    } catch (error) {
      if (this.#gone.signal.aborted || !(error instanceof GitError)) throw error
      this.#deps.log.debug({ err: error, one: a.worktreeId, other: b.worktreeId }, 'two worktrees cannot be compared')
      for (const { worktreeId } of [a, b]) this.#forget(worktreeId)
      return undefined
    }
  }
}

function groupKey([first]: readonly Member[]): string {
  return first ? `${first.projectId}\0${first.repository.commonDir}` : ''
}

function sideOf({ worktreeId, taskId, tabId }: Member): Side {
  return { worktreeId, taskId, tabId }
}

/** Of one project and one repository, at least two of which something may change. In the order of their ids. */
function groupsOf(members: readonly Member[]): Member[][] {
  const groups = new Map<string, Member[]>()
  for (const member of members) {
    const key = groupKey([member])
    groups.set(key, [...(groups.get(key) ?? []), member])
  }
  return [...groups.values()]
    .filter(group => group.length > 1)
    .map(group => group.sort((a, b) => (a.worktreeId < b.worktreeId ? -1 : 1)))
}
