// Says to the person at the terminal what a stopping hub is waiting for.
import type { Text } from '#contract/errors.ts'
import type { RunningHub } from './lifecycle.ts'

/** What takes longer than this is worth a word. */
const SLOW_MS = 2000

/** A line for each part that takes long, and what to do about it with the first. Ends with the hub. */
export function sayIfSlow(hub: Pick<RunningHub, 'stopping' | 'stopped'>, write: (text: Text) => void): void {
  let said: Text | undefined
  const timer = setInterval(() => {
    const now = waitsFor(hub.stopping())
    if (now === said) return
    write(said ? stillWaits(now) : first(now))
    said = now
  }, SLOW_MS)
  timer.unref()
  void hub.stopped.then(() => clearInterval(timer))
}

function waitsFor(part: string | undefined): Text {
  return PARTS[part ?? ''] ?? OTHER
}

const terminals: Text = { en: 'the programs in tabs to end', ja: 'タブのプログラムの終了' }
const clients: Text = { en: 'connections to close', ja: '接続の終了' }
const OTHER: Text = { en: 'the last writes', ja: '最後の書き込み' }
/** By the names that lifecycle.ts gives the parts of a hub. */
const PARTS: Readonly<Record<string, Text>> = {
  runner: { en: 'agents to end', ja: 'エージェントの終了' },
  runs: { en: 'runs of crews to end', ja: 'クルーの実行の終了' },
  checks: { en: 'checks and merges to end', ja: 'チェックとマージの終了' },
  tabs: terminals,
  terminals,
  'connection to the terminals': terminals,
  server: clients,
  sockets: clients,
  sessions: clients,
  demo: { en: 'the demo to end', ja: 'デモの終了' },
  registration: { en: "the engines' config files", ja: '各エンジンの設定ファイルの更新' },
}

function first(what: Text): Text {
  return {
    en: `Stopping; waiting for ${what.en}. Press Ctrl-C again to end everything at once.`,
    ja: `停止しています (${what.ja}を待っています)。もう一度 Ctrl-C を押すと、ただちに終了します。`,
  }
}

function stillWaits(what: Text): Text {
  return { en: `Waiting for ${what.en}.`, ja: `${what.ja}を待っています。` }
}
