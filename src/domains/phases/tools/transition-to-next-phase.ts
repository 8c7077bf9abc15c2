import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { PhaseResult, PHASES } from '#contract/phases.ts'
import { iso } from '#kernel/clock.ts'
import { looseEnum, tool } from '#kernel/tool.ts'
import { phaseNamed } from '../model.ts'
import type { Phases } from '../service.ts'
import { contextInput, type Whereabouts, whereabouts, whereInput } from '../whereabouts.ts'
import { transitionMessage } from '../words.ts'

export default tool({
  name: 'transition_to_next_phase',
  toolset: 'phases',
  title: 'Finish a phase',
  description:
    'Report the result of the phase in progress; completed and partial start the next phase, failed does not. Then call inject_phase_prompt for nextPhase.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({
    currentPhase: looseEnum(PHASES).describe('The phase in progress'),
    result: PhaseResult.describe('The outcome; further fields are kept'),
    context: contextInput,
    ...whereInput,
  }),
  output: z.object({
    message: z.string(),
    nextPhase: z.string().nullable(),
    transitionedAt: z.string(),
    project_id: z.string(),
    missing: z.array(z.string()).optional().describe('Required files that are not there'),
  }),
  async prepare({ phases }: { phases: Phases }, input, call): Promise<{ where: Whereabouts; missing: string[] }> {
    const phase = phaseNamed(input.currentPhase)
    const where = await whereabouts(input, call)
    // An agent may work in a worktree of its own; what it made there counts.
    const named = [input.context?.projectPath, call.connection?.directory].filter(folder => folder !== undefined)
    const folders = named.filter(folder => isAbsolute(folder))
    return { where, missing: await phases.missing(where, phase, call.lang, folders, call.caller) }
  },
  async run({ phases }, input, { prepared: { where, missing }, caller, lang }) {
    const phase = phaseNamed(input.currentPhase)
    const transition = await phases.transition(where, phase, input.result, missing, caller)
    return {
      message: transitionMessage(transition, lang),
      nextPhase: transition.nextPhase,
      transitionedAt: iso(transition.at),
      project_id: transition.projectId,
      ...(transition.missing.length > 0 && { missing: transition.missing }),
    }
  },
  text: output => output.message,
  topLevel: ({ nextPhase, transitionedAt }) => ({ nextPhase, transitionedAt }),
})
