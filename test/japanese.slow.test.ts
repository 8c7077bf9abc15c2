// What the command line says in Japanese is Japanese: states, times and the joints of sentences, whatever it shows. Values that can be
// typed stay as they are inside of commands.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '#cli/catalogue.gen.ts'
import { runCli } from '#cli/run.ts'
import { CREW_MODES, ReportStatus, RUN_STATUSES } from '#contract/crews.ts'
import { OUTCOMES, PhaseStatus } from '#contract/phases.ts'
import { Priority, Stage, TaskStatus } from '#contract/projects.ts'
import { CrewRunStatus } from '#contract/records.ts'
import { MessageState, TAB_ENDS, TabStatus } from '#contract/tabs.ts'
import { EvidenceOutcome, MergeOutcome } from '#contract/thread.ts'
import { ChangedFileView, SetupState, WorktreeState } from '#contract/worktrees.ts'
import { STAGE_JA, STATE_JA } from '#contract/state-words.ts'
import { fakeIo } from './fake-io.ts'
import { inShop, put, reached, report, type Shop } from './thread.ts'
import { until } from './until.ts'

const STATES: readonly string[] = [
  ...TaskStatus.options,
  ...Stage.options,
  ...Priority.options,
  ...RUN_STATUSES,
  ...ReportStatus.options,
  ...CrewRunStatus.options,
  ...CREW_MODES,
  ...PhaseStatus.options,
  ...OUTCOMES,
  ...TabStatus.options,
  ...TAB_ENDS,
  ...MessageState.options,
  ...EvidenceOutcome.options,
  ...MergeOutcome.options,
  ...WorktreeState.options,
  ...SetupState.options,
  ...ChangedFileView.shape.status.options,
  ...['active', 'enabled', 'disabled', 'archived', 'revoked', 'paused', 'missing', 'asked'],
]

/** Commands, options, paths, ids, addresses and what is quoted. */
const TYPED =
  /`[^`]*`|toryo(?: [\w"…<>/:.#-]+)+|--[\w-]+|(?:~|\.)?\/\S+|\S+:\/\/\S+|\b(?:agt|evd|exec|prj|run|tsk|wt)_\S+|"[^"]*"/g
const KANA = '[\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Han}]'
const JOINT = new RegExp(`${KANA}[」)]?[.;](?:\\s|$)|[.;] ?${KANA}`, 'u')

/** Lines with a word that only programs exchange, or with an English joint. */
function english(text: string): string[] {
  return text.split('\n').filter(line => {
    const said = line.replace(TYPED, ' ')
    const words = said.match(/(?<![\w-])[a-z][\w-]*(?![\w-])/gi) ?? []
    return words.some(word => STATES.includes(word)) || JOINT.test(said) || /\d ?(?:s|min|h|m)(?![\w/])/.test(said)
  })
}

test.each([
  ['a state', 'shop-1 は in_progress です', 1],
  ['a joint', '失敗しました; 再開します', 1],
  ['a full stop', '失敗しました. 再開します', 1],
  ['a time', '残り 29 s', 1],
  ['a command', '`toryo task list --status blocked` を実行してください。', 0],
  ['a Japanese sentence', 'shop-1 は「進行中」です。残り 29 秒', 0],
])('finds %s', (_, line, count) => {
  expect(english(line)).toHaveLength(count)
})

test.each(STATES)('the state %s has a Japanese word', state => {
  expect({ ...STAGE_JA, ...STATE_JA }[state] ?? state).toMatch(new RegExp(KANA, 'u'))
})

/** What shows something, and with which words it is called here. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'agent list': [''],
  'agent show': ['agt_kim'],
  'crew list': [''],
  doctor: [''],
  'engine list': [''],
  inbox: [''],
  'memory list': ['--project prj_shop'],
  'memory decisions': ['--project prj_shop'],
  overlaps: [''],
  'phase history': ['prj_shop'],
  'phase status': ['prj_shop'],
  'project check list': ['--project prj_shop'],
  'project list': [''],
  'project show': ['prj_shop'],
  queue: [''],
  'run list': [''],
  'run show': ['$run', '$evidence'],
  'runner list': [''],
  status: [''],
  'tab list': [''],
  'tab worktrees': [''],
  'task list': [''],
  'task show': ['shop-1', 'shop-2', 'shop-3', 'shop-4'],
  'task review': ['shop-1'],
  'task tree': ['--project prj_shop'],
  'token list': [''],
}

/** Nothing of a state is in them, or they need a terminal of their own. */
const ELSEWHERE = /^(?:crew show|phase prompt|tab show)/

test('every command that lists or shows something is looked at', () => {
  const shows = catalogue.flatMap(({ path: words, load }) =>
    load && /(?:^| )(?:list|show|tree|history|status)$/.test(words) ? [words] : [],
  )
  expect(shows.filter(words => !(words in SHOWN) && !ELSEWHERE.test(words))).toEqual([])
})

test('what the command line shows in Japanese has no English state, joint or time in it', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    const ids = await furnish(shop)
    const token = path.join(shop.yard.home, 'token')
    fs.writeFileSync(token, hub.token, { mode: 0o600 })
    const found: string[] = []
    let lines = 0
    for (const [words, all] of Object.entries(SHOWN))
      for (const rest of all) {
        const env = {
          HOME: shop.yard.home,
          PATH: process.env['PATH'] ?? '',
          TORYO_HOME: path.join(shop.yard.home, 'toryo'),
        }
        const io = fakeIo({ env, lang: 'ja', width: 200, cwd: shop.repo.root, now: Date.now() })
        const given = rest.replace(/\$(\w+)/, (_, name: string) => ids[name] ?? '')
        const line = [...words.split(' '), ...given.split(' ').filter(Boolean), '--url', hub.url, '--token-file', token]
        const code = await runCli(line, io, { hubProgram: '/nowhere/hub.js', version: '0' })
        const text = `${io.out()}${io.err()}`
        if (words !== 'doctor') expect(code, `${words} ${given}: ${text}`).toBe(0)
        lines += text.split('\n').length
        found.push(...english(text).map(one => `${words} ${given}: ${one}`))
      }
    expect(found).toEqual([])
    expect(lines).toBeGreaterThan(150)
  })
})

/** Tasks of each kind: in review with a failed and a passed check, waiting, asked, merged; a crew; a phase. */
async function furnish(shop: Shop): Promise<Record<string, string>> {
  const { hub, path: folder } = shop
  const project_id = 'prj_shop'
  await hub.api('project.check.add', { project_id, name: 'unit', command: ['sh', '-c', 'test -f good'] })
  put(folder, 'cart', 'x')
  await report(shop)
  await until(async () => (await hub.api('task.show', { task_id: 'tsk_cart' })).returned)
  put(folder, 'good', 'x')
  await report(shop)
  await reached(hub, 'review')
  const add = (id: string, title: string, more: object = {}) => hub.api('task.add', { project_id, id, title, ...more })
  await add('tsk_next', '次の作業', { depends_on: ['tsk_cart'], priority: 'urgent' })
  await add('tsk_asked', '質問のある作業')
  await hub.api('task.move', { task_id: 'tsk_asked', status: 'blocked', reason: 'どの色にしますか' })
  await add('tsk_other', '別の作業', { priority: 'low', parent_id: 'tsk_next' })
  await hub.api('phase.start', { project_id })
  const evidence = (await hub.api('task.show', { task_id: 'tsk_cart' })).evidence[0]?.evidence_id ?? ''
  const run = (await hub.api('task.show', { task_id: 'tsk_cart' })).executions[0]?.execution_id ?? ''
  return { evidence, run }
}
