import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[project: string]>({
  summary: { en: 'Put a project away; nothing is deleted', ja: 'プロジェクトをアーカイブ (何も削除しない)' },
  order: 7,
  when: {
    en: 'When a project is finished, or rests; nothing is deleted.',
    ja: 'プロジェクトが終わったときや休むときに。何も削除しません。',
  },
  arguments: [{ name: '<project>', text: argument.project }],
  examples: [
    ['toryo project archive shop', { en: 'its agents are started no more', ja: 'エージェントは開始されなくなる' }],
  ],
  output: 'project.archive',
  async run(cx, _, projectId) {
    const hub = await cx.connect()
    const project = await hub.call('project.archive', { project_id: projectId })
    return { json: project, text: cx.io.say(texts.nowIs(visibleLine(project.name), project.status)) }
  },
})
