import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { textOrFile } from '../options.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

type Options = { all?: boolean; project?: string }

const words = {
  sentTo: (tab: string, id: string) => ({
    en: `Stored for ${tab} (${id}); it is typed when the agent is ready.`,
    ja: `${tab} 宛てに保存しました (${id})。エージェントの準備ができたら入力されます。`,
  }),
}

export default command<[tabOrMessage: string, message?: string], Options>({
  summary: { en: 'Send a message to the agent in a tab', ja: 'タブのエージェントにメッセージを送る' },
  order: 5,
  when: {
    en: 'To write to an agent in a tab while it works.',
    ja: '作業中のタブのエージェントに伝えたいことがあるときに。',
  },
  about: {
    en: 'The message is stored, then typed as one line when the agent is ready for it: never into a dialog, never behind a half-typed line.',
    ja: 'メッセージは保存され、エージェントの準備ができたときに 1 行として入力されます。ダイアログや入力途中の行には入力しません。',
  },
  arguments: [
    { name: '<tab>', text: argument.tab },
    { name: '[message]', text: argument.message },
  ],
  options: [
    {
      flags: '--all',
      text: {
        en: 'To all live tabs; then only the message is given',
        ja: '稼働中のすべてのタブへ送る (メッセージのみ指定)',
      },
    },
    projectOption,
  ],
  examples: [
    [
      'toryo tab send tab_… "The API has changed, see docs/api.md"',
      { en: 'typed when it is ready', ja: '準備ができたら入力される' },
    ],
    ['toryo tab send --all "Rebasing main, please wait"', { en: 'to every live tab', ja: '稼働中のすべてのタブへ' }],
  ],
  output: 'tab.send',
  async run(cx, { all, project }, first, second) {
    const given = all ? first : second
    if (given === undefined || (all && second !== undefined))
      throw CliError.USAGE({
        text: {
          en: 'Give a tab and a message, or --all and a message.',
          ja: 'タブとメッセージ、または --all とメッセージを指定してください。',
        },
      })
    const message = textOrFile(given, cx.io.cwd) ?? given
    const hub = await cx.connect()
    const to = all ? { project_id: await projectHere(cx, hub, project) } : { tab_id: first }
    const sent = await hub.call('tab.send', { ...to, message })
    const [one] = sent.messages
    if (!one) return { json: sent, text: '', note: cx.io.say(tabTexts.none) }
    return {
      json: sent,
      text: cx.io.say(
        all
          ? tabTexts.sentToAll(sent.messages.filter(({ state }) => state === 'queued').length)
          : words.sentTo(one.to, one.message_id),
      ),
    }
  },
})
