// Tasks that are passed on.
import { z } from 'zod'
import { AgentId, HandoffId, ProjectId, TaskId } from '../id-types.ts'
import { HandoffView } from '../views.ts'
import { more, operation, page } from './shapes.ts'

const Text = z.string().trim().min(1).max(100_000)

export const handoffApi = {
  /** Those that can still be accepted, oldest first. */
  'handoff.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      task_id: TaskId.optional(),
      agent_id: AgentId.optional().describe('Only what this agent may accept'),
      ...page,
    }),
    z.object({ handoffs: z.array(HandoffView), ...more }),
  ),
  'handoff.add': operation(
    z.object({
      task_id: TaskId,
      from_agent_id: AgentId,
      to_agent_id: AgentId.nullish().describe('Gets the task at once; without: it waits until it is given to an agent'),
      summary: Text.describe('What is done and what is left'),
      context: Text.optional(),
      recommendations: Text.optional(),
    }),
    HandoffView,
  ),
  'handoff.accept': operation(
    z.object({ handoff_id: HandoffId, agent_id: AgentId.describe('Goes on with the task') }),
    HandoffView,
  ),
}
