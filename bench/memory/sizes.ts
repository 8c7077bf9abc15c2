// What decisions take on disk: many of the usual length, written by the verb that agents call, and the bytes of each table.
import { DatabaseSync } from '@photostructure/sqlite'
import { HUB } from '#hub/own-caller.ts'
import { openMemory } from '#test/memory.ts'
import { texts } from './texts.ts'

/** English, 157 characters with the reason. */
const WORDS = 19
const REASON = 'measured'
/** Share a commit; the thirty-second takes the others into the index, whatever the commits. */
const BATCH = 64

/** Adds so many to a project of their own, and answers how long they are. */
export async function writeDecisions(file: string, count: number): Promise<{ characters: number; cpuMs: number }> {
  await using memory = await openMemory('sqlite', { file })
  const project = await memory.project('measured')
  const topic = { title: 'measured', description: null, parentId: null }
  const { id: topicId } = await memory.services.memory.addTopic(project, topic, HUB)
  const source = texts(11)
  let characters = 0
  const before = process.cpuUsage()
  for (let from = 0; from < count; from += BATCH)
    await memory.database.tx(async tx => {
      const verbs = memory.within(tx).memory
      for (let index = from; index < Math.min(count, from + BATCH); index++) {
        const decision = Array.from({ length: WORDS }, () => source.word('en')).join(' ')
        characters += decision.length + REASON.length
        const fresh = { topicId, project: undefined, decision, reason: REASON, supersedes: null }
        await verbs.addDecision(fresh, HUB)
      }
    })
  const { user, system } = process.cpuUsage(before)
  return { characters: characters / count, cpuMs: (user + system) / 1000 / count }
}

/** What the parts of a database are called below, and the tables and indexes of each. */
const PARTS = {
  'the record and its indexes': /^(sqlite_autoindex_)?decisions/,
  'pieces for exact search': /^decision_texts/,
  'the ranked index': /^ranked_words/,
  frequencies: /^memory_documents/,
  'counts of words': /^ranked_(terms|changes)/,
  'its event': /^(sqlite_autoindex_)?event/,
} as const

export type Part = keyof typeof PARTS

/** Bytes of the pages of each part, and of the whole file. */
export function bytesOf(file: string): { parts: Record<Part, number>; total: number } {
  using database = new DatabaseSync(file, { readOnly: true })
  const tables = database.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all() as {
    name: string
    bytes: number
  }[]
  const sum = (names: RegExp) => tables.reduce((all, { name, bytes }) => all + (names.test(name) ? bytes : 0), 0)
  const parts = Object.fromEntries(Object.entries(PARTS).map(([part, names]) => [part, sum(names)]))
  return { parts: parts as Record<Part, number>, total: sum(/^/) }
}
