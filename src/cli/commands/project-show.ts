import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { moment, pairs } from '../format.ts'
import { statusColour } from '../status-colour.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[project: string]>({
  summary: { en: 'Show a project and its agents', ja: 'プロジェクトとその担当を表示' },
  order: 3,
  arguments: [{ name: '<project>', text: argument.project }],
  examples: [['toryo project show shop', { en: 'by its key', ja: 'キーで指定' }]],
  async run(cx, _, projectId) {
    const { io } = cx
    const hub = await cx.connect()
    const project = await hub.call('project.show', { project_id: projectId })
    const facts = () =>
      pairs(
        [
          [io.say(texts.status), statusColour(io)(project.status)],
          [io.say({ en: 'id', ja: 'ID' }), visibleLine(project.project_id)],
          [io.say({ en: 'number', ja: '番号' }), String(project.number)],
          [io.say(texts.directory), project.working_directory && visibleLine(project.working_directory)],
          [io.say({ en: 'Asana', ja: 'Asana' }), project.asana_url && visibleLine(project.asana_url)],
          [io.say({ en: 'agents', ja: 'エージェント' }), project.agents.map(visibleLine).join('\n')],
          [io.say(texts.created), moment(project.created_at, io)],
          [io.say(texts.description), visible(project.description)],
        ],
        io,
      )
    return {
      json: project,
      text: () => `${io.colors.bold(visibleLine(project.name))} (${project.key})\n${facts()}`,
    }
  },
})
