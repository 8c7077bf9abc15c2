// The whole way: two agents that only the hub's own Runner starts, three tasks, a check, and each kind of coming back.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Repo } from './git.ts'
import { databases } from './hub.ts'
import { type Yard, yard } from './runner.ts'
import { type TableRows, rowsOf } from './scene.ts'
import { markedProcesses } from './scripted.ts'
import { until } from './until.ts'

const project_id = 'prj_shop'
const CHECK = `
const fs = require('fs')
if (fs.existsSync('cart.js')) {
  const got = require('./cart.js')(2, 2)
  if (got !== 4) { console.error('expected 4, got ' + got); process.exit(1) }
}
if (fs.existsSync('till.js')) require('./till.js')
console.log('all good')
`

const CART = '/"title":"Cart"/'
const SIGN = '/"title":"Sign"/'
const RETURNED = '/"returned"/'
const CONFLICT = '/"why":"conflict"/'
const CHANGES = '/"why":"changes"/'
const git = 'git -c user.name=ann -c user.email=ann@example.org'

const ANN = [
  `unless ${RETURNED} when ${CART} write cart.js module.exports = (a, b) => a + b + 1`,
  `unless ${RETURNED} when ${CART} write sign.txt cart`,
  // Known to it only from what the check wrote.
  `when /expected 4, got 5/ write cart.js module.exports = (a, b) => a + b`,
  `unless ${RETURNED} when ${SIGN} write sign.txt open`,
  `when ${CONFLICT} shell ${git} add -A; ${git} commit -q -m mine; ${git} merge -q main`,
  `when ${CONFLICT} write sign.txt cart, open`,
  `when ${CONFLICT} shell ${git} add -A; ${git} commit -q -m resolved`,
]
const BOB = [
  `unless ${RETURNED} write till.js module.exports = require('./cart.js')(1, 1)`,
  `when ${CHANGES} write till.js exports.total = require('./cart.js')(1, 1)`,
]

function script(name: string, steps: readonly string[]): string {
  const report = { session_token: '$SESSION', result: 'success', summary: `${name} did it` }
  const answers = [{ comment_id: '$COMMENT', answer: 'Exported by name' }]
  return [
    `call authenticate ${JSON.stringify({ agent_id: `agt_${name}`, project_id })}`,
    'call get_my_task {"session_token":"$SESSION"}',
    ...steps,
    `when ${CHANGES} call report_completed ${JSON.stringify({ ...report, answers })}`,
    `unless ${CHANGES} call report_completed ${JSON.stringify(report)}`,
  ]
    .map(step => `!${step}`)
    .join('\n')
}

async function open(place: Yard, accept: 'person' | 'checks'): Promise<Repo> {
  const { hub } = place
  const repo = new Repo(path.join(hub.home, 'shop')).init()
  repo.write('sign.txt', 'closed\n')
  repo.write('check.js', CHECK)
  repo.commit('base')
  await hub.api('project.add', { id: project_id, name: 'shop', directory: repo.root, workspace: 'task', accept })
  await hub.api('project.check.add', { project_id, name: 'test', command: [process.execPath, 'check.js'] })
  for (const [name, steps] of Object.entries({ ann: ANN, bob: BOB })) {
    const agent = { id: `agt_${name}`, name, engine: 'scripted', system_prompt: script(name, steps) }
    await hub.api('agent.add', agent)
    await hub.api('project.assign', { project_id, agent_id: agent.id })
  }
  const add = (title: string, agent: string, after: string[] = []) =>
    hub.api('task.add', { project_id, title, assignee_id: `agt_${agent}`, status: 'in_progress', depends_on: after })
  await add('Cart', 'ann')
  await add('Till', 'bob', ['shop-1'])
  await add('Sign', 'ann')
  return repo
}

const show = (place: Yard, task_id: string) => place.hub.api('task.show', { task_id })
const reached = (place: Yard, task_id: string, stage: string) =>
  until(async () => {
    const task = await show(place, task_id)
    if (task.stage === 'blocked') throw new Error(`${task_id}: ${task.blocked_reason}`)
    return task.stage === stage && task
  })
const accept = (place: Yard, task_id: string) => place.hub.api('task.verdict', { task_id, decision: 'accept' })
const TASKS = ['shop-1', 'shop-2', 'shop-3']

// Six tasks' worth of agents, checks and merges, each of them a process: minutes where much else runs.
const LONG = { timeout: 240_000 }

