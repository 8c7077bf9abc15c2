import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { DecisionView, ProjectHandle } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, text } from '../fields.ts'
import type { Memory } from '../service.ts'
import { decisionView } from '../views.ts'

export default tool({
  name: 'add-decision',
  toolset: 'memory',
  title: 'Add a decision',
  description:
    'Record what was decided and why. Records are never changed: a decision that replaces an earlier one names it in supersedes.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({
    topic_id: Id.nullish().describe('Topic that it settles (default: none)'),
    decision: text('What was decided'),
    reason: text('Why it was decided'),
    project_id: ProjectHandle.nullish().describe(
      'Project number or id, without a topic; with neither it holds in every project',
    ),
    supersedes: Id.nullish().describe('Decision that it replaces (default: none)'),
    task_ids: z.array(TaskId).max(50).optional().describe('Tasks whose agents should know it (default: none)'),
  }),
  output: DecisionView.omit({ id: true }).extend({ decision_id: z.int() }),
  async run({ memory }: { memory: Memory }, input, call) {
    const fresh = {
      topicId: input.topic_id ?? null,
      project: input.project_id ?? undefined,
      decision: input.decision,
      reason: input.reason,
      supersedes: input.supersedes ?? null,
      taskIds: input.task_ids ?? [],
    }
    const { id, ...view } = decisionView(await memory.addDecision(fresh, call.caller))
    return { decision_id: id, ...view }
  },
})
