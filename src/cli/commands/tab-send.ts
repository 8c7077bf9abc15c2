import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

type Options = { all?: boolean; project?: string }

export default command<[tabOrMessage: string, message?: string], Options>({
  about: about.tabSend,
  arguments: [
    { name: '<tab>', text: argument.tab },
    { name: '[message]', text: argument.message },
  ],
  options: [
    { flags: '--all', text: option.toAllTabs },
    { flags: '--project <project>', text: option.project },
  ],
  examples: [
    [
      'toryo tab send tab_… "The API has changed, see docs/api.md"',
      { en: 'typed when it is ready', ja: '準備ができたら入力される' },
    ],
    ['toryo tab send --all "Rebasing main, please wait"', { en: 'to every live tab', ja: '稼働中のすべてのタブへ' }],
  ],
  async run(cx, { all, project }, first, second) {
    const given = all ? first : second
    if (given === undefined || (all && second !== undefined)) throw CliError.USAGE({ text: tabTexts.sendUsage })
    const message = textOrFile(given, cx.io.cwd) ?? given
    const hub = await cx.connect()
    const to = all ? { project_id: project } : { tab_id: first }
    const sent = await hub.call('tab.send', { ...to, message })
    const [one] = sent.messages
    if (!one) return { json: sent, text: '', note: cx.io.say(tabTexts.none) }
    return {
      json: sent,
      text: cx.io.say(
        all
          ? tabTexts.sentToAll(sent.messages.filter(({ state }) => state === 'queued').length)
          : tabTexts.sentTo(one.to, one.message_id),
      ),
    }
  },
})
