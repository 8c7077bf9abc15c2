import { z } from 'zod'
import { AgentId } from '#contract/id-types.ts'
import { AgentView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Agents } from '../agents.ts'
import type { Memberships } from '../ports.ts'
import { agentView } from '../views.ts'

export default tool({
  name: 'get_agent_profile',
  toolset: 'projects',
  title: 'Get an agent',
  description: "Get an agent's name, role, engine and projects.",
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ agent_id: AgentId }),
  output: z.object({ ...success, agent: AgentView.extend({ project_ids: z.array(z.string()) }) }),
  async run({ agents, projects }: { agents: Agents; projects: Memberships }, input) {
    const agent = await agents.get(input.agent_id)
    return { ...SUCCESS, agent: { ...agentView(agent), project_ids: await projects.projectsOf(agent.id) } }
  },
})
