// A scripted agent in a terminal: takes its task as the first line, draws its plan, begins, asks a question and waits for a person's keys.
// Then it writes to the agent of the other tab. On any other branch than that of the scene it only listens.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lang, Text } from '#contract/errors.ts'
import { LOGIN_BRANCH, MAIL_BRANCH, NO_ANSWER, PROJECT, TASKS } from '../scene.ts'
import { Bridge } from './bridge.ts'
import { Keys } from './keys.ts'

type Options = { pace: number; lang: Lang }
type Way = { name: Text; why: Text; decision: Text; file: string; code: string }

const WAYS: readonly [Way, Way] = [
  {
    name: { en: 'Signed cookie', ja: '署名付き Cookie' },
    why: { en: 'no script can read it', ja: 'スクリプトから読み取れない' },
    decision: { en: 'Sessions: signed cookie', ja: 'セッション: 署名付き Cookie' },
    file: 'src/login.js',
    code: "export function sessionOf(request) {\n  return request.cookies['shop_session'] // signed, HttpOnly, SameSite=Strict\n}\n",
  },
  {
    name: { en: 'Bearer token', ja: 'Bearer トークン' },
    why: { en: 'simpler for the app', ja: 'アプリの実装が簡単' },
    decision: { en: 'Sessions: bearer token', ja: 'セッション: Bearer トークン' },
    file: 'src/login.js',
    code: "export function sessionOf(request) {\n  return request.headers['authorization']?.replace('Bearer ', '')\n}\n",
  },
]

const DIM = '\u001B[2m'
const BOLD = '\u001B[1m'
const GREEN = '\u001B[32m'
const PLAIN = '\u001B[0m'

export async function workInTerminal({ pace, lang }: Options): Promise<void> {
  const scene = new Scene(pace, lang)
  const branch = branchHere()
  const name = branch === MAIL_BRANCH ? 'Ren' : 'Sora'
  const about = scene.in({
    en: 'scripted agent of the demo, no model',
    ja: 'デモのエージェント (スクリプトで動作、モデルなし)',
  })
  line(`${BOLD}${name}${PLAIN} ${DIM}${about}${PLAIN}`)
  line()
  if (branch === MAIL_BRANCH) line(scene.in(WAITING))
  if (branch !== LOGIN_BRANCH) return scene.listen()
  await scene.heard()
  line()
  await scene.plan()
  await scene.write({
    en: 'The cart also holds what guests put in: receipts should list guestLines.',
    ja: 'カートにはログイン前に入れた商品も残ります。領収書には guestLines も載せてください。',
  })
  const { way, byPerson } = await scene.ask()
  await scene.build(way, byPerson)
  return scene.listen()
}

const WAITING: Text = {
  en: 'Receipts by mail: I wait until it is settled how a session is kept.',
  ja: '領収書メール: セッションの保持方法が決まるのを待っています。',
}

const STEPS = {
  read: { en: 'Read src/login.js and src/cart.js', ja: 'src/login.js と src/cart.js を読む' },
  keep: { en: 'Keep the cart when a customer signs in', ja: 'ログインしてもカートを残す' },
  choose: { en: 'Choose how a session is kept', ja: 'セッションの保持方法を決める' },
} satisfies Record<string, Text>

class Scene {
  readonly #pace: number
  readonly #lang: Lang
  readonly #keys = new Keys(process.stdin)

  constructor(pace: number, lang: Lang) {
    this.#pace = pace
    this.#lang = lang
  }

