// Which test files run by day (`npm test`, five minutes) and which at night (`npm run test:night`). The name of a file says most:
// *.test.ts by day · *.slow.test.ts by day when it proves a promise or imports what changed · *.night.test.ts at night.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { importsIn } from './imports-in.js'
import { ROOT } from './sources.js'

/** Each promise of the README, by the words in bold that it begins with, and the slow files that find a fault in it by day. */
export const PROMISES = /** @type {Record<string, string[]>} */ ({
  'An answer means it is on disk.': ['test/faults/hub-killed', 'src/bridge/relay', 'test/faults/full-disk'],
  'One instance per agent and project.': ['src/domains/identity/tools/authenticate', 'src/runner/runner'],
  'Nothing runs unseen.': [
    'src/kernel/processes/reclaim',
    'src/kernel/processes/stop',
    'test/faults/hub-killed-with-runs',
    'test/tab-terminal',
  ],
  'The connection says who you are.': ['test/impersonation', 'test/inside-a-tab'],
  'A damaged, foreign or newer database is refused with a sentence, and left as it is.': [
    'test/faults/damaged-database',
    'test/faults/newer-schema',
  ],
  'Reported work is not lost, and a base is never half moved.': [
    'src/kernel/git/snapshot',
    'src/kernel/git/base',
    'test/faults/base-killed',
    'src/domains/thread/merging',
    'src/domains/thread/verified',
  ],
  'Your config files stay yours.': ['test/registration/files', 'test/registration/programs'],
  'Only this machine, unless you say otherwise.': ['test/attacks/http', 'test/attacks/beyond-loopback'],
  'No calls home.': ['test/calls-home'],
  // What the pages before that list say.
  'From a task to a merged change': ['test/thread', 'test/readme', 'src/hub/workspaces-runner'],
  'PostgreSQL for a team': ['src/kernel/db/dial', 'src/kernel/search/postgres-tidy'],
  'The dashboard': ['test/web/behaviour', 'test/web/review'],
  'The command line': ['test/cli', 'src/domains/tabs/tools/gwt-launch-agent'],
})

/** Each store, by domain, and the file that finds a fault in its SQL on PostgreSQL by day. */
export const STORES = /** @type {Record<string, string>} */ ({
  'identity/agent-store': 'src/domains/identity/tools/should-start',
  'identity/instance-store': 'src/runner/task-leaves.slow',
  'identity/store': 'src/domains/identity/tools/should-start',
  'memory/decision-task-store': 'src/domains/memory/recall',
  'memory/index-store': 'src/domains/memory/append-only',
  'memory/store': 'src/domains/memory/recall',
  'phases/store': 'src/domains/phases/steering',
  'projects/due-store': 'test/trust.slow',
  'projects/handoff-store': 'test/life-of-a-task',
  'projects/link-store': 'src/domains/projects/links',
  'projects/note-store': 'test/life-of-a-task',
  'projects/pass-store': 'src/domains/projects/moving.slow',
  'projects/plan-store': 'src/domains/projects/moving.slow',
  'projects/project-store': 'src/domains/projects/finding',
  'projects/task-store': 'src/domains/projects/order',
  'runs/crew-run-store': 'src/hub/work.slow',
  'runs/crew-store': 'src/hub/work.slow',
  'runs/started-run-store': 'src/hub/work.slow',
  'runs/task-run-store': 'src/runner/task-leaves.slow',
  'tabs/store': 'src/domains/tabs/tools/conversation.slow',
  'tabs/worktrees/store': 'src/domains/tabs/tools/conversation.slow',
  'thread/asked-review-store': 'src/domains/thread/agent-review.slow',
  'thread/check-store': 'src/domains/thread/checks',
  'thread/evidence-store': 'src/domains/thread/two-reviewers.slow',
  'thread/forget-store': 'src/domains/thread/reported-branch.slow',
  'thread/merges-store': 'src/domains/thread/two-reviewers.slow',
  'thread/overlap-store': 'src/domains/thread/review-diff.slow',
  'thread/pull-store': 'src/domains/thread/two-reviewers.slow',
  'thread/review-store': 'src/domains/thread/review-diff.slow',
  'thread/snapshot-store': 'src/domains/thread/two-reviewers.slow',
  'thread/workspace-store': 'src/domains/thread/two-reviewers.slow',
  'trust/store': 'test/trust.slow',
})

