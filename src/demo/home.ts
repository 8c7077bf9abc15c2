// The scratch home of the demo: where it is, what its configuration says, and how it goes away. Deletes nothing that it did not make.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { checkHome } from '#client/trusted-path.ts'
import type { Lang, Text } from '#contract/errors.ts'
import { TORYO_DEMO_PACE, TORYO_DEMO_PATIENCE_MS, TORYO_HOME } from '#system/environment-names.ts'
import { ENGINE, SPARE_ENGINE } from './scene.ts'
import { makeShop } from './shop.ts'

/** One that it was made with is a demo's, and may be deleted. */
const SIGN = 'this-is-a-demo'

export type DemoHome = { home: string; db: string; shop: string }

/** One for each user: the next demo finds what a killed one left. */
export function demoHome(env: Readonly<NodeJS.ProcessEnv> = process.env): DemoHome {
  const folder = fs.realpathSync(env['TMPDIR'] || os.tmpdir())
  const home = path.join(folder, `toryo-demo-${process.getuid?.() ?? os.userInfo().username}`)
  return { home, db: path.join(home, 'toryo.db'), shop: path.join(home, 'shop') }
}

/** Throws for a folder that another user put there, or that is in use for something else. */
export function mustBeDemo({ home }: DemoHome): void {
  checkHome(home)
  if (!fs.existsSync(path.join(home, SIGN))) throw new Error(`${home} is not a demo's folder; remove it yourself`)
}

export function makeDemoHome({ home, shop }: DemoHome, engine: string, lang: Lang): void {
  fs.mkdirSync(home, { mode: 0o700 })
  checkHome(home)
  const text = `The scratch home of \`toryo up --demo\`. It is deleted when the demo ends.\n${ownLine()}\n`
  fs.writeFileSync(path.join(home, SIGN), text)
  fs.writeFileSync(path.join(home, 'config.json'), `${JSON.stringify(configOf(engine, lang), undefined, 2)}\n`)
  fs.mkdirSync(shop)
  makeShop(shop, lang)
}

/** Whether this process made it: another demo may have taken the place meanwhile. */
export function isOwn({ home }: DemoHome): boolean {
  try {
    return fs.readFileSync(path.join(home, SIGN), 'utf8').includes(ownLine())
  } catch {
    return false // Gone, or not yet signed by the process that makes it.
  }
}

const MADE = Date.now()

function ownLine(): string {
  return `Made by process ${process.pid} at ${MADE}.`
}

/** Nothing is started any more from what is left of a demo. */
export function quietConfig({ home }: DemoHome): void {
  fs.writeFileSync(path.join(home, 'config.json'), '{}\n')
}

export function removeDemoHome(place: DemoHome): void {
  const { home } = place
  if (!fs.existsSync(home)) return
  mustBeDemo(place)
  // The sign goes last: what is interrupted can be gone on with.
  for (const name of fs.readdirSync(home))
    if (name !== SIGN) fs.rmSync(path.join(home, name), { recursive: true, force: true, maxRetries: 5 })
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}

/** Everything that a program of the demo gets of our environment: no keys, proxies or settings. */
const KEPT =
  /^(PATH|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TERM|COLORTERM|NO_COLOR|USER|LOGNAME|SHELL|LOG_LEVEL|TORYO_LANG|TORYO_DEMO_.*)$/

/** For good: git, engines and registration look for the user's own files below HOME. */
export function moveInto({ home }: DemoHome, env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (!KEPT.test(name)) delete env[name]
  env['HOME'] = home
  env[TORYO_HOME] = home
  // The checks and agents of the demo call `node`.
  env['PATH'] = [path.dirname(process.execPath), env['PATH'] ?? ''].join(path.delimiter)
}

/** 1: as people like to watch it; 0: without pauses, for tests. */
export function paceOf(env: Readonly<NodeJS.ProcessEnv>): number {
  const pace = Number(env[TORYO_DEMO_PACE] ?? 1)
  return pace >= 0 ? pace : 1
}

const PATIENCE_MS = 25_000

/** How long a question waits for an answer while no page is open. */
export function patienceOf(env: Readonly<NodeJS.ProcessEnv>): number {
  return Number(env[TORYO_DEMO_PATIENCE_MS] ?? PATIENCE_MS)
}

function configOf(engine: string, lang: Lang): object {
  const pace = String(paceOf(process.env))
  const command = [process.execPath, engine, '--pace', pace, '--lang', lang, '--hub', String(process.pid)]
  const described = {
    headless: command,
    terminal: [...command, '--terminal'],
    version: [process.execPath, engine, '--version'],
    output: 'claude',
  }
  const role = (id: string, names: Text) => ({
    ...{ id, name: names[lang], engine: ENGINE, model: 'default', permission: 'read' },
    instructions: lang === 'ja' ? `あなたは、デモの ${id} です。` : `You are the demo ${id}.`,
  })
  return {
    engines: {
      [ENGINE]: described,
      [SPARE_ENGINE]: { ...described, headless: [...command, '--spare'] },
    },
    roles: [
      role('reviewer', { en: 'Reviewer', ja: 'レビュー担当' }),
      role('tester', { en: 'Tester', ja: 'テスト担当' }),
      role('planner', { en: 'Planner', ja: '計画担当' }),
    ],
  }
}
