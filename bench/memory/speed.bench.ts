// What memory costs as it grows, beside the same work at 1,000 rows. CPU ms of this process (SQLite runs in it), and with
// `--database postgres` of a server that is started for it as well.
// `npm run bench -- memory/speed --rows 1000000 --keep <folder>` for the size that the targets name: nearly all of the time
// is filling, and a second run finds what the first one filled (SQLite).
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { HUB } from '#hub/own-caller.ts'
import { openMemory, type OpenMemory } from '#test/memory.ts'
import { startPostgres } from '#test/postgres.ts'
import { atMost, type Figure, report } from '../report.ts'
import { type CpuClock, cpuWithServer, ownCpu } from './cpu.ts'
import { fill } from './fill.ts'
import { absentKeyword, presentKeyword, someDecisions } from './keywords.ts'
import { texts } from './texts.ts'

const option = (name: string) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const rows = Number(option('--rows')) || 20_000
const kind = option('--database') === 'postgres' ? 'postgres' : 'sqlite'
const PROJECTS = 50
const ROUNDS = 200
/** The targets name 1, 2, 4 and 10. */
const LENGTHS = [1, 2, 4, 6, 10, 24]

type Measured = { p50: number; p95: number }
type Size = { name: string; count: number; projects: number }

const kept = option('--keep')
const folder = kept ?? mkdtempSync(join(tmpdir(), 'toryo-bench-'))
mkdirSync(folder, { recursive: true })
const server = kind === 'postgres' ? await startPostgres() : undefined

console.log(`${kind}, rows ${rows}, node ${process.version}, icu ${process.versions.icu}; CPU ms; load ${load()}`)
const one: Size = { name: '1,000 rows', count: 1_000, projects: 1 }
// Twice: the first pays for code that is not compiled yet, which would flatter every ratio.
await measureAll(one)
const small = await measureAll(one)
const spread = await measureAll({ name: `${rows} rows over ${PROJECTS} projects`, count: rows, projects: PROJECTS })
const single = await measureAll({ name: `${rows} rows in one project`, count: rows, projects: 1 })
await server?.stop()
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
report(`memory on ${kind}, ${rows} rows, load ${load()}`, gates())

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
  await using memory = await filled(size)
  console.log(size.name)
  const numbers = (await memory.services.projects.list(0, size.projects)).map(found => found.number)
  const project = numbers[0] as number
  const measured = new Map<string, Measured>()
  const clock = () => (server ? cpuWithServer(basename(memory.database.label)) : ownCpu)
  const source = texts(99)
  const { exact, recalling, memory: verbs } = memory.services
  const stored = await someDecisions(memory, project, ROUNDS)
  for (const length of LENGTHS) {
    for (const kind of ['present', 'absent'] as const) {
      const keywords = Array.from({ length: ROUNDS }, () =>
        kind === 'present' ? presentKeyword(source, length, stored) : absentKeyword(source, length),
      )
      measured.set(
        `exact, ${length} characters, ${kind}`,
        await measure(clock, keywords, word =>
          exact.decisions({ project, keyword: word, before: undefined, limit: 30 }),
        ),
      )
    }
  }
  for (const language of ['en', 'ja'] as const) {
    const questions = Array.from({ length: ROUNDS }, () =>
      Array.from({ length: 6 }, () => source.word(language)).join(language === 'en' ? ' ' : 'を'),
    )
    measured.set(
      `recall, 6 words, ${language}`,
      await measure(clock, questions, question => recalling.answer(project, { queries: [question], limit: 10 }, HUB)),
    )
  }
  const { id } = await verbs.addTopic(project, { title: 'bench', description: null, parentId: null }, HUB)
  const entries = Array.from({ length: ROUNDS * 2 }, () => source.record())
  measured.set('add-log with its index', await measure(clock, entries, entry => verbs.addEntry(id, entry, HUB)))
  for (const [what, { p50, p95 }] of measured) console.log(`  ${what}: ${ms(p50)} / ${ms(p95)}`)
  return measured
}

async function filled(size: Size): Promise<OpenMemory> {
  const { name, count, projects } = size
  const started = ownCpu()
  const done = () =>
    console.log(`filled ${name}: ${Math.round((count / (ownCpu() - started)) * 1000)} records per CPU second`)
  if (server) {
    const memory = await openMemory('postgres', { postgresUrl: server.url })
    await fill(memory, count, projects)
    done()
    return memory
  }
  const file = join(folder, `memory-${count}-${projects}.db`)
  // What every run adds would soon be more than it began with.
  if (size === one) rmSync(file, { force: true })
  if (existsSync(file)) return openMemory('sqlite', { file })
  // Only what was filled to the end gets the name that is looked for.
  const unfinished = `${file}.unfinished`
  for (const left of [unfinished, `${unfinished}-wal`, `${unfinished}-shm`]) rmSync(left, { force: true })
  {
    await using memory = await openMemory('sqlite', { file: unfinished })
    await fill(memory, count, projects)
  }
  renameSync(unfinished, file)
  done()
  return openMemory('sqlite', { file })
}

async function measure<T>(
  clock: () => CpuClock,
  inputs: readonly T[],
  work: (input: T) => Promise<unknown>,
): Promise<Measured> {
  // The first calls pay for compiled statements, warm pages and connections.
  for (const input of inputs.slice(0, 5)) await work(input)
  const cpu = clock()
  const times: number[] = []
  for (const input of inputs.slice(5)) {
    const before = cpu()
    await work(input)
    times.push(cpu() - before)
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
