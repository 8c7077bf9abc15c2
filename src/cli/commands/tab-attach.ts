import tty from 'node:tty'
import type { TerminalEnd, TerminalRefused } from '#client/terminal-link.ts'
import { CoreError, type HubError, type Text } from '#contract/errors.ts'
import { TORYO_DETACH_KEY } from '#system/environment-names.ts'
import { attach, type Outcome, RECONNECT_MS } from '../attach/attach.ts'
import { parseDetachKey } from '../attach/detach-key.ts'
import { findTab } from '../by-name.ts'
import type { Connection } from '../connect.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { listAll } from '../list-all.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

const KEY = 'ctrl-\\'

const words = {
  detached: (tab: string) => ({
    en: `Detached from ${tab}, which goes on. \`toryo tab attach ${tab}\` brings you back.`,
    ja: `${tab} から切り離しました。プログラムは動き続けています。\`toryo tab attach ${tab}\` で戻れます。`,
  }),
  ended: (tab: string, how: Text) => ({
    en: `The program in ${tab} has ended (${how.en}).`,
    ja: `${tab} のプログラムは終了しました (${how.ja})。`,
  }),
  lost: (tab: string, seconds: number) => ({
    en: `The hub did not come back within ${seconds} s. The program in ${tab} may still run: \`toryo tab attach ${tab}\` tries again.`,
    ja: `${seconds} 秒以内にハブへ再接続できませんでした。${tab} のプログラムは動いている可能性があります。\`toryo tab attach ${tab}\` で再試行できます。`,
  }),
  noTab: (tab: string) => ({
    en: `Tab ${tab} not found. Use \`toryo tab list\` to list them.`,
    ja: `タブ ${tab} はありません。\`toryo tab list\` で一覧を確認できます。`,
  }),
  keyWrong: (value: string) => ({
    en: `${JSON.stringify(value)} is not a valid detach key; give one such as ctrl-\\, ctrl-q or ctrl-b,d.`,
    ja: `${JSON.stringify(value)} は切り離しキーとして使えません。ctrl-\\、ctrl-q、ctrl-b,d のように指定してください。`,
  }),
}

export default command<[string], { readOnly?: boolean; detachKey?: string }>({
  summary: { en: "A tab's terminal in yours", ja: 'タブのターミナルを手元のターミナルで使う' },
  order: 4,
  when: { en: "To sit down at a tab's terminal.", ja: 'タブのターミナルを操作するときに。' },
  about: {
    en: 'Several people may be attached to one tab; its size is that of the window used last. When the hub is restarted meanwhile, it reconnects automatically.',
    ja: '1 つのタブに複数の人が接続できます。大きさは最後に使われたウィンドウに合わせます。途中でハブが再起動しても、自動で再接続します。',
  },
  arguments: [{ name: '<tab>', text: argument.tab }],
  options: [
    { flags: '--read-only', text: { en: 'Only look; what is typed is not sent', ja: '閲覧のみ (入力は送らない)' } },
    {
      flags: '--detach-key <key>',
      text: {
        en: 'What leaves without ending it, such as ctrl-q or ctrl-b,d (default: TORYO_DETACH_KEY, else ctrl-\\)',
        ja: '切り離すキー。ctrl-q や ctrl-b,d など (既定: TORYO_DETACH_KEY、なければ ctrl-\\)',
      },
    },
  ],
  examples: [
    ['toryo tab attach feature/login', { en: 'until Ctrl-\\', ja: 'Ctrl-\\ まで' }],
    ['toryo tab attach feature/login --detach-key ctrl-b,d', { en: 'Ctrl-B, then d', ja: 'Ctrl-B の後に d' }],
  ],
  output: null,
  async run(cx, options, given) {
    const { io } = cx
    const name = options.detachKey ?? io.env[TORYO_DETACH_KEY] ?? KEY
    const key = parseDetachKey(name)
    if (!key) throw CliError.USAGE({ text: words.keyWrong(name) })
    const { stdin: input, stdout: output } = io
    if (!(input instanceof tty.ReadStream && output instanceof tty.WriteStream) || cx.global.json)
      throw CliError.USAGE({
        text: {
          en: '`toryo tab attach` needs a terminal for input and output; here is none. Run it in a terminal, without pipes and without --json.',
          ja: '`toryo tab attach` はターミナルの入出力を必要としますが、ここにはありません。パイプや --json を使わず、ターミナルで実行してください。',
        },
      })
    const hub = await cx.connect()
    const tab = await findTab(hub, given)
    const called = await nameOf(hub, tab)
    const endpoint = () => endpointOf(cx)
    const outcome = await attach({ io, input, output, tab, key, readOnly: options.readOnly ?? false, endpoint })
    return tell(cx, called, outcome)
  },
})

/** Its branch, as people know it, unless another live tab has the same. */
async function nameOf(hub: Connection, tabId: string): Promise<string> {
  const { branch } = await hub.call('tab.show', { tab_id: tabId })
  const { tabs } = await listAll(1000, 'tabs', page => hub.call('tab.list', page))
  return tabs.filter(tab => tab.branch === branch).length > 1 ? tabId : branch
}

async function endpointOf(cx: Context) {
  if (cx.global.url !== undefined) {
    const { tokenFor } = await import('../connect.ts')
    return tokenFor(cx.global, cx.io)
  }
  const { url, socket, token, certificate } = await cx.ensure()
  return { url, ...(socket !== undefined && { socket }), token, ...(certificate !== undefined && { certificate }) }
}

function tell({ io }: Context, tab: string, outcome: Outcome): number {
  if (outcome.how === 'refused') throw refusal(tab, outcome.problem)
  if (outcome.how === 'lost') throw CliError.FAILED({ text: words.lost(tab, RECONNECT_MS / 1000) })
  const text = outcome.how === 'detached' ? words.detached(tab) : words.ended(tab, manner(outcome.exit))
  io.stdout.write(`${io.say(text)}\n`)
  return outcome.how === 'ended' && outcome.exit.lost ? EXIT.failed : EXIT.done
}

function manner({ code, signal, lost }: TerminalEnd): Text {
  if (lost)
    return {
      en: 'the process that held its terminal died',
      ja: 'ターミナルを保持していたプロセスが異常終了しました',
    }
  if (signal !== null) return tabTexts.exitSignal(signal)
  return code === null ? tabTexts.exitUnknown : tabTexts.exitCode(code)
}

function refusal(tab: string, { status, message }: TerminalRefused): HubError {
  if (status === 404) return CliError.FAILED({ text: words.noTab(tab) })
  if (status === 401 || status === 403) return CoreError.UNAUTHENTICATED({})
  return CliError.FAILED({ text: { en: message, ja: message } })
}
