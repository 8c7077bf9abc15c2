// What memory costs as it grows, beside the same work at 1,000 rows. CPU ms of this process (SQLite runs in it).
// `npm run bench -- memory/speed --rows 1000000 --keep <folder>` for the size that the targets name: nearly all of the time
// is filling, and a second run finds what the first one filled.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStore } from '#domains/memory/store.ts'
import { HUB } from '#hub/services.ts'
import { openMemory, type OpenMemory } from '#test/memory.ts'
import { atMost, type Figure, report } from '../report.ts'
import { type Texts, texts } from './texts.ts'

const option = (name: string) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const rows = Number(option('--rows')) || 20_000
const PROJECTS = 50
const ROUNDS = 200
/** One transaction for so many: what is written is the same, only the disk is waited for less often. */
const BATCH = 5_000

type Measured = { p50: number; p95: number }
type Size = { name: string; count: number; projects: number }

const kept = option('--keep')
const folder = kept ?? mkdtempSync(join(tmpdir(), 'toryo-bench-'))
mkdirSync(folder, { recursive: true })

console.log(`rows ${rows}, node ${process.version}, icu ${process.versions.icu}; CPU ms; load ${load()}`)
const one: Size = { name: '1,000 rows', count: 1_000, projects: 1 }
// Twice: the first pays for code that is not compiled yet, which would flatter every ratio.
await measureAll(one)
const small = await measureAll(one)
const spread = await measureAll({ name: `${rows} rows over ${PROJECTS} projects`, count: rows, projects: PROJECTS })
const single = await measureAll({ name: `${rows} rows in one project`, count: rows, projects: 1 })
if (kept === undefined) rmSync(folder, { recursive: true, force: true })

console.log(
  '\n| measured | 1,000 rows p50 | spread p50 / p95 (ratio) | one project p50 / p95 (ratio) |\n|---|---|---|---|',
)
for (const [name, base] of small) {
  const cell = (of: Map<string, Measured>) => {
    const { p50, p95 } = of.get(name) as Measured
    return `${ms(p50)} / ${ms(p95)} (${(p50 / base.p50).toFixed(1)}×)`
  }
  console.log(`| ${name} | ${ms(base.p50)} | ${cell(spread)} | ${cell(single)} |`)
}
report(`memory, ${rows} rows, load ${load()}`, gates())

function gates(): Figure[] {
  const names = [...small.keys()]
  const worst = (part: RegExp, of: Map<string, Measured>) =>
    Math.max(...names.filter(name => part.test(name)).map(name => (of.get(name) as Measured).p50))
  const ratio = (part: RegExp) =>
    Math.max(
      ...names
        .filter(name => part.test(name))
        .flatMap(name =>
          [spread, single].map(of => (of.get(name) as Measured).p50 / (small.get(name) as Measured).p50),
        ),
    )
  return [
    atMost('exact, 4 and 10 characters, p50 ÷ 1,000 rows', ratio(/^exact, (4|10) /), 4, ' ×'),
    atMost('exact, 1 and 2 characters, p50 ÷ 1,000 rows', ratio(/^exact, (1|2) /), 20, ' ×'),
    atMost(`recall, over ${PROJECTS} projects, p50`, worst(/^recall/, spread), 10, ' ms CPU'),
    atMost('recall, in one project, p50', worst(/^recall/, single), 50, ' ms CPU'),
    atMost('add-log, p50', Math.max(worst(/^add-log/, spread), worst(/^add-log/, single)), 2, ' ms CPU'),
    atMost('add-log, p50 ÷ 1,000 rows', ratio(/^add-log/), 2, ' ×'),
  ]
}

