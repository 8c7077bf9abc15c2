// What the agents of the demo do for the tasks of the demo, and for one that a newcomer adds. Files and lines are those of shop.ts.
import type { Returned } from '#contract/thread.ts'
import { TASKS } from '../scene.ts'
import type { Hand } from './hand.ts'

export type Assignment = {
  taskId: string
  title: string
  projectId: string
  returned: Returned | undefined
  /** The decisions that came with it, as text. */
  told: string
}

export type Report = { summary: string; answers?: { comment_id: string; answer: string }[]; decisions?: number[] }

type Act = (hand: Hand, assignment: Assignment) => Promise<Report>

export function actFor({ taskId, returned }: Assignment): Act {
  if (returned?.why === 'changes') return obey
  const acts: Record<string, Act> = {
    [TASKS.prices]: prices,
    [TASKS.rounding]: returned ? fixRounding : rounding,
    [TASKS.labels]: labels,
    [TASKS.login]: login,
    [TASKS.release]: release,
  }
  return acts[taskId] ?? note
}

/** Aoi. */
async function prices(hand: Hand, { projectId, taskId }: Assignment): Promise<Report> {
  await hand.say('Prices are decimal numbers today: 12.8 * 3 is 38.400000000000006. I look at what was decided before.')
  const found = await hand.call('recall', { project_id: projectId, queries: ['prices decimal', '価格 小数'] })
  const old = decisionIn(found.body, 'Prices are decimal numbers')
  await hand.read('src/price.js')
  await hand.say('I store every price as an integer, in the smallest unit of the currency.')
  await hand.edit('src/price.js', 'tea: 12.8, cup: 24.5, kettle: 98.0', 'tea: 1280, cup: 2450, kettle: 9800')
  await hand.edit('src/price.js', 'in yen, as decimal numbers', 'in the smallest unit of the currency, as integers')
  await hand.edit(
    'test/price.test.js',
    "test('an unknown item",
    `test('every price is an integer', () => {
  for (const id of ['tea', 'cup', 'kettle']) assert.ok(Number.isInteger(priceOf(id)), id)
})

test('an unknown item`,
  )
  const decided = await hand.call('add-decision', {
    project_id: projectId,
    decision: INTEGERS,
    reason: 'Sums of decimal numbers are not exact: 12.8 * 3 is 38.400000000000006.',
    ...(old !== undefined && { supersedes: old }),
    // Ren sums them up, and is to know.
    task_ids: [taskId, TASKS.rounding],
  })
  const done = {
    decided: 'integers',
    changed: ['src/price.js', 'test/price.test.js'],
    left: ['labels in the catalogue'],
  }
  const checkpoint = { checkpoint: 'prices are integers', data: done }
  await hand.call('save_phase_result', { project_id: projectId, phase: 'phase2', result: checkpoint })
  const { passed } = await hand.test()
  await hand.call('save_context', { task_id: taskId, progress: 'Prices and their test are changed.' })
  await hand.say(`${passed} tests pass here. I report.`)
  const number = decided.body['decision_id']
  return {
    summary:
      'Prices are integers now, in the smallest unit of the currency, so that sums are exact. One test was added. Look at src/price.js first.',
    ...(typeof number === 'number' && { decisions: [number] }),
  }
}

/** Ren. The first try is wrong, and the project's check finds it. */
async function rounding(hand: Hand): Promise<Report> {
  await hand.say('仕様を確認します。')
  await hand.read('docs/仕様.md')
  await hand.read('src/cart.js')
  await hand.say('合計の端数処理を roundYen に分け、仕様の例をテストにします。')
  await hand.edit('src/cart.js', TOTAL, ROUNDED_DOWN)
  await hand.edit('src/cart.js', 'export class Cart', `${ROUND_DOWN}\n\nexport class Cart`)
  await hand.edit('test/cart.test.js', 'import { Cart }', 'import { Cart, roundYen }')
  await hand.edit('test/cart.test.js', "test('an empty cart", `${ROUND_TEST}\n\ntest('an empty cart`)
  await hand.pause(3)
  return { summary: '合計金額の端数処理を追加しました。仕様の例をテストにしています。' }
}

async function fixRounding(hand: Hand, { told }: Assignment): Promise<Report> {
  if (told.includes(INTEGERS)) await hand.say('価格を整数にする決定を受け取りました。合計の端数処理には影響しません。')
  await hand.say('チェックが失敗しました。99.5 円は 100 円になるべきところ、切り捨てていました。四捨五入に直します。')
  await hand.edit('src/cart.js', 'Math.floor(amount)', 'Math.round(amount)')
  const { passed, failed } = await hand.test()
  await hand.say(`テスト: 成功 ${passed}、失敗 ${failed}。もう一度報告します。`)
  return { summary: '端数を切り捨てていた誤りを、仕様どおり四捨五入に直しました。テストはすべて通ります。' }
}

