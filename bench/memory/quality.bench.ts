// How well recall finds, beside substring search. `npm run bench -- memory/quality [--locomo <folder>] [--jsquad <folder>]`;
// without folders, our own set of decisions.
import { HUB } from '#hub/own-caller.ts'
import { fold } from '#kernel/search/fold.ts'
import { openMemory, type OpenMemory } from '#test/memory.ts'
import { type Collection, jsquad, loCoMo } from './datasets.ts'
import { cases, chatter } from './decisions.ts'
import { AT, Scores } from './scores.ts'

await run('own decisions (ja, en, mixed)', [ownSet()])
const locomoFolder = optionOf('--locomo')
if (locomoFolder) await run('LoCoMo, gate R@10 ≥ 74', loCoMo(locomoFolder), 74)
else console.log('LoCoMo: not run (name its folder with --locomo)')
const jsquadFolder = optionOf('--jsquad')
if (jsquadFolder) await run('JSQuAD sentences, gate R@10 ≥ 96', jsquad(jsquadFolder), 96)
else console.log('JSQuAD: not run (name its folder with --jsquad)')

async function run(name: string, collections: readonly Collection[], gate = 0): Promise<void> {
  await using memory = await openMemory('sqlite')
  const ranked = new Scores()
  const substring = new Scores()
  let cpu = 0
  for (const [index, collection] of collections.entries()) {
    const project = await memory.project(`${name} ${index}`)
    const keys = await add(memory, project, collection)
    for (const { query, wanted } of collection.questions) {
      const before = process.cpuUsage()
      const { results } = await memory.services.recalling.answer(
        project,
        { queries: [query], kinds: ['log'], limit: AT },
        HUB,
      )
      const used = process.cpuUsage(before)
      cpu += (used.user + used.system) / 1000
      ranked.add(
        results.map(hit => keys.get(hit.id) ?? ''),
        wanted,
      )
      const needle = fold(query)
      const hits = collection.passages.filter(passage => fold(passage.text).includes(needle))
      substring.add(
        hits.slice(0, AT).map(passage => passage.key),
        wanted,
      )
    }
  }
  console.log(`\n${name}: ${ranked.count} questions, ${(cpu / ranked.count).toFixed(1)} CPU ms each`)
  console.log(`  recall     ${ranked.text()}`)
  console.log(`  substring  ${substring.text()}`)
  if (ranked.recall < gate) {
    console.log(`  below the gate of ${gate}`)
    process.exitCode = 1
  }
}

/** Passages become logs of topics, in one transaction a hundred. */
async function add(memory: OpenMemory, project: number, { passages }: Collection): Promise<Map<number, string>> {
  const keys = new Map<number, string>()
  const topics = new Map<string, number>()
  for (let from = 0; from < passages.length; from += 100)
    await memory.database.tx(async tx => {
      const { memory: verbs } = memory.within(tx)
      for (const { key, topic, text } of passages.slice(from, from + 100)) {
        let topicId = topics.get(topic)
        if (topicId === undefined) {
          topicId = (await verbs.addTopic(project, { title: topic, description: null, parentId: null }, HUB)).id
          topics.set(topic, topicId)
        }
        keys.set((await verbs.addEntry(topicId, text, HUB)).id, key)
      }
    })
  return keys
}

function ownSet(): Collection {
  const passages = cases.flatMap(({ text }, index) => [
    { key: `chatter ${index}`, topic: `topic ${Math.floor(index / 4)}`, text: chatter[index % chatter.length] ?? '' },
    { key: String(index), topic: `topic ${Math.floor(index / 4)}`, text },
  ])
  const questions = cases.flatMap(({ queries }, index) => queries.map(query => ({ query, wanted: [String(index)] })))
  return { passages, questions }
}

function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}
