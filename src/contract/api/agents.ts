// Registered agents.
import { z } from 'zod'
import { AgentId, ProjectId, TaskId } from '../id-types.ts'
import { OwnId } from '../own-id.ts'
import { AgentRecord } from '../records.ts'
import { GivenToolsets } from '../toolsets.ts'
import { TaskView } from '../views.ts'
import { EngineId, more, Name, operation, page } from './shapes.ts'

const agent = z.object({ agent_id: AgentId })

/** As the operator sees an agent. */
const FullAgent = AgentRecord.extend({ toolsets: GivenToolsets })

export const agentApi = {
  'agent.add': operation(
    z.object({
      id: OwnId.brand<'AgentId'>().optional(),
      name: Name,
      engine: EngineId,
      role: z.string().max(1000).optional(),
      system_prompt: z.string().max(100_000).optional(),
      toolsets: GivenToolsets.optional(),
    }),
    FullAgent.extend({ passkey: z.string() }),
  ),
  'agent.edit': operation(
    agent.extend({
      name: Name.optional(),
      engine: EngineId.optional(),
      role: z.string().max(1000).optional(),
      system_prompt: z.string().max(100_000).optional(),
    }),
    FullAgent.extend({ system_prompt: z.string() }),
  ),
  'agent.list': operation(z.object(page), z.object({ agents: z.array(FullAgent), ...more })),
  'agent.show': operation(agent, FullAgent.extend({ system_prompt: z.string(), project_ids: z.array(ProjectId) })),
  /** Who gets a task that is to be started and has no assignee; null: no agent of the project can be started. */
  'agent.pick': operation(z.object({ project_id: ProjectId }), z.object({ agent: AgentRecord.nullable() })),
  /** Another one with its engine, instructions, permissions and projects; given a task, in its place on that one. */
  'agent.copy': operation(
    agent.extend({
      name: Name.optional().describe('Default: its name with the next number that is free'),
      task_id: TaskId.optional().describe('A task of that agent that it does not work on now'),
    }),
    FullAgent.extend({ project_ids: z.array(ProjectId), task: TaskView.nullable() }),
  ),
  'agent.toolsets': operation(agent.extend({ toolsets: GivenToolsets }), FullAgent),
  'agent.disable': operation(agent, AgentRecord),
  'agent.enable': operation(agent, AgentRecord),
  'agent.rotate': operation(agent, AgentRecord.extend({ passkey: z.string() })),
}
