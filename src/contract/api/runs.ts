// Roles, crews and runs; executions of agents on tasks.
import { z } from 'zod'
import { CREW_MODES, PROMPT_MAX } from '../crews.ts'
import { AgentId, CrewId, ProjectId, RunId, TaskId } from '../id-types.ts'
import { CrewRecord, CrewRunRecord, CrewRunStatus, ExecutionDetail, RoleRecord, TaskExecution } from '../records.ts'
import { more, operation, page } from './shapes.ts'

const CrewTask = z.object({
  role: z.string().min(1),
  prompt: z.string().max(PROMPT_MAX).regex(/\S/, 'must not be empty'),
  workingDirectory: z.string().max(4096).optional(),
  timeout_ms: z.number().positive().optional(),
})

/** For people: the whole prompt, and where the log is. */
const RunDetails = CrewRunRecord.extend({
  project_id: ProjectId.nullable(),
  depth: z.int(),
  started_by: z.string(),
  log_file: z.string(),
  task_id: TaskId.nullable().describe('The task in whose workspace it works'),
  reason: z.string().nullable().describe('Why it ended, and what to do; null: it reported, or goes on'),
  denied_tools: z.array(z.string()),
})

export const runApi = {
  'role.list': operation(
    z.object({ refresh: z.boolean().optional().describe('Ask every engine again') }),
    z.object({ roles: z.array(RoleRecord) }),
  ),
  'crew.run': operation(
    z.object({
      description: z.string().max(10_000).optional(),
      mode: z.enum(CREW_MODES),
      /** Side by side there is one. */
      stages: z
        .array(z.object({ tasks: z.array(CrewTask).min(1).max(1000) }))
        .min(1)
        .max(100),
      on_failure: z.enum(['stop', 'continue']).optional(),
      directory: z.string().min(1).max(4096).optional().describe('Left out for a task, which has its own'),
      task_id: TaskId.optional().describe('They work in the workspace of this task'),
    }),
    z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord) }),
  ),
  'crew.list': operation(
    z.object(page),
    z.object({
      crews: z.array(CrewRecord.omit({ run_ids: true }).extend({ runs: z.int(), open: z.int() })),
      ...more,
    }),
  ),
  'crew.show': operation(
    z.object({ crew_id: CrewId }),
    z.object({
      crew: CrewRecord,
      runs: z.array(CrewRunRecord),
      last_event: z.int().describe('Follow /events from here to see what changes'),
    }),
  ),
  'crew.stop': operation(
    z.object({ crew_id: CrewId }),
    z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord).describe('Those that had not ended') }),
  ),
  /** The same runs once more, as a crew of their own. */
  'crew.repeat': operation(
    z.object({
      crew_id: CrewId,
      only_failed: z.boolean().optional().describe('Only those that did not succeed; of a plan, in its order'),
    }),
    z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord) }),
  ),
  'crew.delete': operation(z.object({ crew_id: CrewId }), z.object({ crew: CrewRecord })),
  'run.list': operation(
    z.object({ crew_id: CrewId.optional(), status: CrewRunStatus.optional(), ...page }),
    z.object({ runs: z.array(CrewRunRecord), ...more }),
  ),
  'run.show': operation(z.object({ run_id: RunId }), RunDetails),
  /** Agents on tasks, the newest first, also long ended ones. */
  'execution.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      task_id: TaskId.optional(),
      agent_id: AgentId.optional(),
      open: z.boolean().optional().describe('true: only those that go on; false: only those that have ended'),
      ...page,
    }),
    z.object({ executions: z.array(TaskExecution), ...more }),
  ),
  'execution.show': operation(z.object({ execution_id: RunId }), ExecutionDetail),
  /** Ends the agent on a task; the task is todo again, so that it is not started again. */
  'execution.stop': operation(z.object({ execution_id: RunId }), ExecutionDetail),
  'run.stop': operation(z.object({ run_id: RunId }), RunDetails),
  /** The same once more, in a crew of its own. */
  'run.repeat': operation(z.object({ run_id: RunId }), z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord) })),
  'run.logs': operation(
    z.object({
      run_id: RunId,
      offset: z.int().min(0).optional(),
      /** Without an offset: only so much of the end. */
      tail_bytes: z.int().min(0).optional(),
      wait_ms: z.int().min(0).max(30_000).optional(),
    }),
    z.object({
      text: z.string(),
      /** Where to go on. */
      next_offset: z.int(),
      /** Nothing more will come. */
      ended: z.boolean(),
      /** The middle of it was dropped since the last look. */
      shortened: z.boolean().optional(),
    }),
  ),
}
