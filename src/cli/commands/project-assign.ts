import { command } from '../define.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[project: string, agent: string]>({
  arguments: [
    { name: '<project>', text: argument.project },
    { name: '<agent>', text: argument.agent },
  ],
  examples: [['toryo project assign shop hanako', { en: 'from now on', ja: '以後担当する' }]],
  async run(cx, _, projectId, agentId) {
    const hub = await cx.connect()
    const member = await hub.call('project.assign', { project_id: projectId, agent_id: agentId })
    return { json: member, text: cx.io.say(texts.assigned(member.agent_id, member.project_id)) }
  },
})
