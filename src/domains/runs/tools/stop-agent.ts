import { z } from 'zod'
import type { Caller } from '#contract/caller.ts'
import { RunStatus } from '#contract/crews.ts'
import { RunId } from '#contract/id-types.ts'
import { type Call, tool } from '#kernel/tool.ts'
import type { CrewRuns } from '../crew-runs.ts'
import type { Waiting } from '../waiting.ts'

type Services = { crewRuns: CrewRuns; waiting: Waiting }

const input = z.object({ agentId: RunId })
const output = z.object({
  agentId: RunId,
  stopped: z.boolean().describe('It has ended; else it is still being ended: wait_agent waits for that'),
  status: RunStatus,
})

export default tool<Services, typeof input, typeof output>({
  name: 'stop_agent',
  toolset: 'crews',
  title: 'Stop an agent',
  description:
    'End an agent that you started in a group, and wait until it has ended. One that has ended stays as it is.',
  effect: 'destroy',
  idempotent: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input,
  output,
  async run({ crewRuns }, { agentId }, call) {
    const run = await crewRuns.stop(agentId, starterOf(call))
    return { agentId, stopped: run.endedAt !== null, status: crewRuns.summary(run).status }
  },
  async after({ crewRuns, waiting }, { agentId }, call) {
    const caller = starterOf(call)
    const { signal } = call
    await waiting.forEnd([agentId], 'all', undefined, { caller, signal, progress: call.progress.bind(call) })
    const run = await crewRuns.get(agentId, caller)
    return { agentId, stopped: run.endedAt !== null, status: crewRuns.summary(run).status }
  },
})

/** As what it starts is written down: a run or a tab that signed in as an agent is still that run or tab. */
function starterOf({ caller, connection }: Call): Caller {
  const opener = connection?.opener
  return opener?.kind === 'run' || opener?.kind === 'tab' ? opener : caller
}