test.each(databases)(
  'three tasks of two agents become merged commits, reviewed by a person (%s)',
  LONG,
  async database => {
    await using place = await yard({ database })
    const repo = await open(place, 'person')
    const { hub } = place

    await reached(place, 'shop-1', 'review')
    await reached(place, 'shop-3', 'review')
    expect(await show(place, 'shop-2')).toMatchObject({ stage: 'waiting', executions: [] })
    await accept(place, 'shop-1')
    await reached(place, 'shop-1', 'merged')

    await accept(place, 'shop-3')
    await until(async () => (await show(place, 'shop-3')).stage !== 'queued')
    await reached(place, 'shop-3', 'review')
    await accept(place, 'shop-3')
    await reached(place, 'shop-3', 'merged')

    const { workspace } = await reached(place, 'shop-2', 'review')
    await hub.api('task.comment', { task_id: 'shop-2', path: 'till.js', from_line: 1, text: 'Export it by name' })
    await hub.api('task.verdict', { task_id: 'shop-2', decision: 'changes', summary: 'Almost' })
    await reached(place, 'shop-2', 'review')
    const { comments, diff } = await hub.api('task.review', { task_id: 'shop-2' })
    expect(comments).toMatchObject([{ path: 'till.js', text: 'Export it by name', answer: 'Exported by name' }])
    expect(diff).toContain('+exports.total')
    await accept(place, 'shop-2')
    await reached(place, 'shop-2', 'merged')

    await hasCome(place, repo)
    expect(repo.git('log', '--first-parent', '--format=%s', 'main').trim().split('\n')).toEqual([
      'Merge shop-2: Till',
      'Merge shop-3: Sign',
      'Merge shop-1: Cart',
      'base',
    ])
    expect(fs.existsSync(workspace?.path ?? '')).toBe(false)
    const rows = await rowsOf(hub)
    expect(storyOf(rows, 'shop-1')).toEqual([
      'taken',
      'failed',
      'checks',
      'taken',
      'passed',
      'verified',
      'accept',
      'merged',
    ])
    expect(storyOf(rows, 'shop-2')).toEqual([
      ...['taken', 'passed', 'verified', 'changes', 'changes'],
      ...['taken', 'passed', 'verified', 'accept', 'merged'],
    ])
    expect(storyOf(rows, 'shop-3')).toEqual([
      ...['taken', 'passed', 'verified', 'accept', 'conflict', 'conflict'],
      ...['taken', 'passed', 'verified', 'accept', 'merged'],
    ])
    expect(rows['verdicts']?.map(({ decision }) => decision)).toEqual([
      'accept',
      'accept',
      'accept',
      'changes',
      'accept',
    ])
  },
)

test('with the policy checks three tasks of two agents are merged without a person', LONG, async () => {
  await using place = await yard()
  const repo = await open(place, 'checks')
  for (const task of TASKS) await reached(place, task, 'merged')
  await hasCome(place, repo)
  const rows = await rowsOf(place.hub)
  expect(rows['verdicts']?.every(({ author }) => author === 'policy')).toBe(true)
  const all = TASKS.flatMap(task => storyOf(rows, task))
  expect(all).toContain('failed')
  expect(all).toContain('conflict')
})

/** All of it is on the base and in the user's own checkout, with evidence, and nothing is left lying or running. */
async function hasCome(place: Yard, repo: Repo): Promise<void> {
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(fs.readFileSync(repo.at('sign.txt'), 'utf8')).toBe('cart, open\n')
  expect(fs.readFileSync(repo.at('cart.js'), 'utf8')).toBe('module.exports = (a, b) => a + b\n')
  expect(fs.readFileSync(repo.at('till.js'), 'utf8')).toContain("require('./cart.js')(1, 1)")
  expect(repo.git('fsck', '--no-dangling', '--no-progress')).toBe('')
  for (const task of TASKS) {
    const shown = await until(async () => {
      const now = await show(place, task)
      return now.workspace?.released && now
    })
    expect(shown.status).toBe('done')
    expect(fs.existsSync(shown.workspace?.path ?? '')).toBe(false)
    const branch = shown.workspace?.branch ?? ''
    // All that it had is merged; the snapshot has a ref of its own.
    await until(() => repo.git('for-each-ref', `refs/heads/${branch}`) === '')
    expect(repo.git('for-each-ref', `refs/toryo/snapshots/${shown.snapshots[0]?.snapshot_id}`)).not.toBe('')
    const passed = shown.evidence.filter(({ outcome }) => outcome === 'passed')
    expect(passed.some(({ tree }) => tree === shown.snapshots[0]?.tree)).toBe(true)
    const [merge] = (await place.hub.api('merge.list', { ended: true })).merges.filter(({ handle }) => handle === task)
    expect(merge).toMatchObject({ outcome: 'merged', base: 'main' })
    repo.git('merge-base', '--is-ancestor', String(merge?.commit), 'main')
  }
  const { worktrees } = await place.hub.api('worktree.list', { trashed: true })
  expect(worktrees.filter(({ branch }) => branch?.startsWith('toryo/shop-'))).toHaveLength(3)
  await until(() => markedProcesses(place.hub.home).length === 0)
  const rows = await rowsOf(place.hub)
  expect(rows['slots']).toEqual([])
  expect(rows['merges']?.filter(row => row['ended_at'] === null)).toEqual([])
  expect(rows['evidence']?.filter(row => row['ended_at'] === null)).toEqual([])
}

const WORDS: Record<string, (payload: Record<string, unknown>) => string> = {
  'snapshot.taken': ({ cause }) => (cause === 'report' ? 'taken' : String(cause)),
  'check.ended': ({ outcome }) => String(outcome),
  'task.verified': () => 'verified',
  'task.returned': ({ why }) => String(why),
  'verdict.given': ({ decision }) => String(decision),
  'merge.ended': ({ outcome }) => String(outcome),
}

/** What happened to one task, in the order of the events. */
function storyOf(rows: TableRows, handle: string): string[] {
  const number = Number(handle.replace('shop-', ''))
  const task = rows['tasks']?.find(row => row['number'] === number)
  const events = [...(rows['events'] ?? [])].sort((a, b) => Number(a['seq']) - Number(b['seq']))
  const story = events.flatMap(row => {
    const payload = JSON.parse(String(row['payload'])) as Record<string, unknown>
    const word = WORDS[String(row['type'])]
    return word && payload['taskId'] === task?.['id'] ? [word(payload)] : []
  })
  // The merged tree is checked again only where the base had moved meanwhile.
  return story.filter((word, at) => word !== 'passed' || story[at + 1] !== 'merged')
}
