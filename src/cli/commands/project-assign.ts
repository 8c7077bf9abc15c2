import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const words = {
  assigned: (agent: string, project: string) => ({
    en: `${agent} now works on ${project}.`,
    ja: `${agent} を ${project} に割り当てました。`,
  }),
}

export default command<[project: string, agent: string]>({
  summary: { en: 'Let an agent work on a project', ja: 'エージェントをプロジェクトに割り当てる' },
  order: 5,
  when: {
    en: 'Before an agent can get tasks of a project.',
    ja: 'エージェントにプロジェクトのタスクを任せる前に使います。',
  },
  arguments: [
    { name: '<project>', text: argument.project },
    { name: '<agent>', text: argument.agent },
  ],
  examples: [['toryo project assign shop hanako', { en: 'from now on', ja: '以後担当する' }]],
  output: 'project.assign',
  async run(cx, _, projectId, agentId) {
    const hub = await cx.connect()
    const member = await hub.call('project.assign', { project_id: projectId, agent_id: agentId })
    const nameOf = await agentNames(cx, hub)
    const { name } = await hub.call('project.show', { project_id: member.project_id })
    return { json: member, text: cx.io.say(words.assigned(visibleLine(nameOf(member.agent_id)), visibleLine(name))) }
  },
})
