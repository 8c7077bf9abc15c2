// A scripted agent without a terminal: started by the Runner for a task, or as a member of a crew.
import type { Lang, Text } from '#contract/errors.ts'
import type { Returned } from '#contract/thread.ts'
import { actFor } from './acts.ts'
import { SPEC } from '../scene.ts'
import { Hand } from './hand.ts'
import { isFirstTime } from './first-time.ts'

type Told = { prompt: string; pace: number; lang: Lang }

/** Long enough to see it count down. */
const SPENT_S = 30

/** Signs in with its ticket, gets its task, works, reports, ends. */
export async function workAsAgent({ prompt, pace, lang, isSpare }: Told & { isSpare: boolean }): Promise<void> {
  if (isSpare && isFirstTime('spent')) return spent(pace, lang)
  const agentId = idIn(prompt, 'agent_id')
  const projectId = idIn(prompt, 'project_id')
  const hand = await Hand.open(pace, lang)
  const signedIn = await hand.call('authenticate', { agent_id: agentId, project_id: projectId })
  const session_token = signedIn.body['session_token']
  const given = await hand.call('get_my_task', { session_token })
  const task = given.body['task'] as { task_id: string; title: string } | undefined
  if (!task) {
    await hand.call('report_completed', { session_token, result: 'success' })
    return hand.end(hand.text({ en: 'Nothing to do.', ja: '作業はありません。' }))
  }
  const returned = given.body['returned'] as Returned | undefined
  const told = Array.isArray(given.body['decisions']) ? JSON.stringify(given.body['decisions']) : ''
  const assignment = { taskId: task.task_id, title: task.title, projectId, returned, told }
  const report = await actFor(assignment)(hand, assignment)
  const reported = await hand.call('report_completed', { session_token, result: 'success', ...report })
  return hand.end(reported.isError ? reported.text : report.summary, reported.isError)
}

/** Reads and runs the tests, and says what it found. */
export async function workInCrew({ run, prompt, pace, lang }: Told & { run: string }): Promise<void> {
  const hand = await Hand.open(pace, lang)
  const role = ROLE.exec(prompt)?.[1]
  if (role === 'reviewer' && isFirstTime('reviewed')) return failed(hand)
  const summary =
    role === 'tester' ? await tested(hand) : role === 'planner' ? await planned(hand) : await reviewed(hand)
  const reported = await hand.call('report_result', { agentId: run, status: 'success', summary })
  return hand.end(reported.isError ? reported.text : summary, reported.isError)
}

/** In the instructions of the demo's roles. */
const ROLE = /(?:You are the demo |デモの )(reviewer|tester|planner)/

async function tested(hand: Hand): Promise<string> {
  await hand.say({
    en: 'I run what is there, then I try the cart as a customer would.',
    ja: '今あるテストを実行し、そのあと客の立場でカートを試します。',
  })
  const { passed, failed } = await hand.test()
  await hand.pause(4)
  return hand.text({
    en: `node --test: ${passed} passed, ${failed} failed. An empty cart costs nothing; the same item twice is one line.`,
    ja: `node --test: 成功 ${passed}、失敗 ${failed}。空のカートは 0 円で、同じ商品は 1 行にまとまります。`,
  })
}

const I_READ: Text = {
  en: 'I read the cart and what it is made of.',
  ja: 'カートと、それが使うコードを読みます。',
}

async function reviewed(hand: Hand): Promise<string> {
  await hand.say(I_READ)
  for (const file of ['src/cart.js', 'src/price.js', hand.text(SPEC)]) await hand.read(file)
  await hand.pause(3)
  await hand.say({ en: 'Sums of decimal prices are not exact.', ja: '小数の価格を足すと誤差が出ます。' })
  return hand.text({
    en: `Good with changes. src/price.js: prices are decimal numbers, so that sums are not exact; store integers. src/cart.js: the total is not rounded as ${SPEC.en} says.`,
    ja: `修正すれば問題ありません。src/price.js: 価格が小数で、合計に誤差が出ます。整数で持ってください。src/cart.js: 合計が ${SPEC.ja} のとおりに丸められていません。`,
  })
}

/** The second stage. */
async function planned(hand: Hand): Promise<string> {
  await hand.say({
    en: 'I read what the first stage found, and put it in order.',
    ja: '第 1 段階の報告を読み、進める順に並べます。',
  })
  await hand.read(hand.text(SPEC))
  await hand.pause(2)
  return hand.text({
    en: `First the prices as integers, then the rounding of the total as ${SPEC.en} says, then the split of cart.js. The review failed once and is to be run again.`,
    ja: `まず価格を整数にし、次に合計を ${SPEC.ja} のとおりに丸め、最後に cart.js を分割します。レビューは 1 回失敗したので、再実行してください。`,
  })
}

/** As an agent program says it, so that the hub pauses the engine until then. */
async function spent(pace: number, lang: Lang): Promise<void> {
  const hand = await Hand.open(pace, lang)
  const seconds = Math.max(2, Math.round(SPENT_S * pace))
  const why = hand.text({ en: 'By the script: this account has no model. ', ja: '台本による一時停止です。' })
  return hand.end(`${why}Usage limit reached. Try again in ${seconds} seconds.`, true)
}

/** For a person to see what a failure looks like, and to run it again. */
async function failed(hand: Hand): Promise<void> {
  await hand.say(I_READ)
  await hand.read('src/cart.js')
  // After the question in the terminal, which a newcomer should meet first.
  await hand.pause(20)
  const text = {
    en: 'This review fails once, as the script says. Run it again: then it succeeds.',
    ja: 'このレビューは、台本どおり 1 回だけ失敗します。再実行すると成功します。',
  }
  return hand.end(hand.text(text), true)
}

/** Both languages of the prompt name it the same way. */
function idIn(prompt: string, name: string): string {
  return new RegExp(`${name} "([^"]+)"`).exec(prompt)?.[1] ?? ''
}
