import { command } from '../define.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[project: string, agent: string]>({
  arguments: [
    { name: '<project>', text: argument.project },
    { name: '<agent>', text: argument.agent },
  ],
  examples: [['toryo project unassign shop hanako', { en: 'from now on', ja: '以後担当しない' }]],
  async run(cx, _, projectId, agentId) {
    const hub = await cx.connect()
    const member = await hub.call('project.unassign', { project_id: projectId, agent_id: agentId })
    return { json: member, text: cx.io.say(texts.unassigned(member.agent_id, member.project_id)) }
  },
})
