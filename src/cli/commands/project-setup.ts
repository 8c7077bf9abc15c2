import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument, option } from '../texts-help.ts'
import { worktreeTexts } from '../texts-worktree.ts'

export default command<[project: string], { trust?: boolean }>({
  arguments: [{ name: '<project>', text: argument.project }],
  options: [{ flags: '--trust', text: option.trustSetup }],
  examples: [
    ['toryo project setup shop', { en: 'shows the command', ja: 'コマンドを表示' }],
    [
      'toryo project setup shop --trust',
      { en: 'allows that of .toryo/config.json', ja: '.toryo/config.json のものを許可' },
    ],
  ],
  async run(cx, { trust }, project_id) {
    const { io } = cx
    const hub = await cx.connect()
    const plan = await hub.call(trust ? 'worktree.setup.trust' : 'worktree.setup.show', { project_id })
    if (plan.command === null) return { json: plan, text: '', note: io.say(worktreeTexts.noSetup) }
    const shown = plan.command
      .map(part => visibleLine(/^[\w./:=@%+-]+$/.test(part) ? part : JSON.stringify(part)))
      .join(' ')
    const text = plan.trusted ? worktreeTexts.runs(shown) : worktreeTexts.untrusted(shown, project_id)
    return { json: plan, text: io.say(text) }
  },
})
