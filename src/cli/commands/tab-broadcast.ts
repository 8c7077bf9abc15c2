import { command } from '../define.ts'
import { textOrFile } from '../options.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

export default command<[message: string], { project?: string }>({
  summary: { en: 'Send a message to all live tabs', ja: '稼働中のすべてのタブにメッセージを送る' },
  order: 6,
  when: {
    en: 'To send one message to all agents in tabs.',
    ja: 'すべてのタブのエージェントに同じことを伝えるときに。',
  },
  arguments: [{ name: '<message>', text: argument.message }],
  options: [projectOption],
  examples: [
    ['toryo tab broadcast "Rebasing main, please wait"', { en: 'to every live tab', ja: '稼働中のすべてのタブへ' }],
  ],
  output: 'tab.send',
  async run(cx, { project }, given) {
    const { io } = cx
    const message = textOrFile(given, io.cwd) ?? given
    const hub = await cx.connect()
    const sent = await hub.call('tab.send', { project_id: await projectHere(cx, hub, project), message })
    if (sent.messages.length === 0) return { json: sent, text: '', note: io.say(tabTexts.none) }
    const queued = sent.messages.filter(({ state }) => state === 'queued').length
    return { json: sent, text: io.say(tabTexts.sentToAll(queued)) }
  },
})
