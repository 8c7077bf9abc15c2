import type { WorkView } from './work.ts'
import type { Live } from '../../hub/live.ts'
import { keys, type Work } from './queries.ts'

type Payload = { runId?: string; crewId?: string | null; groupId?: string; agentId?: string | null }

const changed: Live[string] = (event, { refetch }) => {
  const { runId, crewId, groupId, agentId } = event.payload as Payload
  refetch(keys.work)
  refetch(keys.working)
  // Of a crew's own events `agentId` is a run.
  for (const run of [runId, agentId]) if (run?.startsWith('run_') || run?.startsWith('exec_')) refetch(keys.run(run))
  const crew = crewId ?? groupId
  if (crew !== undefined && crew !== null) refetch(keys.crew(crew))
  refetch(['crew-agent'])
}

type Progress = { runId: string; crewId: string | null; toolCalls: number }

const LOOK_MS = 1500
let isDue = false

/** Heard twice a second of each run: its calls are counted on, and what it did last is asked for now and then, for all at once. */
const progressed: Live[string] = (event, { queries, refetch }) => {
  const { runId, crewId, toolCalls } = event.payload as Progress
  queries.setQueryData<Work>(keys.work, before => {
    if (!before || event.seq <= before.seq) return before
    const patch = (work: WorkView) => (work.id === runId ? { ...work, tool_calls: toolCalls } : work)
    return { ...before, work: before.work.map(patch) }
  })
  refetch(keys.run(runId))
  if (crewId !== null) refetch(keys.crew(crewId))
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    refetch(keys.work)
  }, LOOK_MS)
}

const CHANGES = [
  ...['group:created', 'group:deleted', 'agent:created', 'agent:result_reported', 'stage.started', 'plan.ended'],
  ...['run.started', 'run.taken', 'run.ended', 'run.settled', 'run.stop_asked'],
  ...['instance.start_claimed', 'instance.signed_in', 'instance.signed_out', 'instance.ended', 'instance.lost'],
  ...['tab.created', 'tab.opened', 'tab.status_changed', 'tab.stop_requested', 'tab.ended'],
]

const roles: Live[string] = (_, { refetch }) => refetch(keys.roles)

export const live: Live = {
  ...Object.fromEntries(CHANGES.map(type => [type, changed])),
  'run.progressed': progressed,
  'engine.paused': roles,
  'engine.resumed': roles,
  'config.changed': roles,
}
