import { z } from 'zod'
import { ReportStatus, SUMMARY_MAX } from '#contract/crews.ts'
import { RunId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import { mayReportFor } from '../access.ts'
import type { CrewRuns } from '../crew-runs.ts'
import type { RunProcesses } from '../processes.ts'

type Services = { crewRuns: CrewRuns; processes: Pick<RunProcesses, 'facts'> }

const files = z.array(z.string().max(4096)).max(2000)

export default tool({
  name: 'report_result',
  toolset: 'crews',
  title: 'Report a result',
  description: 'Report what came of your work as an agent of a group, as your last step. Then end.',
  effect: 'write',
  idempotent: true,
  evenFenced: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['run', 'lone-run'],
  input: z.object({
    agentId: RunId.describe('Your own id (run_…)'),
    status: ReportStatus.describe('How your work ended'),
    summary: z.string().max(SUMMARY_MAX).describe('What you did and found; others see only this'),
    editedFiles: files.optional().describe('Paths of the files you changed (default: none)'),
    createdFiles: files.optional().describe('Paths of the files you created (default: none)'),
    errorMessage: z.string().max(SUMMARY_MAX).optional().describe('What went wrong (default: nothing)'),
  }),
  output: z.object({ registered: z.literal(true), agentId: z.string() }),
  async run({ crewRuns, processes }: Services, input, { caller, connection }) {
    const { agentId, editedFiles = [], createdFiles = [], ...said } = input
    await crewRuns.get(agentId, caller)
    mayReportFor(agentId, connection?.opener.kind === 'run' ? connection.opener : caller)
    await crewRuns.report(agentId, { ...said, editedFiles, createdFiles }, caller, processes.facts(agentId))
    return { registered: true as const, agentId }
  },
})
