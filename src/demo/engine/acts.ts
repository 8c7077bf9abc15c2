// What the agents of the demo do for the tasks of the demo, and for one that a newcomer adds. Files and lines are those of shop.ts.
import type { Text } from '#contract/errors.ts'
import type { Returned } from '#contract/thread.ts'
import { DECIMALS, RELEASE, SPEC, TASKS } from '../scene.ts'
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
  await hand.say({
    en: 'Prices are decimal numbers today: 12.8 * 3 is 38.400000000000006. I look at what was decided before.',
    ja: '価格は今、小数です。12.8 * 3 は 38.400000000000006 になります。これまでの決定を確認します。',
  })
  const found = await hand.call('recall', { project_id: projectId, queries: ['prices decimal', '価格 小数'] })
  const old = decisionIn(found.body, hand.text(DECIMALS))
  await hand.read('src/price.js')
  await hand.say({
    en: 'I store every price as an integer, in the smallest unit of the currency.',
    ja: '価格をすべて、通貨の最小単位の整数で持つようにします。',
  })
  await hand.edit('src/price.js', 'tea: 12.8, cup: 24.5, kettle: 98.0', 'tea: 1280, cup: 2450, kettle: 9800')
  await hand.edit('src/price.js', hand.text(IN_DECIMALS), hand.text(IN_INTEGERS))
  await hand.edit(
    'test/price.test.js',
    "import { priceOf } from '../src/price.js'\n",
    `import { priceOf } from '../src/price.js'

test('${hand.text({ en: 'every price is an integer', ja: '価格はすべて整数' })}', () => {
  for (const id of ['tea', 'cup', 'kettle']) assert.ok(Number.isInteger(priceOf(id)), id)
})
`,
  )
  const decided = await hand.call('add-decision', {
    project_id: projectId,
    decision: hand.text(INTEGERS),
    reason: hand.text({
      en: 'Sums of decimal numbers are not exact: 12.8 * 3 is 38.400000000000006.',
      ja: '小数の合計には誤差が出るため。12.8 * 3 は 38.400000000000006 になる。',
    }),
    ...(old !== undefined && { supersedes: old }),
    // Ren sums them up, and is to know.
    task_ids: [taskId, TASKS.rounding],
  })
  const done = {
    decided: hand.text({ en: 'integers', ja: '整数' }),
    changed: ['src/price.js', 'test/price.test.js'],
    left: [hand.text({ en: 'labels in the catalogue', ja: 'カタログでの表示' })],
  }
  const checkpoint = { checkpoint: hand.text({ en: 'prices are integers', ja: '価格を整数にした' }), data: done }
  await hand.call('save_phase_result', { project_id: projectId, phase: 'phase2', result: checkpoint })
  const { passed } = await hand.test()
  const progress = hand.text({ en: 'Prices and their test are changed.', ja: '価格とそのテストを変更しました。' })
  await hand.call('save_context', { task_id: taskId, progress })
  await hand.say({
    en: `${passed} tests pass here. I report.`,
    ja: `テスト ${passed} 件がすべて通りました。報告します。`,
  })
  const number = decided.body['decision_id']
  return {
    summary: hand.text({
      en: 'Prices are integers now, in the smallest unit of the currency, so that sums are exact. One test was added. Look at src/price.js first.',
      ja: '価格を通貨の最小単位の整数にしたので、合計に誤差が出なくなりました。テストを 1 件追加しています。まず src/price.js を見てください。',
    }),
    ...(typeof number === 'number' && { decisions: [number] }),
  }
}

/** Ren. The first try is wrong, and the project's check finds it. */
async function rounding(hand: Hand): Promise<Report> {
  await hand.say({ en: 'I read the specification.', ja: '仕様を確認します。' })
  await hand.read(hand.text(SPEC))
  await hand.read('src/cart.js')
  await hand.say({
    en: 'I move the rounding into roundYen, and make the examples of the specification a test.',
    ja: '合計の端数処理を roundYen に分け、仕様の例をテストにします。',
  })
  await hand.edit('src/cart.js', TOTAL, ROUNDED_DOWN)
  await hand.edit('src/cart.js', 'export class Cart', `${roundDown(hand)}\n\nexport class Cart`)
  const imports = "import { Cart } from '../src/cart.js'\n"
  const more = "import { Cart, roundYen } from '../src/cart.js'\n"
  await hand.edit('test/cart.test.js', imports, `${more}\n${roundTest(hand)}`)
  await hand.pause(3)
  const summary = {
    en: 'The total of the cart is rounded. The examples of the specification are a test.',
    ja: '合計金額の端数処理を追加しました。仕様の例をテストにしています。',
  }
  return { summary: hand.text(summary) }
}