/** Mika, once the prices are accepted. */
async function labels(hand: Hand): Promise<Report> {
  await hand.say('The prices that I waited for are accepted. I write how they are shown.')
  await hand.read('src/catalogue.js')
  await hand.edit(
    'src/catalogue.js',
    'export function names()',
    `/** \`¥1,280\`: as people read a price. */
export function labelOf(amount) {
  return \`¥\${amount.toLocaleString('en-US')}\`
}

export function names()`,
  )
  await hand.write('test/catalogue.test.js', LABEL_TEST)
  const { passed } = await hand.test()
  await hand.say(`${passed} tests pass. I report.`)
  return { summary: 'labelOf() shows a price with its sign and separators, with a test.' }
}

/** Mika, once her account is usable again. */
async function release(hand: Hand): Promise<Report> {
  await hand.say('アカウントの上限が解除されたので、作業を始めます。')
  await hand.edit('docs/リリース手順.md', '(作成中)', RELEASE_STEPS)
  return { summary: 'リリース手順に、確認項目と戻し方を書きました。' }
}

/** Sora, after her tab was closed. */
async function login(hand: Hand): Promise<Report> {
  await hand.say('My terminal was closed. I finish what was begun there, and report it.')
  await hand.write('test/login.test.js', LOGIN_TEST)
  const { passed } = await hand.test()
  return { summary: `The login page is begun, with a test. ${passed} tests pass.` }
}

/** A person's comments: without a model they cannot be understood, so they are written down and answered as such. */
async function obey(hand: Hand, { taskId, returned }: Assignment): Promise<Report> {
  const comments = returned?.comments ?? []
  await hand.say('The work came back. I have no model, so I write down what was said.')
  const said = [returned?.summary ?? '', ...comments.map(({ text }) => text)].filter(text => text.trim() !== '')
  const lines = said.map(text => `- ${text.replaceAll('\n', ' ')}`).join('\n')
  await hand.write(`docs/notes/${taskId}.md`, `# Comments of the review\n\n${lines}\n`)
  const answer = 'This agent is scripted and has no model: the comment is in docs/notes, for a person or a real agent.'
  return {
    summary: 'The comments of the review are written down in docs/notes.',
    answers: comments.map(({ comment_id }) => ({ comment_id, answer })),
  }
}

/** A task that is not of the scene. */
async function note(hand: Hand, { taskId, title }: Assignment): Promise<Report> {
  await hand.say(`I am a scripted agent without a model. I do not understand "${title}", so I write a note about it.`)
  await hand.write(`docs/notes/${taskId}.md`, `# ${title}\n\nA scripted agent of the demo was here.\n`)
  return { summary: 'A scripted agent has no model: it wrote a note in docs/notes in the place of the work.' }
}

function decisionIn({ results }: Record<string, unknown>, text: string): number | undefined {
  const all = Array.isArray(results) ? (results as Record<string, unknown>[]) : []
  const found = all.find(result => JSON.stringify(result).includes(text))
  const id = found?.['decision_id'] ?? found?.['id']
  return typeof id === 'number' ? id : undefined
}

const INTEGERS = 'Prices are integers, in the smallest unit of the currency'

const TOTAL = `    let sum = 0
    for (const { id, pieces } of this.lines) sum += priceOf(id) * pieces
    return sum`

const ROUNDED_DOWN = `    let sum = 0
    for (const { id, pieces } of this.lines) sum += priceOf(id) * pieces
    return roundYen(sum)`

const ROUND_DOWN = `/** 円未満の端数を処理する (docs/仕様.md)。 */
export function roundYen(amount) {
  return Math.floor(amount)
}`

const ROUND_TEST = `test('合計の端数は四捨五入する', () => {
  assert.equal(roundYen(99.4), 99)
  assert.equal(roundYen(99.5), 100)
})`

const LABEL_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelOf } from '../src/catalogue.js'

test('a price is shown with its sign and separators', () => {
  assert.equal(labelOf(1280), '¥1,280')
})
`

const RELEASE_STEPS = `1. \`npm test\` がすべて通ることを確認する
2. 火曜日の午前に main を本番へ反映する
3. 問題があれば、直前のコミットに戻す`

const LOGIN_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedIn } from '../src/login.js'

test('a customer without an id is not signed in', () => {
  assert.equal(isSignedIn({}), false)
})
`
