// A merge queue over a real database and a real repository, without a hub around it. Agents and checks are the test's own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProjectId, SnapshotId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { ProjectTables } from '#domains/projects/schema.ts'
import { Projects } from '#domains/projects/projects.ts'
import { Tasks } from '#domains/projects/tasks.ts'
import type { WorktreeTables } from '#domains/tabs/worktrees/schema.ts'
import type { MergeChecks } from '#domains/thread/merge-ports.ts'
import { type MergeStep, Merging } from '#domains/thread/merging.ts'
import { Retiring } from '#domains/thread/retiring.ts'
import type { ThreadTables } from '#domains/thread/schema.ts'
import { migrations } from '#hub/schema.ts'
import { mergeServices } from '#hub/services/merges.ts'
import { HUB } from '#hub/own-caller.ts'
import type { Kernel, Services } from '#hub/services.ts'
import type { Database, Db } from '#kernel/db/db.ts'
import { EventLog } from '#kernel/events.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { takeSnapshot } from '#kernel/git/snapshot.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { systemIds } from '#kernel/ids.ts'
import { placeFor, type Place, quietLog } from './database.ts'
import { type DatabaseKind, TestClock } from './hub.ts'
import { Repo, Yard } from './git.ts'

export type MergeTables = ThreadTables & ProjectTables

const PROJECT = 'prj_shop' as ProjectId

export class Queue implements AsyncDisposable {
  readonly yard = new Yard()
  readonly repo = this.yard.repository()
  readonly clock = new TestClock()
  readonly database: Database
  readonly #place: Place
  readonly #rest = mkdtempSync(path.join(tmpdir(), 'toryo-queue-'))
  readonly released: TaskId[] = []
  readonly log = quietLog()
  /** An agent works on them. */
  readonly held = new Set<TaskId>()
  /** What checks answer, and what happens meanwhile. */
  check: MergeChecks['run'] = async () => ({ outcome: 'passed' })
  readonly #events: EventLog
  readonly #ids = systemIds
  #count = 0

  static async open(kind: DatabaseKind): Promise<Queue> {
    const place = await placeFor(kind, { migrated: true })
    const queue = new Queue(place, await place.open(migrations))
    queue.repo.write('a', 'one\ntwo\nthree\nfour\nfive\n')
    queue.repo.write('b', 'one\n')
    queue.repo.commit('base')
    return queue
  }

