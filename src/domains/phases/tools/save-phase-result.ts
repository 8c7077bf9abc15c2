import { z } from 'zod'
import { PHASES } from '#contract/phases.ts'
import { iso } from '#kernel/clock.ts'
import { looseEnum, tool } from '#kernel/tool.ts'
import { phaseNamed } from '../model.ts'
import type { Phases } from '../service.ts'
import { contextInput, type Whereabouts, whereabouts, whereInput } from '../whereabouts.ts'
import { savedMessage } from '../words.ts'

export default tool({
  name: 'save_phase_result',
  toolset: 'phases',
  title: 'Save a checkpoint',
  description: 'Save an interim result of a phase without moving on, so that nothing is lost if you are stopped.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({
    phase: looseEnum(PHASES).describe('The phase in progress'),
    result: z
      .object({
        checkpoint: z.string().min(1).max(500).describe('Name for this state of the work'),
        data: z.record(z.string(), z.unknown()).describe('What is needed to go on from here; any JSON object'),
      })
      .describe('The state to save'),
    context: contextInput,
    ...whereInput,
  }),
  output: z.object({ message: z.string(), savedAt: z.string(), project_id: z.string() }),
  async prepare(_services: { phases: Phases }, input, call): Promise<Whereabouts> {
    phaseNamed(input.phase)
    return whereabouts(input, call)
  },
  async run({ phases }, input, { prepared: where, caller, lang }) {
    const phase = phaseNamed(input.phase)
    const { checkpoint, data } = input.result
    const { projectId, at } = await phases.save(where, phase, checkpoint, data, caller)
    return { message: savedMessage(phase, checkpoint, lang), savedAt: iso(at), project_id: projectId }
  },
  text: output => output.message,
  topLevel: ({ savedAt }) => ({ savedAt }),
})
