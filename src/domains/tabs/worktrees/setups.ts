// The command that prepares a worktree: which one, whether it may run, and running it.
import type { Caller } from '#contract/caller.ts'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import { SetupEnded, SetupTrusted, WorktreeError } from '#contract/worktrees.ts'
import { plannedRecord } from '#kernel/processes/record.ts'
import { furnishingFor, proposedSetup } from './furnish.ts'
import { factOf, type Ledger, type Meanwhile } from './ledger.ts'
import { NO_SETUP, type Setup, type Worktree } from './model.ts'
import type { SetupFailure } from '#contract/why.ts'
import { runSetup } from './setup-run.ts'
import { WorktreeStore } from './store.ts'

const MOST_PROJECTS = 200

/** Hears what a command says while it runs: its last line, now and then. */
export type Listener = (worktreeId: WorktreeId, line: string) => void

export class Setups {
  readonly #ledger: Ledger
  readonly #running = new Map<string, { stopping: AbortController; ended: Promise<Worktree> }>()
  readonly #listeners = new Set<Listener>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Answers how to hear no more. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Which command would prepare a worktree of this project, and whether it may run. */
  async planFor({ projectId, directory }: { projectId: ProjectId; directory: string }): Promise<Setup> {
    const { setup } = furnishingFor(this.#ledger.deps.config(), projectId, directory)
    if (setup) return { ...NO_SETUP, state: 'pending', command: [...setup] }
    const proposed = await proposedSetup(directory)
    if (!proposed) return NO_SETUP
    const { store, deps } = this.#ledger
    const state = (await store.isSetupTrusted(projectId, deps.machine, proposed)) ? 'pending' : 'untrusted'
    return { ...NO_SETUP, state, command: proposed }
  }

  async of(projectId: ProjectId): Promise<Setup> {
    const { directory } = await this.#ledger.deps.projects.get(projectId)
    return directory === null ? NO_SETUP : this.planFor({ projectId, directory })
  }

  /** Commands of repositories that were allowed on another machine, and that nobody has looked at on this one. Reads files. */
  async listUnseen(): Promise<{ projectId: ProjectId; command: readonly string[] }[]> {
    const ids = await this.#ledger.store.setupsElsewhere(this.#ledger.deps.machine, MOST_PROJECTS)
    const plans = await Promise.all(ids.map(async projectId => ({ projectId, ...(await this.of(projectId)) })))
    return plans.flatMap(({ projectId, state, command }) =>
      state === 'untrusted' && command !== null ? [{ projectId, command }] : [],
    )
  }

  /**
   * Allows on this machine exactly the command that the repository names now, if it is the one that was `seen`. On a command line a
   * person may allow whatever it names; a page says what it showed.
   */
  async trust(projectId: ProjectId, seen: readonly string[] | undefined, by: Caller): Promise<Setup> {
    const { directory } = await this.#ledger.deps.projects.get(projectId)
    const { command, state } = directory === null ? NO_SETUP : await this.planFor({ projectId, directory })
    if (command === null) throw WorktreeError.NO_SETUP({ projectId })
    const mustSay = by.kind === 'operator' && by.page !== undefined
    if ((mustSay || seen !== undefined) && JSON.stringify(seen) !== JSON.stringify(command))
      throw WorktreeError.SETUP_CHANGED({ command })
    if (state === 'untrusted')
      await this.#ledger.deps.database.tx(async tx => {
        await new WorktreeStore(tx).trustSetup(
          projectId,
          this.#ledger.deps.machine,
          command,
          this.#ledger.deps.clock.now(),
        )
        await this.#ledger.deps.events.publish(tx, SetupTrusted, { projectId, command }, by, projectId)
      })
    return { ...NO_SETUP, state: 'pending', command }
  }

  /**
   * Prepares a worktree, if that is still to be done, or `again`. Answers once it is written down that it runs; a failure is
   * written down too, and rejects nothing.
   */
  async begin(
    id: WorktreeId,
    by: Caller,
    { again = false, ...meanwhile }: Meanwhile & { again?: boolean | undefined } = {},
  ): Promise<{ worktree: Worktree; ended: Promise<Worktree> }> {
    const { database, ids, projects } = this.#ledger.deps
    const { projectId } = await this.#ledger.store.get(id)
    const { directory } = await projects.get(projectId)
    const marker = ids.secret('mark')
    const newPlan = again && directory !== null ? await this.planFor({ projectId, directory }) : undefined
    const begun = await database.tx(async tx => {
      const store = new WorktreeStore(tx)
      const worktree = await store.get(id)
      if (worktree.setup.state === 'running')
        throw WorktreeError.WORKTREE_BUSY({ path: worktree.path, by: ['its setup'] })
      const plan = newPlan ?? worktree.setup
      if (plan.command === null || plan.state !== 'pending') return undefined
      const setup: Setup = { ...plan, state: 'running', record: plannedRecord(marker) }
      const running = { ...worktree, setup }
      if (!(await store.replace('ready', running)))
        throw WorktreeError.WORKTREE_NOT_READY({ worktreeId: id, state: worktree.state })
      return running
    })
    if (!begun) {
      const worktree = await this.#ledger.store.get(id)
      return { worktree, ended: Promise.resolve(worktree) }
    }
    const stopping = new AbortController()
    const ended = this.#run(begun, directory, marker, by, meanwhile, stopping.signal)
    this.#running.set(id, { stopping, ended })
    void ended.catch(() => {}).finally(() => this.#running.delete(id)) // The waiting caller gets the error.
    return { worktree: begun, ended }
  }

  async #run(
    { id, projectId, path, branch, setup }: Worktree,
    directory: string | null,
    marker: string,
    by: Caller,
    { progress, signal }: Meanwhile,
    stopping: AbortSignal,
  ): Promise<Worktree> {
    const { config, env, log } = this.#ledger.deps
    const grounds = await this.#ledger.grounds()
    const { setupMinutes } = furnishingFor(config(), projectId, directory ?? '')
    const error = await runSetup({
      command: setup.command as string[],
      path,
      marker,
      logFile: grounds.logOf(id),
      minutes: setupMinutes,
      env,
      facts: { branch, projectDirectory: directory },
      started: record => this.#noteSetup(id, { ...setup, record }),
      progress: line => {
        progress?.(line)
        for (const listener of this.#listeners) listener(id, line)
      },
      signal: signal ? AbortSignal.any([signal, stopping]) : stopping,
    }).catch((failure: Error) => {
      log.error({ err: failure, worktree: id }, 'a setup could not be run')
      return { kind: 'said' as const, text: failure.message }
    })
    return this.end(id, error, by)
  }

  async #noteSetup(id: WorktreeId, setup: Setup): Promise<void> {
    await this.#ledger.deps.database.tx(async tx => {
      const store = new WorktreeStore(tx)
      await store.replace('ready', { ...(await store.get(id)), setup })
    })
  }

  end(id: WorktreeId, error: SetupFailure | undefined, by: Caller): Promise<Worktree> {
    return this.#ledger.deps.database.tx(async tx => {
      const store = new WorktreeStore(tx)
      const worktree = await store.get(id)
      const state = error === undefined ? ('succeeded' as const) : ('failed' as const)
      const setup: Setup = { ...worktree.setup, state, error: error ?? null, record: null }
      const ended = { ...worktree, setup }
      await store.replace(worktree.state, ended)
      await this.#ledger.deps.events.publish(tx, SetupEnded, { ...factOf(ended), setup: state }, by, worktree.projectId)
      return ended
    })
  }

  /** Ends those that run. */
  async dispose(): Promise<void> {
    const running = [...this.#running.values()]
    for (const { stopping } of running) stopping.abort()
    await Promise.allSettled(running.map(({ ended }) => ended))
  }
}
