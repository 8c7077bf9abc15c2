// Moves reported work on: takes its snapshot, runs its checks, and has decided what follows. It looks at rows alone, so that a
// wake-up that is lost loses nothing, does only what is on its own machine, and owns every process that it starts.
import { basename } from 'node:path'
import type { Caller } from '#contract/caller.ts'
import { HubError, type Text } from '#contract/errors.ts'
import type { StoredEvent } from '#contract/events.ts'
import type { Clock } from '#kernel/clock.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { treeChanges } from '#kernel/git/merge.ts'
import { pointBranch } from '#kernel/git/point-branch.ts'
import { treeOf } from '#kernel/git/snapshot.ts'
import { WatchedFiles } from '#kernel/git/watched-files.ts'
import type { Log } from '#kernel/log.ts'
import { pruneLogs } from '#kernel/processes/prune-logs.ts'
import { reclaim } from '#kernel/processes/reclaim.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { Retries } from '#kernel/retries.ts'
import { TORYO_WORKTREE } from '#system/environment-names.ts'
import { type CheckingDeps, type CheckStep, runCheck } from './checking.ts'
import type { Checks } from './checks.ts'
import type { EvidenceLog } from './evidence.ts'
import { flagsOf } from './flags.ts'
import { evidenceFor, type PlannedCheck, type Snapshot } from './model.ts'
import { OwnPace } from './own-pace.ts'
import type { OpenWorktree, ThreadRuns, ThreadTask, ThreadTasks, ThreadWorktrees } from './ports.ts'
import type { MergeStep, Merging } from './merging.ts'
import { proposedChecks } from './proposed-checks.ts'
import type { Radar } from './radar.ts'
import type { PullWatch } from './pull-watch.ts'
import type { RetireStep, Retiring } from './retiring.ts'
import { awaits, isEarly, type Settling } from './settling.ts'
import type { Snapshots } from './snapshots.ts'
import { take, type TakeStep } from './taking.ts'
import { environmentOf, type Workspaces } from './workspaces.ts'

export type ThreadStep = TakeStep | CheckStep | MergeStep | RetireStep

export type ThreadVerbs = { snapshots: Snapshots; evidence: EvidenceLog; settling: Settling; checks: Checks }

export type KeeperDeps = {
  events: EventLog
  log: Log
  clock: Pick<Clock, 'monotonic'>
  git: Git
  worktrees: ThreadWorktrees
  /** One transaction. */
  write: <T>(verb: (verbs: ThreadVerbs) => Promise<T>) => Promise<T>
  /** For reading alone. */
  read: ThreadVerbs
  tasks: Pick<ThreadTasks, 'find'>
  runs: ThreadRuns
  workspaces: Pick<Workspaces, 'find'>
  env: NodeJS.ProcessEnv
  logFolder: string
  by: Caller
  /** Merges what was accepted. */
  merging: Pick<Merging, 'recover' | 'step' | 'dispose'>
  /** Sees when a pull request was merged. */
  pulls: Pick<PullWatch, 'step'>
  /** Puts away what was merged. */
  retiring: Pick<Retiring, 'step'>
  /** Starts agents that are to review. */
  reviewing: { step(): Promise<boolean> }
  /** Finds those that work on the same lines. */
  radar: Pick<Radar, 'wake' | 'dispose'>
  /** For tests: a place at which the hub may be killed. */
  reached?: ((step: ThreadStep) => void) | undefined
}

const PAGE = 500
const TAKEN_AT_ONCE = 2
/** Something that writes all the time is not waited for: the check then says that the tree changed. */
const MOST_RETAKES = 3
/** What fails so often in a row, whatever it is, is for a person. */
const MOST_TRIES = 5
const RECLAIM = { graceMs: 1500 }
const WAKING =
  /^(?:task\.(?:moved|returned)|run\.(?:ended|settled)|instance\.ended|check\.|snapshot\.|verdict\.|review\.|workspace\.|session\.|merge\.|pull\.|tab\.(?:prepared|ended))/

type Job = { kind: 'take' | 'check'; done: Promise<void> }

