import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.js'
import { FAST_SQL, SLOW_SQL, testFiles } from './scripts/tiers.js'

const FOLDERS = '{src,test,scripts,bench,web/src}/**'
// Real agent programs have a run of their own: `npm run test:clis`.
const ELSEWHERE = ['**/node_modules/**', 'test/clis/**']
/** What runs: `day`, `night` or `fast`, see scripts/tiers.js; all of everything when files are named. */
const TIER = process.env['TORYO_TEST_TIER'] ?? 'all'
const SLOW = /\.(slow|night)\.test\.ts$/
/**
 * Slow files that have a worker of their own: they change the environment, patch a module, or look at the memory, the time or the
 * descriptors of their own process. All others share workers, since loading the sources again costs more than most of them do.
 */
const ALONE = slowFiles([
  'src/client/state-file',
  'src/domains/memory/{exact,statements}',
  'src/domains/tabs/{encoder,message-api}',
  'src/domains/tabs/worktrees/unreadable',
  'src/domains/thread/{pull-watch,workspaces}',
  'src/kernel/git/own-objects',
  'src/kernel/processes/*',
  'src/kernel/terminals/viewer-connections',
  'src/runner/runner',
  'src/system/*',
  'test/attacks/frames',
  'test/{brute-force,linear-text,no-processes,quotas}',
])
/** Slow files that share workers in which a passkey costs what it costs people: hubs in other processes read its hash. */
const REAL = slowFiles([
  'src/domains/identity/tools/authenticate',
  'src/domains/runs/tools/run-agents',
  'src/domains/tabs/tools/{enter,launch-limits,messages}',
  'src/domains/tabs/worktrees/{in-use,worktrees}',
  'src/kernel/git/{changes,config-hooks,remembered}',
  'src/kernel/terminals/{host-link,host-terminals}',
  'test/attacks/!(frames)',
  'test/faults/*',
  'test/registration/*',
  'test/tokens',
])
/** By day all slow files but those that were chosen. */
const LEFT: readonly string[] = TIER === 'day' ? withoutChosen(JSON.parse(process.env['TORYO_TEST_SLOW'] ?? '[]')) : []

// The same dates on every machine. Neither UTC nor Japan's time, so that a zone that was forgotten or mixed up is seen. Set here:
// in a thread it is too late.
process.env['TZ'] = 'Asia/Kathmandu'

/** Longer on a machine that does much else: TORYO_TEST_PATIENCE=10 waits ten times as long. */
const MINUTE_MS = 60_000 * Number(process.env['TORYO_TEST_PATIENCE'] ?? 1)

const common = { environment: 'node', teardownTimeout: 60_000, ...within(MINUTE_MS) } as const

function slowFiles(names: readonly string[]): string[] {
  return names.map(name => `${name}.{slow,night}.test.ts`)
}

/** A test that fails does so within this time. One that needs longer says so itself, with the reason. */
function within(ms: number) {
  // One wait in a test, as in test/until.ts: less than a test's time, so that the failure names what was waited for. Without this
  // it gives up after one second.
  return { testTimeout: ms, hookTimeout: ms, expect: { poll: { timeout: MINUTE_MS * 0.9 } } }
}

const slow = {
  ...common,
  pool: 'forks',
  // Most of them wait for processes most of the time, and the checks take what is left. Each holds 300 MB, with a browser twice that.
  maxWorkers: Math.min(8, 2 * availableParallelism() + 1),
  sequence: { groupOrder: 2 },
} as const

// For the page's own files; all others have it from package.json. Projects do not inherit it.
const resolve = { alias: [{ find: /^#contract\//, replacement: `${import.meta.dirname}/src/contract/` }] }

const fast = {
  ...common,
  exclude: [...ELSEWHERE, '**/*.{slow,night}.test.ts'],
  setupFiles: ['test/no-processes.ts', 'test/cheap-passkeys.ts'],
  // One worker loads the sources once, not for each of its files.
  isolate: false,
  pool: 'threads',
  maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
  sequence: { groupOrder: 1 },
} satisfies TestProjectInlineConfiguration['test']

const CHEAP = { setupFiles: ['test/cheap-passkeys.ts'], isolate: false }
const FAST = [`${FOLDERS}/*.test.ts`]
const projects: TestProjectInlineConfiguration[] =
  {
    fast: [fastOn('sqlite', FAST)],
    // Repeats on PostgreSQL cost twice as much as on SQLite, so by day only where SQL is the subject.
    day: [fastOn('sqlite', FAST, FAST_SQL), fastOn('both', FAST_SQL), slowOnPostgres(SLOW_SQL), ...slowOn('sqlite')],
    // SQLite has been by day.
    night: [fastOn('postgres', loopingFiles(), FAST_SQL), ...slowOn('both')],
    all: [fastOn('both', FAST), ...slowOn('both')],
  }[TIER] ?? unknownTier()

export default defineConfig({
  test: {
    // For all projects, once. `npm run test:fast` needs none.
    globalSetup: TIER === 'fast' ? [] : ['test/postgres.ts'],
    sequence: { sequencer: LongestFirst },
    // What was transformed once is read from there until it changes.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    projects,
  },
})

type Databases = 'sqlite' | 'postgres' | 'both'

function fastOn(databases: Databases, include: readonly string[], without: readonly string[] = []) {
  const name = databases === 'sqlite' ? 'fast' : `fast on ${databases === 'both' ? 'both' : 'PostgreSQL'}`
  return {
    resolve,
    test: { ...fast, name, include: [...include], exclude: [...fast.exclude, ...without], ...on(databases) },
  }
}

function slowOnPostgres(include: string[]) {
  return { resolve, test: { ...slow, name: 'slow on PostgreSQL', include, ...CHEAP, ...on('postgres') } }
}

function slowOn(databases: Databases): TestProjectInlineConfiguration[] {
  const all = [`${FOLDERS}/*.{slow,night}.test.ts`]
  const kinds = [
    { name: 'slow', include: all, exclude: [...ELSEWHERE, ...ALONE, ...REAL, ...LEFT], ...CHEAP },
    { name: 'real', include: REAL, exclude: [...ELSEWHERE, ...LEFT], isolate: false },
    { name: 'alone', include: ALONE, exclude: [...ELSEWHERE, ...LEFT] },
  ]
  return kinds.map(kind => ({ resolve, test: { ...slow, ...kind, ...on(databases) } }))
}

/** What `databases` of test/hub.ts are there. */
function on(databases: Databases) {
  return { env: { TORYO_TEST_DATABASES: databases } }
}

function withoutChosen(files: readonly string[]): string[] {
  return testFiles().filter(file => SLOW.test(file) && !files.includes(file))
}

/** The fast files that loop over both databases. */
function loopingFiles(): string[] {
  const files = testFiles().filter(file => !SLOW.test(file))
  return files.filter(file => /\bdatabases\b/.test(readFileSync(file, 'utf8')))
}

function unknownTier(): never {
  throw new Error(`TORYO_TEST_TIER=${TIER} is not a tier: day, night or fast.`)
}
