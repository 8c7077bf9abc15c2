// What the hub does without being asked: at its start, every few seconds, after an import, and at its end.
import { scrubEvents } from '#domains/identity/scrub.ts'
import { mustBePossible } from '#domains/projects/imported.ts'
import { giveHandles } from '#domains/projects/schema.ts'
import type { RunProcesses } from '#domains/runs/processes.ts'
import type { ThreadKeeper } from '#domains/thread/keeper.ts'
import type { Tx } from '#kernel/db/db.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import type { Bind } from './services.ts'
import { Tending } from './tending.ts'
import { DeletedTasks } from './workflows/deleted-tasks.ts'

export type Upkeep = {
  /** Keeps sessions of live connections alive and frees what fell silent. */
  tend(connectionSecrets: readonly string[]): Promise<void>
  /** Brings the indexes of memory and events up to date; `fromScratch` after data came in by another way than its verbs. */
  index(fromScratch?: boolean): Promise<void>
  /** Finishes or undoes what the last life of this hub began on folders. */
  recover(): Promise<void>
  /** In the transaction in which data come in by another way than the verbs. */
  imported(tx: Tx): Promise<void>
  dispose(): Promise<void>
}

type Woken = { processes: RunProcesses; thread: ThreadKeeper }

export function upkeepOf(options: ComposeOptions, parts: Parts, { processes, thread }: Woken, bind: Bind): Upkeep {
  const { database, clock, log } = options
  const { embedding, events, git, rebuild, subjects, watching, worktrees } = parts
  const keepUp = () => subjects.keepUp().catch(error => log.warn({ err: error }, 'the index of events is behind'))
  const unsubscribe = events.subscribe(() => {
    if (subjects.heard()) void keepUp()
  })
  const tending = new Tending({ database, clock, bind })
  const home = () => worktrees.usedHome()
  const deleted = new DeletedTasks({ database, bind, git, clock, log, home })
  let removing: Promise<void> | undefined
  const remove = () =>
    (removing ??= deleted.step().finally(() => {
      removing = undefined
    }))
  return {
    tend: async connectionSecrets => {
      // Before anything is judged by the time: another hub may have been awake while we were not.
      await clock.beat()
      await tending.tend(connectionSecrets)
      embedding.tend()
      // Not waited for: deleting many files takes its time.
      void worktrees.tend().catch(error => log.warn({ err: error }, 'the trash of worktrees was not tended'))
      void remove().catch(error => log.warn({ err: error }, 'deleted tasks were not tended'))
      processes.wake()
      thread.wake()
    },
    index: async fromScratch => {
      await rebuild.run(({ done, total }) => log.info({ done, total }, "memory's index is being rebuilt"), fromScratch)
      await keepUp()
    },
    // A folder that cannot be put in order must not keep the hub from starting.
    recover: () =>
      worktrees.recover().catch(error => log.error({ err: error }, 'worktrees could not be brought in order')),
    imported: async tx => {
      await mustBePossible(tx)
      await scrubEvents(tx.tables())
      await giveHandles(tx.tables())
      await worktrees.imported(tx)
      await bind(tx).merges.imported(tx)
      await bind(tx).workspaces.imported(tx)
      await rebuild.begin(tx)
      await subjects.clear(tx)
    },
    dispose: async () => {
      unsubscribe()
      await removing?.catch(() => {}) // It is logged where it began.
      await subjects.dispose()
      await watching.dispose()
      await worktrees.dispose()
      await rebuild.dispose()
      await embedding.dispose()
    },
  }
}
