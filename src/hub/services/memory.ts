import { ExactSearch } from '#domains/memory/exact.ts'
import { Loader } from '#domains/memory/found.ts'
import { Recall } from '#domains/memory/recall.ts'
import { Recalling } from '#domains/memory/recalling.ts'
import { Memory } from '#domains/memory/service.ts'
import { Transfer } from '#domains/memory/transfer.ts'
import { TaskDecisions } from '#domains/memory/task-decisions.ts'
import type { Caller } from '#contract/caller.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { Tasks } from '#domains/projects/tasks.ts'
import type { Projects } from '#domains/projects/projects.ts'
import type { Folders } from '../project-folders.ts'
import type { Over } from '../services.ts'

export type MemoryServices = {
  memory: Memory
  exact: ExactSearch
  recalling: Recalling
  transfer: Transfer
  taskDecisions: TaskDecisions
}

type Needs = { projects: Projects; tasks: Tasks; folders: Folders }

export function memoryServices({ db, kernel }: Over, { projects, tasks, folders }: Needs): MemoryServices {
  const { events, clock, search, embedder } = kernel
  const asked = {
    get: (id: TaskId, by: Caller) => tasks.get(id, by),
    openAmong: (ids: readonly TaskId[]) => tasks.openAmong(ids),
  }
  const taskDecisions = new TaskDecisions({ db, search, events, clock, tasks: asked })
  const memory = new Memory({
    tasks: asked,
    taskDecisions,
    db,
    search,
    events,
    clock,
    projects: {
      find: id => projects.find(id),
      findByNumber: number => projects.findByNumber(number),
      findAt: (place, by) => folders.findAt(place, by),
      list: (from, limit) => projects.list(from - 1, limit),
      add: (fresh, by) => projects.add({ ...fresh, directory: null }, by),
    },
  })
  const recall = new Recall({ db, search, clock, embedder })
  return {
    memory,
    exact: new ExactSearch({ db, search }),
    recalling: new Recalling({ memory, recall, loader: new Loader(db, search), taskDecisions }),
    transfer: new Transfer({ db, search, memory }),
    taskDecisions,
  }
}