async function fixRounding(hand: Hand, { told }: Assignment): Promise<Report> {
  if (told.includes(hand.text(INTEGERS)))
    await hand.say({
      en: 'I was given the decision that prices are integers. It does not change the rounding of the total.',
      ja: '価格を整数にする決定を受け取りました。合計の端数処理には影響しません。',
    })
  await hand.say({
    en: 'The check failed: 99.5 yen must become 100 yen, and I rounded down. I round half up instead.',
    ja: 'チェックが失敗しました。99.5 円は 100 円になるべきところ、切り捨てていました。四捨五入に直します。',
  })
  await hand.edit('src/cart.js', 'Math.floor(amount)', 'Math.round(amount)')
  const { passed, failed } = await hand.test()
  await hand.say({
    en: `Tests: ${passed} passed, ${failed} failed. I report again.`,
    ja: `テスト: 成功 ${passed}、失敗 ${failed}。もう一度報告します。`,
  })
  const summary = {
    en: 'The total was rounded down by mistake; it is rounded half up now, as the specification says. All tests pass.',
    ja: '端数を切り捨てていた誤りを、仕様どおり四捨五入に直しました。テストはすべて通ります。',
  }
  return { summary: hand.text(summary) }
}

/** Mika, once the prices are accepted. */
async function labels(hand: Hand): Promise<Report> {
  await hand.say({
    en: 'The prices that I waited for are accepted. I write how they are shown.',
    ja: '待っていた価格の変更が承認されました。表示を実装します。',
  })
  await hand.read('src/catalogue.js')
  await hand.edit(
    'src/catalogue.js',
    'export function names()',
    `/** \`¥1,280\`: ${hand.text({ en: 'as people read a price.', ja: '人が読む形の価格。' })} */
export function labelOf(amount) {
  return \`¥\${amount.toLocaleString('en-US')}\`
}

export function names()`,
  )
  await hand.write('test/catalogue.test.js', labelTest(hand))
  const { passed } = await hand.test()
  await hand.say({ en: `${passed} tests pass. I report.`, ja: `テスト ${passed} 件がすべて通りました。報告します。` })
  const summary = {
    en: 'labelOf() shows a price with its sign and separators, with a test.',
    ja: '価格を円記号と桁区切り付きで表示する labelOf() を、テストとともに追加しました。',
  }
  return { summary: hand.text(summary) }
}

/** Mika, once her account is usable again. */
async function release(hand: Hand): Promise<Report> {
  await hand.say({
    en: 'My account can be used again, so I begin.',
    ja: 'アカウントの上限が解除されたので、作業を始めます。',
  })
  await hand.edit(hand.text(RELEASE), hand.text({ en: '(to be written)', ja: '(作成中)' }), hand.text(RELEASE_STEPS))
  const summary = {
    en: 'How a release is made is written down: what to check, and how to go back.',
    ja: 'リリース手順に、確認項目と戻し方を書きました。',
  }
  return { summary: hand.text(summary) }
}

/** Sora, after her tab was closed. */
async function login(hand: Hand): Promise<Report> {
  await hand.say({
    en: 'My terminal was closed. I finish what was begun there, and report it.',
    ja: 'ターミナルが閉じられたので、途中の作業を仕上げて報告します。',
  })
  await hand.write('test/login.test.js', loginTest(hand))
  const { passed } = await hand.test()
  const summary = {
    en: `The login page is begun, with a test. ${passed} tests pass.`,
    ja: `ログインページに着手し、テストを書きました。テスト ${passed} 件がすべて通ります。`,
  }
  return { summary: hand.text(summary) }
}