export class ThreadKeeper {
  readonly #deps: KeeperDeps
  readonly #jobs = new Map<string, Job>()
  readonly #retakes = new Map<string, number>()
  readonly #retries: Retries<string>
  readonly #records = new Map<string, ProcessRecord>()
  readonly #gone = new AbortController()
  #reclaimed: Promise<void> = Promise.resolve()
  #looking: Promise<void> | undefined
  /** These have a pace of their own: checks of merged trees may take long, and what reviewers are given is read from the repository. */
  readonly #merging: OwnPace
  readonly #reviewing: OwnPace
  #pruning: Promise<void> = Promise.resolve()
  #again = false
  #unsubscribe = () => {}

  constructor(deps: KeeperDeps) {
    this.#deps = deps
    const { reviewing, log, clock } = deps
    this.#retries = new Retries(clock)
    const pace = { gone: this.#gone.signal, moved: () => this.wake() }
    this.#merging = new OwnPace(() => this.#queue(), {
      ...pace,
      failed: error => log.warn({ err: error }, 'the merge queue could not be looked at; it is tried again'),
    })
    this.#reviewing = new OwnPace(() => reviewing.step(), {
      ...pace,
      failed: error => log.warn({ err: error }, 'reviews by agents could not be looked at; it is tried again'),
    })
  }

  get size(): number {
    return this.#jobs.size
  }

  records(): ProcessRecord[] {
    return [...this.#records.values()]
  }

  /** What an earlier hub left is ended first, and done again. */
  start(): void {
    this.#unsubscribe = this.#deps.events.subscribe(event => this.#heard(event))
    this.#reclaimed = this.#reclaim().catch(error =>
      this.#deps.log.error({ err: error }, 'checks of an earlier hub could not be settled'),
    )
    this.wake()
  }

  wake(): void {
    this.#again = true
    if (this.#gone.signal.aborted) return
    this.#deps.radar.wake()
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
      if (this.#again) this.wake()
    })
  }

  /** Ends what runs; the next hub does it again. */
  async dispose(): Promise<void> {
    this.#gone.abort()
    this.#unsubscribe()
    await this.#reclaimed
    await this.#looking
    await this.#deps.radar.dispose()
    await this.#deps.merging.dispose()
    await this.#merging.ended
    await this.#reviewing.ended
    await Promise.all([...this.#jobs.values()].map(({ done }) => done))
    await this.#pruning
  }

  #heard({ type }: StoredEvent): void {
    if (WAKING.test(type)) this.wake()
  }

  async #look(): Promise<void> {
    await this.#reclaimed
    while (this.#again && !this.#gone.signal.aborted) {
      this.#again = false
      try {
        for (const snapshot of await this.#unsettled()) this.#begin(snapshot)
        this.#merging.kick()
        this.#reviewing.kick()
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'reported work could not be looked up; it is tried again')
      }
    }
  }

  async #queue(): Promise<boolean> {
    const { merging, pulls, retiring, log } = this.#deps
    const did = await merging.step()
    await pulls
      .step()
      .catch((error: unknown) => log.warn({ err: error }, 'pull requests could not be looked at; it is tried again'))
    await retiring.step()
    return did
  }

  async #unsettled(): Promise<Snapshot[]> {
    const { read, worktrees, write, by } = this.#deps
    const found: Snapshot[] = []
    const home = await worktrees.home()
    for (let after = ''; ; ) {
      const page = await read.snapshots.listUnsettled(PAGE, after)
      for (const snapshot of page) {
        const { worktreeId, id } = snapshot
        if (!this.#retries.isDue(id)) continue
        try {
          if (worktreeId === null) await write(({ snapshots }) => snapshots.verifyUnchecked(id, by))
          else if (home !== undefined && (await worktrees.homeOf(worktreeId)) === home) found.push(snapshot)
        } catch (error) {
          await this.#putOff(snapshot, error)
        }
      }
      if (page.length < PAGE) return found
      after = page.at(-1)?.id ?? ''
    }
  }

  #begin(snapshot: Snapshot): void {
    if (this.#jobs.has(snapshot.id) || this.#gone.signal.aborted) return
    const kind = snapshot.takenAt === null ? 'take' : 'check'
    const taking = [...this.#jobs.values()].filter(job => job.kind === 'take').length
    if (kind === 'take' && taking >= TAKEN_AT_ONCE) return
    const work = kind === 'take' ? this.#take(snapshot) : this.#check(snapshot)
    const done = work
      .then(isMoved => {
        this.#retries.passed(snapshot.id)
        return isMoved
      })
      .catch((error: unknown) => this.#putOff(snapshot, error))
      .then(isMoved => {
        this.#jobs.delete(snapshot.id)
        // What waited for its turn, too. Not after a check that waits itself: it would ask again at once, and again, as long as
        // another is taken, and the hub would do nothing else.
        if (isMoved || (kind === 'take' && taking > 0)) this.wake()
      })
    this.#jobs.set(snapshot.id, { kind, done })
  }

  /** Whatever it is, it is about this one alone: the others go on. True when it waits for a person now. */
  async #putOff({ id }: Snapshot, error: unknown): Promise<boolean> {
    const { log, write, by } = this.#deps
    if (this.#gone.signal.aborted) return false
    const count = this.#retries.failed(id)
    log.warn({ err: error, snapshot: id, count }, 'reported work could not be moved on; it is tried again later')
    if (count < MOST_TRIES) return false
    try {
      await write(({ snapshots }) => snapshots.failed(id, whatWentWrong(error), by))
    } catch (problem) {
      log.warn({ err: problem, snapshot: id }, 'reported work that fails again and again could not be given up')
      return false
    }
    this.#retries.passed(id)
    return true
  }

  /** True when something has changed. */
  async #take(snapshot: Snapshot): Promise<boolean> {
    const { git, read, tasks, write, by } = this.#deps
    const task = await tasks.find(snapshot.taskId)
    if (!task) throw new Error(`its task ${snapshot.taskId} is gone`)
    const there = await this.#open(snapshot)
    if (!there) return true
    this.#reached('snapshot-begun')
    const checks = await read.checks.plan(snapshot.projectId, [])
    const taken = await take(git, there, snapshot, task, checks, this.#gone.signal).catch((error: unknown) => {
      if (!(error instanceof GitError) || this.#gone.signal.aborted) throw error
      return error
    })
    if (taken instanceof GitError) {
      await write(({ snapshots }) => snapshots.failed(snapshot.id, whatWentWrong(taken), by))
      return true
    }
    this.#reached('snapshot-made')
    await write(({ snapshots }) => snapshots.taken(snapshot.id, taken, by))
    this.#reached('snapshot-stored')
    return true
  }

  /** Undefined when it is gone, which is written down. */
  async #open(snapshot: Snapshot): Promise<OpenWorktree | undefined> {
    const { worktrees, write, by } = this.#deps
    try {
      return await worktrees.open(snapshot.worktreeId as NonNullable<Snapshot['worktreeId']>)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      await write(({ snapshots }) => snapshots.failed(snapshot.id, error.text, by))
      return undefined
    }
  }

  async #check(snapshot: Snapshot): Promise<boolean> {
    const { read, tasks, runs, write, by } = this.#deps
    const { id, tree } = snapshot
    const task = await tasks.find(snapshot.taskId)
    const isCurrent = (await read.snapshots.current(snapshot.taskId))?.id === id
    if (task && isCurrent && isEarly(task)) return false
    if (!task || !awaits(task) || !isCurrent || tree === null) {
      await write(({ snapshots }) => snapshots.settle(id, by))
      return true
    }
    if (snapshot.runId !== null && (await runs.isRunning(snapshot.runId))) return false
    const there = await this.#open(snapshot)
    if (!there) return true
    const plan = await read.checks.plan(snapshot.projectId, await proposedChecks(there.folder))
    const known = await read.evidence.ofSnapshot(id)
    const trusted = plan.filter(check => check.trusted)
    const next = evidenceFor(trusted, known, tree).find(({ evidence }) => !evidence)?.check
    // What is verified is looked at by others: a check that is new finds it changed, and says so.
    const isUnseen = known.length === 0 && task.facts.verifiedAt === null
    if (isUnseen && (await this.#hasChanged(snapshot, there))) {
      const again = await write(({ snapshots }) => snapshots.retake(id, by))
      if (again) this.#retakes.set(again.id, (this.#retakes.get(id) ?? 0) + 1)
      this.#retakes.delete(id)
      return true
    }
    if (isUnseen) await this.#point(snapshot, there, task)
    if (!next) {
      const flagged = await this.#flagged(snapshot, there, plan)
      await write(({ settling }) => settling.decide(id, plan, flagged, by))
      this.#retakes.delete(id)
      return true
    }
    const home = await this.#deps.worktrees.home()
    const subject = { taskId: task.id, projectId: snapshot.projectId, snapshotId: id, mergeId: null, tree }
    const at = {
      place: home ?? '',
      folder: there.folder,
      facts: await this.#environment(task, there),
      watch: (signal: AbortSignal) => this.#watch(snapshot, there, signal),
      unfit: there.lacks === undefined ? undefined : ({ kind: 'no-folder', folder: there.lacks } as const),
    }
    const outcome = await runCheck(this.checking(), subject, next, at, this.#gone.signal)
    this.#pruning = this.#pruning.then(() => this.#prune())
    return outcome !== undefined
  }

  /** Its branch leads to what was reported, so that every other git shows the work, too. What cannot be so stays as it is. */
  async #point({ id, commit, at }: Snapshot, { checkout }: OpenWorktree, { handle }: ThreadTask): Promise<void> {
    if (commit === null) return
    const wish = { commit, message: `toryo: ${handle} reported`, at }
    await pointBranch(this.#deps.git, checkout, wish).catch((error: unknown) =>
      this.#deps.log.warn({ err: error, snapshot: id }, 'the branch of reported work stays where it was'),
    )
  }

  /** Again: a check may have been added since it was taken. */
  async #flagged({ baseCommit, tree, flagged }: Snapshot, there: OpenWorktree, plan: readonly PlannedCheck[]) {
    const { git } = this.#deps
    if (baseCommit === null || tree === null) return flagged
    const { files } = await treeChanges(git, there.checkout, baseCommit, tree)
    return flagsOf(git, there, { base: baseCommit, tree, files }, plan)
  }

  /** What was held back is no change. */
  async #watch({ held, tree }: Snapshot, { checkout }: OpenWorktree, signal: AbortSignal) {
    const except = held.map(({ path }) => path)
    const files = await WatchedFiles.open(this.#deps.git, checkout, { except, signal })
    if (files.tree === tree) return files
    await files.dispose()
    return undefined
  }

  /** Since it was taken, as by an agent that was still at it. */
  async #hasChanged(snapshot: Snapshot, there: OpenWorktree): Promise<boolean> {
    if ((this.#retakes.get(snapshot.id) ?? 0) >= MOST_RETAKES) return false
    const except = snapshot.held.map(({ path }) => path)
    return (await treeOf(this.#deps.git, there.checkout, { except, signal: this.#gone.signal })) !== snapshot.tree
  }

  /** As agents find it there. */
  async #environment(task: ThreadTask, { checkout }: OpenWorktree): Promise<Record<string, string>> {
    const workspace = await this.#deps.workspaces.find(task.id)
    return { [TORYO_WORKTREE]: checkout.path, ...(workspace && environmentOf(task, workspace)) }
  }

  /** How processes of checks are owned. */
  checking(): CheckingDeps {
    const { write, env, logFolder, by } = this.#deps
    return {
      write: verb => write(({ evidence }) => verb(evidence)),
      env,
      logFolder,
      by,
      own: (id, record) => void (record ? this.#records.set(id, record) : this.#records.delete(id)),
      reached: step => this.#reached(step),
    }
  }

  #reached(step: ThreadStep): void {
    this.#deps.reached?.(step)
  }

  /** Its output went with the hub that read it: it is run again. */
  async #reclaim(): Promise<void> {
    const { read, worktrees, write, log, by, merging } = this.#deps
    await merging.recover()
    const home = await worktrees.home()
    if (home === undefined) return
    for (const { id, process } of await read.evidence.listOpen(home)) {
      const [found] = process ? await reclaim([process], RECLAIM) : []
      log.warn({ evidence: id, ran: found?.ran, stopped: found?.stopped.how }, 'a check of an earlier hub was ended')
      const remark = { kind: 'hub-ended' as const }
      const end = { outcome: 'stopped' as const, exitCode: null, tail: '', remark, logPath: null }
      await write(({ evidence }) => evidence.end(id, end, by))
    }
  }

  #prune(): Promise<void> {
    return pruneLogs(this.#deps.logFolder, { isOpen: name => this.#records.has(basename(name, '.log')) })
  }
}

function whatWentWrong(error: unknown): Text {
  if (error instanceof HubError) return error.text
  const said = error instanceof Error ? error.message : String(error)
  const sentence = /[.!?]$/.test(said) ? said : `${said}.`
  return { en: sentence, ja: sentence }
}
