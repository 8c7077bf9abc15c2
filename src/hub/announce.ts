// What a hub that has started says at its terminal.
import { join } from 'node:path'
import type { Target } from '#client/locate.ts'
import type { Lang, Text } from '#contract/errors.ts'
import { say } from '#contract/lang.ts'
import { openBrowser } from '#system/open-browser.ts'
import type { Args } from './arguments.ts'
import { type Demo, PAGE_WAIT_MS } from './demo.ts'
import type { RunningHub } from './lifecycle.ts'
import { asRun, ownProgram } from './own-program.ts'
import { version } from './program-files.ts'

const REGISTERED = new Set(['added', 'present', 'repaired', 'updated'])

type Start = { running: RunningHub; target: Target; args: Args; lang: Lang; demo: Demo | undefined }

export async function announce(start: Start): Promise<void> {
  const { running, target, args, lang, demo } = start
  for (const { warning, text } of running.registered) if (warning) process.stderr.write(`toryo: ${say(lang, text)}\n`)
  if (args.json)
    return void process.stdout.write(`${JSON.stringify({ url: running.url, pid: process.pid, db: target.shownDb })}\n`)
  const text: Text = demo
    ? demoText(running, target)
    : {
        en: `Toryo ${version()} listens on ${running.url}\n  database  ${target.shownDb}\n  stop      Ctrl-C\n`,
        ja: `Toryo ${version()} が ${running.url} で待ち受けています\n  データベース  ${target.shownDb}\n  停止          Ctrl-C\n`,
      }
  process.stdout.write(say(lang, text))
  const engines = running.registered.filter(({ state }) => REGISTERED.has(state)).map(({ engine }) => engine)
  const list = [...new Set(engines)].join(', ')
  if (list !== '')
    process.stdout.write(say(lang, { en: `  MCP       registered in ${list}\n`, ja: `  MCP の登録先  ${list}\n` }))
  await showPage(start)
}

function demoText({ url }: RunningHub, { home }: Target): Text {
  return {
    en: `Toryo ${version()} demo on ${url}\n  agents    scripted: no model, nothing leaves this machine\n            they begin when you open the dashboard, or in ${PAGE_WAIT_MS / 1000} s\n  folder    ${home} (deleted at the end)\n  end       Ctrl-C\n`,
    ja: `Toryo ${version()} のデモ (${url})\n  エージェント  スクリプトで動作。モデルは使わず、外部に通信しません\n                ダッシュボードを開くと、または ${PAGE_WAIT_MS / 1000} 秒後に作業を始めます\n  フォルダー    ${home} (終了時に削除)\n  終了          Ctrl-C\n`,
  }
}

export async function loginLink({ url, hub }: RunningHub): Promise<string> {
  return `${url}/#login=${await hub.loginToken()}`
}

/** At the edge: in a window of 80 columns the link is whole, and can be clicked. The link is for the person at this terminal. What is written into a file or a pipe may be read by others, and later. */
async function showPage({ running, target, args, lang, demo }: Start): Promise<void> {
  const command = demo ? asRun('toryo open', { program: ownProgram(demo.asked), db: target.shownDb }) : 'toryo open'
  if (!process.stdout.isTTY && !args.attached)
    return void process.stdout.write(say(lang, { en: `  dashboard ${command}\n`, ja: `  画面          ${command}\n` }))
  const url = await loginLink(running)
  const text: Text = {
    en: `\nThe dashboard (works once, within ten minutes; for another: ${command}):\n${url}\n\n`,
    ja: `\nダッシュボード (10 分以内に一度だけ有効。次からは ${command}):\n${url}\n\n`,
  }
  process.stdout.write(say(lang, text))
  if (args.open) await openBrowser(url, join(target.home, 'open'), demo?.asked ?? process.env)
}
