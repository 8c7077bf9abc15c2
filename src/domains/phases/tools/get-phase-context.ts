import { z } from 'zod'
import { PHASES } from '#contract/phases.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { looseEnum, tool } from '#kernel/tool.ts'
import { phaseNamed } from '../model.ts'
import type { Phases } from '../service.ts'
import { checkpointView, ContextView, contextView } from '../views.ts'
import { contextInput, whereabouts, whereInput } from '../whereabouts.ts'

/** Text, structured result and top level each repeat it, the text with every quote escaped. */
const COPIES = 4

export default tool({
  name: 'get_phase_context',
  toolset: 'phases',
  title: 'Get where a phase stands',
  description: 'Get status, result, output files and the last checkpoints of a phase.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({
    phase: looseEnum(PHASES).describe('The phase to look at'),
    includeResults: z.boolean().default(true).describe('Include the result and the checkpoints'),
    context: contextInput,
    ...whereInput,
    ...pageInput(20),
  }),
  output: z.object({ context: ContextView.extend(pageOutput) }),
  async run({ phases }: { phases: Phases }, input, call) {
    const phase = phaseNamed(input.phase)
    const facts = await phases.facts(await whereabouts(input, call), phase, call.caller)
    const view = contextView(phase, facts)
    if (!input.includeResults || facts.projectId === null)
      return { context: { ...view, result: null, checkpoints: [] } }
    const limit = limitOf(input.limit, 20)
    const place = { projectId: facts.projectId, phase, round: facts.round }
    const rows = await phases.checkpoints(place, readCursor(input.cursor, z.int()), limit + 1)
    const { items, ...page } = pageOf(rows, limit, checkpointView, row => row.number, view, COPIES)
    // The last ones, in the order in which they were saved; the cursor leads to those before.
    return { context: { ...view, checkpoints: items.toReversed(), ...page } }
  },
  text: ({ context }) => JSON.stringify(context),
  topLevel: ({ context }) => ({ context }),
})
