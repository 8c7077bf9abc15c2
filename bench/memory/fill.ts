// Many decisions for a benchmark, indexed as after an import.
import { MemoryStore } from '#domains/memory/store.ts'
import type { OpenMemory } from '#test/memory.ts'
import { texts } from './texts.ts'

/** One transaction for so many: what is written is the same, only the disk is waited for less often. */
const BATCH = 5_000

/** Decisions, since both searches see them; thirty in a row to each project. */
export async function fill(memory: OpenMemory, count: number, projects: number): Promise<void> {
  const { database } = memory
  const source = texts(7)
  const numbers: number[] = []
  for (let index = 0; index < projects; index += 1) numbers.push(await memory.project(`project ${index}`))
  for (let from = 0; from < count; from += BATCH)
    await database.tx(async tx => {
      const store = new MemoryStore(tx, database.search)
      for (let index = from; index < Math.min(count, from + BATCH); index += 1)
        await store.insertDecision({
          topicId: null,
          project: numbers[Math.floor(index / 30) % numbers.length] as number,
          decision: source.record(),
          reason: 'measured',
          person: null,
          supersedes: null,
          createdAt: Date.now(),
        })
    })
  let shown = Date.now()
  await memory.rebuild().run(({ done, total }) => {
    if (Date.now() - shown < 20_000) return
    shown = Date.now()
    console.log(`  ${done} of ${total}`)
  }, true)
}
