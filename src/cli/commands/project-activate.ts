import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[project: string]>({
  summary: { en: 'Take an archived project up again', ja: 'アーカイブしたプロジェクトを再開' },
  order: 8,
  when: { en: 'When an archived project goes on.', ja: 'アーカイブしたプロジェクトを再開するときに。' },
  arguments: [{ name: '<project>', text: argument.project }],
  examples: [['toryo project activate shop', { en: 'as it was before', ja: '元どおりに' }]],
  output: 'project.activate',
  async run(cx, _, projectId) {
    const hub = await cx.connect()
    const project = await hub.call('project.activate', { project_id: projectId })
    return { json: project, text: cx.io.say(texts.nowIs(visibleLine(project.name), project.status)) }
  },
})