  private constructor(place: Place, database: Database) {
    this.#place = place
    this.database = database
    this.#events = new EventLog({ database, clock: this.clock, log: quietLog() as never })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close()
    await this.#place[Symbol.asyncDispose]()
    this.yard[Symbol.dispose]()
    rmSync(this.#rest, { recursive: true, force: true })
  }

  services(db: Db): Pick<Services, 'projects' | 'tasks' | 'merges'> {
    const deps = { db, events: this.#events, clock: this.clock, ids: this.#ids }
    const agents = { get: async (id: never) => ({ id, name: id }), enabledAmong: async () => new Set<never>() }
    const projects = new Projects({ ...deps, agents })
    const thread = { doneByHand: async () => {}, doneByAgent: async () => {} }
    const tasks = new Tasks({ ...deps, projects, thread, workers: { leave: async () => {} } })
    const worktrees = {
      isOnSeveral: async () => false,
      get: async (id: WorktreeId) => ({ repository: path.join(this.repo.root, '.git'), home: this.homeOf(id) }),
      isHere: async (home: string) => home === 'here',
    }
    const kernel = { events: this.#events, clock: this.clock, ids: this.#ids, worktrees } as unknown as Kernel
    return { projects, tasks, ...mergeServices({ db, kernel }, { projects, tasks }) }
  }

  /** One hub of this place. */
  hub(owner = 'here', reached?: (step: MergeStep) => void): Merging {
    return new Merging({
      database: this.database,
      merges: db => this.services(db).merges,
      workspaces: {
        repositoryOf: async id => {
          const home = this.homeOf(id)
          return { repository: path.join(this.repo.root, '.git'), home, here: home === 'here' }
        },
        isOnSeveral: async () => false,
        release: async () => {},
      },
      checks: { run: (merge, signal) => this.check(merge, signal), isPassed: async () => this.isPassed() },
      git: this.yard.git,
      clock: this.clock,
      log: this.log,
      owner,
      hub: HUB,
      reached,
    })
  }

  /** Asked before the base moves. */
  isPassed = (): boolean => true

  retiring(): Retiring {
    const release = async (taskId: TaskId) => {
      this.released.push(taskId)
      const done = { released_at: this.clock.now() }
      await this.database.tx(tx =>
        tx.tables<ThreadTables>().updateTable('workspaces').set(done).where('task_id', '=', taskId).execute(),
      )
    }
    const { database, clock } = this
    const rest = { workspaces: { release }, git: this.yard.git, log: quietLog(), hub: HUB }
    const isHeld = async (taskId: TaskId) => this.held.has(taskId)
    return new Retiring({ database, clock, home: async () => 'here', isHeld, ...rest })
  }

  /** Which of its worktrees are another hub's. */
  readonly elsewhere = new Set<string>()

  homeOf(id: string): string {
    return this.elsewhere.has(id) ? 'elsewhere' : 'here'
  }

  /** Until nothing happens any more. */
  async drive(hub = this.hub()): Promise<void> {
    for (let count = 0; await hub.step(); count++) if (count > 50) throw new Error('the queue does not come to rest')
  }

  /** A task whose work was reported and accepted, on a branch of its own. */
  async task(
    work: (repo: Repo) => void,
    { accept = true, base = 'refs/heads/main' }: { accept?: boolean; base?: string | null } = {},
  ): Promise<TaskId> {
    const { projects, tasks } = this.services(this.database)
    if (!(await projects.find(PROJECT)))
      await projects.add({ id: PROJECT, key: 'shop', name: 'shop', description: '', directory: this.repo.root }, HUB)
    const number = ++this.#count
    const taskId = `tsk_${number}` as TaskId
    const fresh = { description: '', status: 'in_progress', priority: 'medium', assigneeId: null } as const
    await tasks.add({ ...fresh, id: taskId, projectId: PROJECT, title: `Change ${number}` }, HUB)
    await this.#workspace(taskId, number, base, work)
    if (accept) await tasks.move(taskId, 'done', HUB)
    return taskId
  }

  async #workspace(taskId: TaskId, number: number, base: string | null, work: (repo: Repo) => void): Promise<void> {
    const folder = new Repo(this.folderOf(number))
    const branch = `toryo/shop-${number}`
    this.repo.git('worktree', 'add', '-q', '-b', branch, folder.root, 'main')
    work(folder)
    const { checkout } = await openRepository(this.yard.git, folder.root)
    const id = `snp_${number}` as SnapshotId
    const wish = { ref: `refs/toryo/snapshots/${id}`, message: 'work', at: this.clock.now(), hold: () => undefined }
    const { commit, tree } = await takeSnapshot(this.yard.git, checkout as Checkout, wish)
    const worktreeId = `wt_${number}` as WorktreeId
    const at = this.clock.now()
    const changed = folder.git('diff', '--name-only', 'main', commit).split('\n').length - 1
    const ofTask = { task_id: taskId, project_id: PROJECT, worktree_id: worktreeId }
    await this.database.tx(async tx => {
      await tx
        .tables<WorktreeTables>()
        .insertInto('worktrees')
        .values({ ...NO_WORKTREE, id: worktreeId, project_id: PROJECT, path: folder.root, branch, created_at: at })
        .execute()
      const tables = tx.tables<ThreadTables>()
      await tables
        .insertInto('workspaces')
        .values({ ...ofTask, branch, base_ref: base, port: 4000 + number, made_at: at, released_at: null })
        .execute()
      await tables
        .insertInto('snapshots')
        .values({
          ...{ ...ofTask, id, cause: 'report', run_id: null, result: 'success', summary: `Did ${number}.`, at },
          ...{ taken_at: at, error: null, commit_id: commit, tree, base_commit: null, changed_files: changed },
          ...{ held: '[]', flagged: '[]', cites: '[]', authors: '[]', included: '[]', settled_at: at },
        })
        .execute()
    })
  }

  /** The same files, reported again. */
  async anew(taskId: TaskId): Promise<SnapshotId> {
    const id = `snp_${taskId.slice(4)}_${++this.#count}` as SnapshotId
    await this.database.tx(async tx => {
      const tables = tx.tables<ThreadTables>()
      const last = await tables
        .selectFrom('snapshots')
        .selectAll()
        .where('task_id', '=', taskId)
        .executeTakeFirstOrThrow()
      await tables
        .insertInto('snapshots')
        .values({ ...last, id, at: this.clock.now() })
        .execute()
    })
    return id
  }

  folderOf(number: number): string {
    return path.join(this.#rest, `work-${number}`)
  }

  enqueue(taskId: TaskId, snapshotId?: SnapshotId) {
    return this.database.tx(tx => this.services(tx).merges.enqueue(taskId, snapshotId, HUB))
  }

  list(ended = false) {
    return this.services(this.database).merges.list({ ended }, HUB, 'en')
  }

  async events(type: string): Promise<Record<string, unknown>[]> {
    const tables = this.database.tables<{ events: { type: string; payload: string; seq: number } }>()
    const rows = await tables.selectFrom('events').select('payload').where('type', '=', type).orderBy('seq').execute()
    return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)
  }
}

const NO_WORKTREE = {
  home: 'here',
  repository: '',
  object_format: 'sha1',
  git_dir: '',
  device: '',
  inode: '',
  base_ref: null,
  base_commit: '',
  own: 1,
  made_branch: 1,
  state: 'ready',
  head: null,
  setup: '{}',
  lfs_missing: 0,
  drivers: '[]',
  copied: 0,
  trashed_at: null,
  purge_at: null,
  due_seen: null,
}
