import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const words = {
  unassigned: (agent: string, project: string) => ({
    en: `${agent} no longer works on ${project}.`,
    ja: `${agent} の ${project} への割り当てを外しました。`,
  }),
}

export default command<[project: string, agent: string]>({
  summary: { en: 'Take an agent off a project', ja: 'エージェントの割り当てを外す' },
  order: 6,
  when: { en: 'When an agent should no longer work on a project.', ja: 'エージェントをプロジェクトから外すときに。' },
  arguments: [
    { name: '<project>', text: argument.project },
    { name: '<agent>', text: argument.agent },
  ],
  examples: [['toryo project unassign shop hanako', { en: 'from now on', ja: '以後担当しない' }]],
  output: 'project.unassign',
  async run(cx, _, projectId, agentId) {
    const hub = await cx.connect()
    const member = await hub.call('project.unassign', { project_id: projectId, agent_id: agentId })
    const nameOf = await agentNames(cx, hub)
    const { name } = await hub.call('project.show', { project_id: member.project_id })
    return { json: member, text: cx.io.say(words.unassigned(visibleLine(nameOf(member.agent_id)), visibleLine(name))) }
  },
})