async function measureAll(size: Size): Promise<Map<string, Measured>> {
  const file = join(folder, `memory-${size.count}-${size.projects}.db`)
  // What every run adds would soon be more than it began with.
  if (size === one) rmSync(file, { force: true })
  if (!existsSync(file)) await fill(file, size)
  await using memory = await openMemory('sqlite', { file })
  console.log(size.name)
  const numbers = (await memory.services.projects.list(0, size.projects)).map(found => found.number)
  const project = numbers[0] as number
  const measured = new Map<string, Measured>()
  const source = texts(99)
  const { exact, recalling, memory: verbs } = memory.services
  const stored = await someDecisions(memory, project)
  for (const length of [1, 2, 4, 10]) {
    for (const kind of ['present', 'absent'] as const) {
      const keywords = Array.from({ length: ROUNDS }, () =>
        kind === 'present' ? presentKeyword(source, length, stored) : absentKeyword(source, length),
      )
      measured.set(
        `exact, ${length} characters, ${kind}`,
        await measure(keywords, word => exact.decisions({ project, keyword: word, before: undefined, limit: 30 })),
      )
    }
  }
  for (const language of ['en', 'ja'] as const) {
    const questions = Array.from({ length: ROUNDS }, () =>
      Array.from({ length: 6 }, () => source.word(language)).join(language === 'en' ? ' ' : 'を'),
    )
    measured.set(
      `recall, 6 words, ${language}`,
      await measure(questions, question => recalling.answer(project, { queries: [question], limit: 10 }, HUB)),
    )
  }
  const { id } = await verbs.addTopic(project, { title: 'bench', description: null, parentId: null }, HUB)
  const entries = Array.from({ length: ROUNDS * 2 }, () => source.record())
  measured.set('add-log with its index', await measure(entries, entry => verbs.addEntry(id, entry, HUB)))
  for (const [what, { p50, p95 }] of measured) console.log(`  ${what}: ${ms(p50)} / ${ms(p95)}`)
  return measured
}

/** Decisions, since both searches see them; thirty in a row to each project. Indexed as after an import. */
async function fill(file: string, { name, count, projects }: Size): Promise<void> {
  // Only what was filled to the end gets the name that is looked for.
  const unfinished = `${file}.unfinished`
  for (const left of [unfinished, `${unfinished}-wal`, `${unfinished}-shm`]) rmSync(left, { force: true })
  const started = process.cpuUsage()
  await fillOpen(await openMemory('sqlite', { file: unfinished }), count, projects)
  const { user, system } = process.cpuUsage(started)
  renameSync(unfinished, file)
  console.log(`filled ${name}: ${Math.round(count / ((user + system) / 1e6))} records per CPU second`)
}

async function fillOpen(memory: OpenMemory, count: number, projects: number): Promise<void> {
  await using opened = memory
  const { database } = opened
  const source = texts(7)
  const numbers: number[] = []
  for (let index = 0; index < projects; index += 1) numbers.push(await opened.project(`project ${index}`))
  for (let from = 0; from < count; from += BATCH)
    await database.tx(async tx => {
      const store = new MemoryStore(tx, database.search)
      for (let index = from; index < Math.min(count, from + BATCH); index += 1)
        await store.insertDecision({
          topicId: null,
          project: numbers[Math.floor(index / 30) % numbers.length] as number,
          decision: source.record(),
          reason: 'measured',
          supersedes: null,
          createdAt: Date.now(),
        })
    })
  let shown = Date.now()
  await opened.rebuild().run(({ done, total }) => {
    if (Date.now() - shown < 20_000) return
    shown = Date.now()
    console.log(`  ${done} of ${total}`)
  }, true)
}

/** Old ones and new ones, by chance. */
async function someDecisions(memory: OpenMemory, project: number): Promise<string[]> {
  const [newest] = await memory.services.memory.newestDecisions(project, undefined, 1)
  const source = texts(5)
  const found: string[] = []
  while (found.length < ROUNDS) {
    const before = Math.ceil(source.next() * ((newest?.id ?? 0) + 1))
    const [decision] = await memory.services.memory.newestDecisions(project, before, 1)
    if (decision) found.push(decision.decision)
  }
  return found
}

function presentKeyword(source: Texts, length: number, stored: readonly string[]): string {
  const text = stored[Math.floor(source.next() * stored.length)] as string
  const from = Math.floor(source.next() * (text.length - length))
  return text.slice(from, from + length).trim() || 'a'
}

/** Of characters that do occur, as far as that is possible. */
function absentKeyword(source: Texts, length: number): string {
  const rare = '鼕爨麤鬱籲'
  const piece = source.word('en').slice(0, Math.max(0, length - 1))
  return `${piece}${rare[Math.floor(source.next() * rare.length)]}`.padStart(length, 'qz').slice(-length)
}

async function measure<T>(inputs: readonly T[], work: (input: T) => Promise<unknown>): Promise<Measured> {
  // The first calls pay for compiled statements and warm pages.
  for (const input of inputs.slice(0, 5)) await work(input)
  const times: number[] = []
  for (const input of inputs.slice(5)) {
    const before = process.cpuUsage()
    await work(input)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return { p50: at(0.5), p95: at(0.95) }
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

function load(): string {
  return (loadavg()[0] as number).toFixed(1)
}
