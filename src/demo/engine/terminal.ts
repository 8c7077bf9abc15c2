// A scripted agent in a terminal: takes its task as the first line, draws its plan, begins, asks a question and waits for a person's keys.
// Then it writes to the agent of the other tab. On any other branch than that of the scene it only listens.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOGIN_BRANCH, MAIL_BRANCH, PROJECT } from '../scene.ts'
import { Bridge } from './bridge.ts'
import { Keys } from './keys.ts'

type Options = { pace: number; patienceMs: number }
type Way = { name: string; file: string; code: string }

const WAYS: readonly [Way, Way] = [
  {
    name: 'Signed cookie',
    file: 'src/login.js',
    code: "export function sessionOf(request) {\n  return request.cookies['shop_session'] // signed, HttpOnly, SameSite=Strict\n}\n",
  },
  {
    name: 'Bearer token',
    file: 'src/login.js',
    code: "export function sessionOf(request) {\n  return request.headers['authorization']?.replace('Bearer ', '')\n}\n",
  },
]

const DIM = '\u001B[2m'
const BOLD = '\u001B[1m'
const GREEN = '\u001B[32m'
const PLAIN = '\u001B[0m'

export async function workInTerminal({ pace, patienceMs }: Options): Promise<void> {
  const keys = new Keys(process.stdin)
  const pause = (seconds: number) => (pace > 0 ? sleep(seconds * 1000 * pace) : Promise.resolve())
  const branch = branchHere()
  const name = branch === MAIL_BRANCH ? 'Ren' : 'Sora'
  line(`${BOLD}${name}${PLAIN} ${DIM}scripted agent of the demo, no model${PLAIN}`)
  line()
  if (branch === MAIL_BRANCH) line('Receipts by mail: I wait until it is settled how a session is kept.')
  if (branch !== LOGIN_BRANCH) return listen(keys)
  await heard(keys)
  line()
  await plan(pause)
  await write('The cart also holds what guests put in: receipts should list guestLines.', pause)
  const { way, byPerson } = await ask(keys, patienceMs)
  await build(way, byPerson, pause)
  return listen(keys)
}

async function plan(pause: (seconds: number) => Promise<void>): Promise<void> {
  line(`${BOLD}Plan${PLAIN}  ログインページ / login page`)
  const steps = [
    'Read src/login.js and src/cart.js',
    'Keep the cart when a customer signs in',
    'Choose how a session is kept',
  ]
  for (const step of steps) {
    await pause(0.7)
    line(`  ○ ${step}`)
  }
  await pause(1)
  line()
  fs.readFileSync('src/login.js')
  line(`  ${GREEN}●${PLAIN} Read src/login.js and src/cart.js`)
  const cart = fs.readFileSync('src/cart.js', 'utf8')
  fs.writeFileSync(
    'src/cart.js',
    cart.replace(TOTAL, () => GUEST_TOTAL),
  )
  await pause(1.2)
  line(`  ${GREEN}●${PLAIN} Keep the cart when a customer signs in  ${DIM}src/cart.js${PLAIN}`)
  await pause(1)
}

/** The answer: a person's key, or after a while the demo's own, which it says. */
async function ask(keys: Keys, patienceMs: number): Promise<{ way: Way; byPerson: boolean }> {
  const question = [
    '',
    `${BOLD}Should the session be a cookie or a bearer token?${PLAIN}`,
    '  The mobile app uses the same API, so both would work.',
    '',
    `❯ 1. ${WAYS[0].name}: no script can read it`,
    `  2. ${WAYS[1].name}: simpler for the app`,
    '',
    `${DIM}Press 1 or 2. Enter to confirm the first.${PLAIN}`,
  ]
  for (const text of question) line(text)
  const key = await keys.oneOf(['1', '2', '\r'], patienceMs)
  const way = key === '2' ? WAYS[1] : WAYS[0]
  // An answered question leaves the screen, as in other programs: what still stands there would be taken for open.
  // All of it: in a window of another width it has taken other rows than were written.
  process.stdout.write('\u001B[H\u001B[2J\u001B[3J')
  line()
  if (key === undefined)
    line(`No answer came in ${Math.round(patienceMs / 1000)} s: the demo answers in your place. ${way.name}.`)
  else line(`You chose: ${way.name}.`)
  return { way, byPerson: key !== undefined }
}

async function build(way: Way, byPerson: boolean, pause: (seconds: number) => Promise<void>): Promise<void> {
  fs.appendFileSync(way.file, `\n${way.code}`)
  await pause(1)
  line(`  ${GREEN}●${PLAIN} Choose how a session is kept  ${DIM}${way.file}${PLAIN}`)
  const bridge = await Bridge.open()
  const answer = await bridge.call('add-decision', {
    project_id: PROJECT,
    decision: `Sessions: ${way.name.toLowerCase()}`,
    reason: byPerson ? 'A person chose it in the terminal of Sora.' : 'Sora got no answer, so the demo chose it.',
  })
  const number = answer.body['decision_id']
  line(answer.isError ? `  ${answer.text}` : `  ${GREEN}●${PLAIN} Wrote down decision #${String(number)}`)
  await writeToRen(bridge, `Sessions are settled: ${way.name.toLowerCase()}, see ${way.file}.`)
  bridge.close()
  line()
}

async function write(message: string, pause: (seconds: number) => Promise<void>): Promise<void> {
  const bridge = await Bridge.open()
  await writeToRen(bridge, message)
  bridge.close()
  await pause(2)
}

/** He waits on the other branch. Where his tab was closed, nobody is written to. */
async function writeToRen(bridge: Bridge, message: string): Promise<void> {
  const other = await tabOn(bridge, MAIL_BRANCH)
  if (other === undefined) return
  await bridge.call('gwt_send_message', { target_tab_id: other, message })
  line(`  ${GREEN}●${PLAIN} Wrote to Ren on ${MAIL_BRANCH}`)
}

async function tabOn(bridge: Bridge, branch: string): Promise<string | undefined> {
  const { text, isError } = await bridge.call('gwt_list_tabs', {})
  if (isError) return undefined
  const tabs = JSON.parse(text) as { tab_id: string; branch: string }[]
  return tabs.find(tab => tab.branch === branch)?.tab_id
}

/** What is sent to it is shown, and nothing else comes of it. */
async function listen(keys: Keys): Promise<void> {
  line(`${DIM}The script ends here. What you type is shown and not understood: the demo has no model.${PLAIN}`)
  for (;;) {
    const text = await heard(keys)
    if (text.trim() !== '') line(`  ${DIM}heard${PLAIN}`)
  }
}

async function heard(keys: Keys): Promise<string> {
  process.stdout.write('> ')
  const text = await keys.line(typed => process.stdout.write(typed))
  line()
  return text
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

const GUEST_TOTAL = `    let sum = 0
    for (const { id, pieces } of [...this.lines, ...this.guestLines]) sum += priceOf(id) * pieces
    return sum // also of what was put in before signing in`
