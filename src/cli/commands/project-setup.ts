import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { needProject } from '../project-here.ts'
import { argument } from '../texts-help.ts'
import { worktreeTexts } from '../texts-worktree.ts'

const words = {
  runs: (command: string) => ({ en: `New worktrees run: ${command}`, ja: `新しいワークツリーで実行: ${command}` }),
  untrusted: (command: string, project: string) => ({
    en: `.toryo/config.json names a command that is not allowed yet: ${command}\nLook at it, then allow it with \`toryo project setup ${project} --trust\`.`,
    ja: `.toryo/config.json のコマンドはまだ許可されていません: ${command}\n内容を確認し、\`toryo project setup ${project} --trust\` で許可してください。`,
  }),
}

export default command<[project?: string], { trust?: boolean }>({
  summary: {
    en: 'Show or allow the command that prepares new worktrees',
    ja: '新しいワークツリーのセットアップを表示・許可',
  },
  order: 10,
  when: {
    en: 'To see or allow what prepares each new worktree (npm ci, …).',
    ja: '新しいワークツリーの準備コマンドを確認・許可するときに。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [
    {
      flags: '--trust',
      text: {
        en: 'Allow exactly the command that .toryo/config.json names now',
        ja: '.toryo/config.json の現在のコマンドを許可する',
      },
    },
  ],
  examples: [
    ['toryo project setup shop', { en: 'shows the command', ja: 'コマンドを表示' }],
    [
      'toryo project setup shop --trust',
      { en: 'allows that of .toryo/config.json', ja: '.toryo/config.json のものを許可' },
    ],
  ],
  output: 'worktree.setup.show',
  async run(cx, { trust }, given) {
    const { io } = cx
    const hub = await cx.connect()
    const project_id = await needProject(cx, hub, given)
    const plan = await hub.call(trust ? 'worktree.setup.trust' : 'worktree.setup.show', { project_id })
    if (plan.command === null) return { json: plan, text: '', note: io.say(worktreeTexts.noSetup) }
    const shown = plan.command
      .map(part => visibleLine(/^[\w./:=@%+-]+$/.test(part) ? part : JSON.stringify(part)))
      .join(' ')
    const text = plan.trusted ? words.runs(shown) : words.untrusted(shown, project_id)
    return { json: plan, text: io.say(text) }
  },
})
