import { ExactSearch } from '#domains/memory/exact.ts'
import { Loader } from '#domains/memory/found.ts'
import { Recall } from '#domains/memory/recall.ts'
import { Recalling } from '#domains/memory/recalling.ts'
import { Memory } from '#domains/memory/service.ts'
import { Transfer } from '#domains/memory/transfer.ts'
import type { Projects } from '#domains/projects/projects.ts'
import type { Folders } from '../project-folders.ts'
import type { Over } from '../services.ts'

export type MemoryServices = { memory: Memory; exact: ExactSearch; recalling: Recalling; transfer: Transfer }

export function memoryServices({ db, kernel }: Over, projects: Projects, folders: Folders): MemoryServices {
  const { events, clock, search, embedder } = kernel
  const memory = new Memory({
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
    recalling: new Recalling({ memory, recall, loader: new Loader(db, search) }),
    transfer: new Transfer({ db, search, memory }),
  }
}