  in(text: Text): string {
    return text[this.#lang]
  }

  async plan(): Promise<void> {
    line(
      `${BOLD}${this.in({ en: 'Plan', ja: '計画' })}${PLAIN}  ${this.in({ en: 'login page', ja: 'ログインページ' })}`,
    )
    for (const step of Object.values(STEPS)) {
      await this.#pause(0.7)
      line(`  ○ ${this.in(step)}`)
    }
    await this.#pause(1)
    line()
    fs.readFileSync('src/login.js')
    this.#done(this.in(STEPS.read))
    const cart = fs.readFileSync('src/cart.js', 'utf8')
    fs.writeFileSync(
      'src/cart.js',
      cart.replace(TOTAL, () => `${GUEST_TOTAL} // ${this.in(ALSO)}`),
    )
    await this.#pause(1.2)
    this.#done(this.in(STEPS.keep), 'src/cart.js')
    await this.#pause(1)
  }

  /** The answer: a person's key, or that of the demo, which says so. */
  async ask(): Promise<{ way: Way; byPerson: boolean }> {
    const [first, second] = WAYS
    const question = [
      '',
      `${BOLD}${this.in({ en: 'Should the session be a cookie or a bearer token?', ja: 'セッションは Cookie と Bearer トークンのどちらにしますか?' })}${PLAIN}`,
      `  ${this.in({ en: 'The mobile app uses the same API, so both would work.', ja: 'モバイルアプリも同じ API を使うので、どちらでも動きます。' })}`,
      '',
      `❯ 1. ${this.in(first.name)}: ${this.in(first.why)}`,
      `  2. ${this.in(second.name)}: ${this.in(second.why)}`,
      '',
      `${DIM}${this.in({ en: 'Press 1 or 2. Enter to confirm the first.', ja: '1 または 2 を押してください。Enter で確定すると 1 になります。' })}${PLAIN}`,
    ]
    for (const text of question) line(text)
    const key = await this.#keys.oneOf(['1', '2', '\r', NO_ANSWER])
    const way = key === '2' ? second : first
    // An answered question leaves the screen, as in other programs: what still stands there would be taken for open.
    // All of it: in a window of another width it has taken other rows than were written.
    process.stdout.write('\u001B[H\u001B[2J\u001B[3J')
    line()
    const name = this.in(way.name)
    const byPerson = key !== NO_ANSWER
    const chosen = { en: `You chose: ${name}.`, ja: `選択: ${name}` }
    const alone = {
      en: `No answer came and no page is open: the demo answers in your place. ${name}.`,
      ja: `回答がなく、開いているページもないため、デモが代わりに答えました: ${name}`,
    }
    line(this.in(byPerson ? chosen : alone))
    return { way, byPerson }
  }

  async build(way: Way, byPerson: boolean): Promise<void> {
    fs.appendFileSync(way.file, `\n${way.code}`)
    await this.#pause(1)
    this.#done(this.in(STEPS.choose), way.file)
    const bridge = await Bridge.open()
    const answer = await bridge.call('add-decision', {
      project_id: PROJECT,
      decision: this.in(way.decision),
      reason: this.in(
        byPerson
          ? { en: 'A person chose it in the terminal of Sora.', ja: 'Sora のターミナルで人が選んだ。' }
          : { en: 'Sora got no answer, so the demo chose it.', ja: 'Sora に回答がなかったので、デモが選んだ。' },
      ),
      task_ids: [TASKS.login],
    })
    const number = String(answer.body['decision_id'])
    if (answer.isError) line(`  ${answer.text}`)
    else this.#done(this.in({ en: `Wrote down decision #${number}`, ja: `決定 #${number} を記録` }))
    const name = this.in(way.name)
    await this.#writeToRen(
      bridge,
      this.in({
        en: `Sessions are settled: ${name.toLowerCase()}, see ${way.file}.`,
        ja: `セッションの方式が決まりました: ${name} (${way.file})`,
      }),
    )
    bridge.close()
    line()
  }

  async write(message: Text): Promise<void> {
    const bridge = await Bridge.open()
    await this.#writeToRen(bridge, this.in(message))
    bridge.close()
    await this.#pause(2)
  }

  /** What is sent to it is shown, and nothing else comes of it. */
  async listen(): Promise<void> {
    const end = {
      en: 'The script ends here. What you type is shown and not understood: the demo has no model.',
      ja: '台本はここまでです。入力は表示されますが、モデルがないため理解しません。',
    }
    line(`${DIM}${this.in(end)}${PLAIN}`)
    for (;;) {
      const text = await this.heard()
      if (text.trim() !== '') line(`  ${DIM}${this.in({ en: 'heard', ja: '受信' })}${PLAIN}`)
    }
  }

  async heard(): Promise<string> {
    process.stdout.write('> ')
    const text = await this.#keys.line(typed => process.stdout.write(typed))
    line()
    return text
  }

  async #pause(seconds: number): Promise<void> {
    if (this.#pace > 0) await sleep(seconds * 1000 * this.#pace)
  }

  #done(what: string, file = ''): void {
    line(`  ${GREEN}●${PLAIN} ${what}${file === '' ? '' : `  ${DIM}${file}${PLAIN}`}`)
  }

  /** He waits on the other branch. Where his tab was closed, nobody is written to. */
  async #writeToRen(bridge: Bridge, message: string): Promise<void> {
    const other = await tabOn(bridge, MAIL_BRANCH)
    if (other === undefined) return
    await bridge.call('gwt_send_message', { target_tab_id: other, message })
    this.#done(this.in({ en: `Wrote to Ren on ${MAIL_BRANCH}`, ja: `${MAIL_BRANCH} の Ren に連絡` }))
  }
}

async function tabOn(bridge: Bridge, branch: string): Promise<string | undefined> {
  const { text, isError } = await bridge.call('gwt_list_tabs', {})
  if (isError) return undefined
  const tabs = JSON.parse(text) as { tab_id: string; branch: string }[]
  return tabs.find(tab => tab.branch === branch)?.tab_id
}

function line(text = ''): void {
  process.stdout.write(`${text}\r\n`)
}

/** A worktree's `.git` is a file that leads to where its HEAD is. */
function branchHere(): string | undefined {
  try {
    const folder = /^gitdir: (.+)$/m.exec(fs.readFileSync('.git', 'utf8'))?.[1] ?? '.git'
    return /^ref: refs\/heads\/(.+)$/m.exec(fs.readFileSync(`${folder}/HEAD`, 'utf8'))?.[1]
  } catch {
    return undefined // No worktree.
  }
}

const TOTAL = `    let sum = 0
    for (const { id, pieces } of this.lines) sum += priceOf(id) * pieces
    return sum`

/** Behind the line that Ren changes, too: the two overlap. */
const ALSO: Text = { en: 'also of what was put in before signing in', ja: 'ログイン前に入れた商品も含む' }

const GUEST_TOTAL = `    let sum = 0
    for (const { id, pieces } of [...this.lines, ...this.guestLines]) sum += priceOf(id) * pieces
    return sum`
