import tty from 'node:tty'
import type { TerminalEnd, TerminalRefused } from '#client/terminal-link.ts'
import { CoreError, type HubError, type Text } from '#contract/errors.ts'
import { attach, type Outcome, RECONNECT_MS } from '../attach/attach.ts'
import { parseDetachKey } from '../attach/detach-key.ts'
import { findTab } from '../by-name.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { about, argument, option } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

const KEY = 'ctrl-\\'

export default command<[string], { readOnly?: boolean; detachKey?: string }>({
  about: about.tabAttach,
  arguments: [{ name: '<tab>', text: argument.tab }],
  options: [
    { flags: '--read-only', text: option.readOnly },
    { flags: '--detach-key <key>', text: option.detachKey },
  ],
  examples: [
    ['toryo tab attach feature/login', { en: 'until Ctrl-\\', ja: 'Ctrl-\\ まで' }],
    ['toryo tab attach feature/login --detach-key ctrl-b,d', { en: 'Ctrl-B, then d', ja: 'Ctrl-B の後に d' }],
  ],
  async run(cx, options, given) {
    const { io } = cx
    const name = options.detachKey ?? io.env['TORYO_DETACH_KEY'] ?? KEY
    const key = parseDetachKey(name)
    if (!key) throw CliError.USAGE({ text: tabTexts.keyWrong(name) })
    const { stdin: input, stdout: output } = io
    if (!(input instanceof tty.ReadStream && output instanceof tty.WriteStream) || cx.global.json)
      throw CliError.USAGE({ text: tabTexts.noTerminal })
    const tab = await findTab(await cx.connect(), given)
    const endpoint = () => endpointOf(cx)
    const outcome = await attach({ io, input, output, tab, key, readOnly: options.readOnly ?? false, endpoint })
    return tell(cx, tab, outcome)
  },
})

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
  if (outcome.how === 'lost') throw CliError.FAILED({ text: tabTexts.lost(tab, RECONNECT_MS / 1000) })
  const text = outcome.how === 'detached' ? tabTexts.detached(tab) : tabTexts.ended(tab, manner(outcome.exit))
  io.stdout.write(`${io.say(text)}\n`)
  return outcome.how === 'ended' && outcome.exit.lost ? EXIT.failed : EXIT.done
}

function manner({ code, signal, lost }: TerminalEnd): Text {
  if (lost) return tabTexts.exitLost
  if (signal !== null) return tabTexts.exitSignal(signal)
  return code === null ? tabTexts.exitUnknown : tabTexts.exitCode(code)
}

function refusal(tab: string, { status, message }: TerminalRefused): HubError {
  if (status === 404) return CliError.FAILED({ text: tabTexts.noTab(tab) })
  if (status === 401 || status === 403) return CoreError.UNAUTHENTICATED({})
  return CliError.FAILED({ text: { en: message, ja: message } })
}