/** Where SQL is the subject: on PostgreSQL by day, too. All others that loop over `databases` do so at night. */
const SQL = [
  'src/kernel/**/*.test.ts',
  'src/domains/*/schema.test.ts',
  'src/domains/runs/pauses.test.ts',
  'src/domains/thread/merge-api.test.ts',
  'src/hub/directory-api.test.ts',
  ...new Set(Object.values(STORES).map(name => `${name}.test.ts`)),
]
const NAMED_SLOW = /\.slow\.test\.ts$/
export const FAST_SQL = SQL.filter(name => !NAMED_SLOW.test(name))
export const SLOW_SQL = SQL.filter(name => NAMED_SLOW.test(name))

/** A file that so many slow ones import is what tests share: by day they would take longer than all else. */
const SHARED = 8

/** @typedef {{ files: string[], left: string[] }} Choice what runs by day, and a sentence for each file whose tests are left to the night */

/** The slow files that run by day. @param {readonly string[]} [changed] @returns {Choice} */
export function slowByDay(changed = changedFiles()) {
  const promised = Object.values(PROMISES).flatMap(names => names.map(name => `${name}.slow.test.ts`))
  const slow = testFiles().filter(file => file.endsWith('.slow.test.ts'))
  const importers = /** @type {Map<string, string[]>} */ (new Map())
  for (const file of slow)
    for (const imported of importedBy(file)) importers.set(imported, [...(importers.get(imported) ?? []), file])
  const left = changed.filter(file => (importers.get(file)?.length ?? 0) > SHARED)
  const concerned = changed.flatMap(file => (left.includes(file) ? [] : (importers.get(file) ?? [])))
  // Its own, and the one beside a source, which may go through the front door and import nothing of it.
  const own = changed
    .flatMap(file => [file, file.replace(/\.[jt]sx?$/, '.slow.test.ts')])
    .filter(file => slow.includes(file))
  return {
    files: [...new Set([...promised, ...own, ...concerned])].sort(),
    left: left.map(
      file => `${file} changed; the ${importers.get(file)?.length} slow files that import it run at night`,
    ),
  }
}

/** Since the branch left the main one, saved or not. None where there is no git to ask. */
export function changedFiles() {
  const main = ['origin/HEAD', 'origin/main', 'main'].find(name =>
    git('rev-parse', '-q', '--verify', `${name}^{commit}`),
  )
  const base = main === undefined ? undefined : git('merge-base', 'HEAD', main)?.trim()
  const lists = [
    git('diff', '--name-only', '-z', '--no-renames', base ?? 'HEAD'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
  const names = lists.flatMap(list => list?.split('\0') ?? [])
  return [...new Set(names)].filter(name => name !== '' && fs.existsSync(path.join(ROOT, name))).sort()
}

/** @returns {string[]} */
export function testFiles() {
  const names = ['src', 'test', 'scripts', 'bench', 'web/src'].flatMap(folder =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map(name => path.posix.join(folder, name.split(path.sep).join('/'))),
  )
  return names.filter(name => name.endsWith('.test.ts') && !name.includes('node_modules')).sort()
}

/** @param {string} file a test @returns {string[]} the files of this project that it names itself */
function importedBy(file) {
  const source = fs.readFileSync(path.join(ROOT, file), 'utf8')
  return importsIn(source).flatMap(({ specifier }) => {
    if (specifier.startsWith('.')) return [path.posix.join(path.posix.dirname(file), specifier)]
    const [zone = '', ...rest] = specifier.split('/')
    if (!zone.startsWith('#')) return []
    return [path.posix.join(zone === '#test' ? 'test' : `src/${zone.slice(1)}`, ...rest)]
  })
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  return status === 0 ? stdout : undefined
}
