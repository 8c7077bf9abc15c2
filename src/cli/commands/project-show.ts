import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { moment, pairs } from '../format.ts'
import { needProject } from '../project-here.ts'
import { stateText } from '../states.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

const WORKSPACE = {
  task: { en: 'one for each task', ja: 'タスクごと (task)' },
  folder: { en: 'the folder itself', ja: 'フォルダーで作業 (folder)' },
}
const ACCEPT = {
  report: { en: "the agent's report", ja: 'エージェントの報告 (report)' },
  checks: { en: 'passed checks', ja: 'チェックの合格 (checks)' },
  person: { en: 'a person', ja: '人 (person)' },
  agent: { en: 'the reviewing agent', ja: 'レビュー担当のエージェント (agent)' },
}

export default command<[project?: string]>({
  summary: { en: 'Show a project and its agents', ja: 'プロジェクトとその担当を表示' },
  order: 3,
  when: {
    en: 'To see the settings of a project and who works on it.',
    ja: 'プロジェクトの設定と担当を確認するときに。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  examples: [
    ['toryo project show', { en: "this folder's", ja: 'このフォルダーのもの' }],
    ['toryo project show shop', { en: 'by its key', ja: 'キーで指定' }],
  ],
  output: 'project.show',
  async run(cx, _, given) {
    const { io } = cx
    const hub = await cx.connect()
    const project = await hub.call('project.show', { project_id: await needProject(cx, hub, given) })
    const nameOf = await agentNames(cx, hub)
    const facts = () =>
      pairs(
        [
          [io.say(texts.status), stateText(project.status, io)],
          [io.say({ en: 'id', ja: 'ID' }), visibleLine(project.project_id)],
          [io.say({ en: 'number', ja: '番号' }), String(project.number)],
          [io.say(texts.directory), project.working_directory && visibleLine(project.working_directory)],
          [io.say({ en: 'workspace', ja: 'ワークスペース' }), io.say(WORKSPACE[project.workspace])],
          [io.say({ en: 'base', ja: 'ベース' }), project.base && visibleLine(project.base)],
          [io.say({ en: 'accepted by', ja: '承認' }), io.say(ACCEPT[project.accept])],
          [
            io.say({ en: 'reviewer', ja: 'レビュー担当' }),
            project.reviewer_id && visibleLine(nameOf(project.reviewer_id)),
          ],
          [io.say({ en: 'merged by', ja: 'マージ方法' }), project.workspace === 'task' ? project.merge : null],
          [io.say({ en: 'Asana', ja: 'Asana' }), project.asana_url && visibleLine(project.asana_url)],
          [io.say({ en: 'agents', ja: 'エージェント' }), project.agents.map(id => visibleLine(nameOf(id))).join('\n')],
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