/** A person's comments: without a model they cannot be understood, so they are written down and answered as such. */
async function obey(hand: Hand, { taskId, returned }: Assignment): Promise<Report> {
  const comments = returned?.comments ?? []
  await hand.say({
    en: 'The work came back. I have no model, so I write down what was said.',
    ja: '差し戻しを受け取りました。モデルがないので、コメントを書き留めます。',
  })
  const said = [returned?.summary ?? '', ...comments.map(({ text }) => text)].filter(text => text.trim() !== '')
  const lines = said.map(text => `- ${text.replaceAll('\n', ' ')}`).join('\n')
  const heading = hand.text({ en: 'Comments of the review', ja: 'レビューのコメント' })
  await hand.write(`docs/notes/${taskId}.md`, `# ${heading}\n\n${lines}\n`)
  const answer = hand.text({
    en: 'This agent is scripted and has no model: the comment is in docs/notes, for a person or a real agent.',
    ja: 'このエージェントはスクリプトで動き、モデルがありません。コメントは docs/notes に残しました。',
  })
  return {
    summary: hand.text({
      en: 'The comments of the review are written down in docs/notes.',
      ja: 'レビューのコメントを docs/notes に書き留めました。',
    }),
    answers: comments.map(({ comment_id }) => ({ comment_id, answer })),
  }
}

/** A task that is not of the scene. */
async function note(hand: Hand, { taskId, title }: Assignment): Promise<Report> {
  await hand.say({
    en: `I am a scripted agent without a model. I do not understand "${title}", so I write a note about it.`,
    ja: `スクリプトで動くエージェントで、モデルがありません。「${title}」は理解できないので、メモを書きます。`,
  })
  const text = { en: 'A scripted agent of the demo was here.', ja: 'デモのエージェントが書いたメモです。' }
  await hand.write(`docs/notes/${taskId}.md`, `# ${title}\n\n${hand.text(text)}\n`)
  const summary = {
    en: 'A scripted agent has no model: it wrote a note in docs/notes in the place of the work.',
    ja: 'スクリプトで動くエージェントにはモデルがないため、作業の代わりに docs/notes にメモを書きました。',
  }
  return { summary: hand.text(summary) }
}

function decisionIn({ results }: Record<string, unknown>, text: string): number | undefined {
  const all = Array.isArray(results) ? (results as Record<string, unknown>[]) : []
  const found = all.find(result => JSON.stringify(result).includes(text))
  const id = found?.['decision_id'] ?? found?.['id']
  return typeof id === 'number' ? id : undefined
}

const INTEGERS: Text = {
  en: 'Prices are integers, in the smallest unit of the currency',
  ja: '価格は通貨の最小単位の整数で持つ',
}

/** In the first line of the file. */
const IN_DECIMALS: Text = { en: 'in yen, as decimal numbers', ja: '円、小数' }
const IN_INTEGERS: Text = { en: 'in the smallest unit of the currency, as integers', ja: '通貨の最小単位、整数' }

const TOTAL = `    let sum = 0
    for (const { id, pieces } of this.lines) sum += priceOf(id) * pieces
    return sum`

const ROUNDED_DOWN = `    let sum = 0
    for (const { id, pieces } of this.lines) sum += priceOf(id) * pieces
    return roundYen(sum)`

const roundDown = (
  hand: Hand,
) => `/** ${hand.text({ en: 'Rounds fractions of a yen', ja: '円未満の端数を処理する' })} (${hand.text(SPEC)}) */
export function roundYen(amount) {
  return Math.floor(amount)
}`

const roundTest = (
  hand: Hand,
) => `test('${hand.text({ en: 'the total is rounded half up', ja: '合計の端数は四捨五入する' })}', () => {
  assert.equal(roundYen(99.4), 99)
  assert.equal(roundYen(99.5), 100)
})
`

const labelTest = (hand: Hand) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelOf } from '../src/catalogue.js'

test('${hand.text({ en: 'a price is shown with its sign and separators', ja: '価格は円記号と桁区切り付きで表示する' })}', () => {
  assert.equal(labelOf(1280), '¥1,280')
})
`

const RELEASE_STEPS: Text = {
  en: `1. Make sure that \`npm test\` passes
2. Bring main into production on Tuesday morning
3. If something breaks, go back to the commit before`,
  ja: `1. \`npm test\` がすべて通ることを確認する
2. 火曜日の午前に main を本番へ反映する
3. 問題があれば、直前のコミットに戻す`,
}

const loginTest = (hand: Hand) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedIn } from '../src/login.js'

test('${hand.text({ en: 'a customer without an id is not signed in', ja: 'id のない客はログインしていない' })}', () => {
  assert.equal(isSignedIn({}), false)
})
`
