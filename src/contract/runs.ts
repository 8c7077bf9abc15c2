import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { AgentId, CrewId, RunId, TaskId } from './id-types.ts'
import { Usage } from './usage.ts'

/** The pool of slots that everything shares that starts an engine without a terminal. */
export const RUN_SLOTS = 'runs'

const fixed = (sentence: string) => () => ({ en: sentence, ja: sentence })

export const RunError = errors({
  INVALID_SESSION_OR_TASK: error('unauthenticated', fixed('Invalid session_token or task_id')),
  INVALID_EXECUTION_OR_SESSION: error('unauthenticated', fixed('Invalid execution_id or session_token')),
  EXECUTION_NOT_FOUND: error('not-found', (p: { runId: string }) => ({
    en: `Execution ${p.runId} not found. Use list_execution_logs to list them.`,
    ja: `実行記録 ${p.runId} はありません。list_execution_logs で最近のものを確認できます。`,
  })),
  RUN_NOT_FOUND: error('not-found', (p: { runId: string }) => ({
    en: `Run ${p.runId} not found. Use \`toryo run list\` to list them.`,
    ja: `実行 ${p.runId} はありません。\`toryo run list\` で最近のものを確認できます。`,
  })),
  RUN_ENDED: error('forbidden', (p: { runId: string }) => ({
    en: `Run ${p.runId} has ended; this connection may no longer write. Stop working.`,
    ja: `実行 ${p.runId} は終了しています。この接続からは書き込めません。作業を終了してください。`,
  })),
})

const run = z.object({ runId: RunId, taskId: TaskId.nullable(), crewId: CrewId.nullable() })
type RunFact = z.infer<typeof run>
const touchesRun = (p: RunFact) => (p.taskId === null ? [] : [`execution://${p.runId}`, `executions://${p.taskId}`])

export const RunStarted = eventType(
  'run.started',
  run.extend({
    agentId: AgentId.nullable(),
    role: z.string().optional(),
    engine: z.string().nullable().optional(),
    stage: z.int().nullable().optional(),
  }),
  touchesRun,
)
/** Its agent got the task; `startedFor` is another where it was started for that. */
export const RunTaken = eventType(
  'run.taken',
  run.extend({ agentId: AgentId, startedFor: TaskId }),
  (p: RunFact & { startedFor: string }) => [...new Set([...touchesRun(p), `executions://${p.startedFor}`])],
)
export const RunEnded = eventType(
  'run.ended',
  run.extend({
    outcome: z.string(),
    reason: z.string().nullable(),
    result: z.string().optional().describe('What an agent on a task reported: `blocked` is a question and no failure'),
    toolCalls: z.int().optional(),
    tokens: Usage.optional(),
    costUsd: z.number().optional(),
  }),
  touchesRun,
)
/** It had ended before its process did; now exit code, log and cost are known, too. */
export const RunSettled = eventType('run.settled', run, touchesRun)
/** What its output said since the last time, summed up. */
export const RunProgressed = eventType(
  'run.progressed',
  run.extend({
    toolCalls: z.int(),
    files: z.int(),
    message: z.string().nullable(),
    tokens: Usage.optional(),
    costUsd: z.number().optional(),
  }),
)
export const RunStopAsked = eventType('run.stop_asked', run.extend({ reason: z.string() }))

export const EnginePaused = eventType(
  'engine.paused',
  z.object({ engine: z.string(), until: z.int(), reason: z.string() }),
)
export const EngineResumed = eventType('engine.resumed', z.object({ engine: z.string() }))
