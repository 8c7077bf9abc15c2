import { z } from 'zod'
import { PHASES } from '#contract/phases.ts'
import { iso } from '#kernel/clock.ts'
import { looseEnum, tool } from '#kernel/tool.ts'
import { phaseNamed } from '../model.ts'
import type { Offer, Prompts } from '../prompts.ts'
import { render } from '../render.ts'
import type { Ask, Injection, Phases } from '../service.ts'
import { contextFields, whereabouts, whereInput } from '../whereabouts.ts'

type Services = { phases: Phases; prompts: Prompts }
type Metadata = { phase: string; version: number; fetchedAt: string; cached: boolean }

const input = z.object({
  phase: looseEnum(PHASES).describe('The phase whose prompt you need'),
  context: z
    .object({
      ...contextFields,
      previousPhaseResults: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Results by phase (default: those reported to the hub)'),
    })
    .optional()
    .describe('Where, and what came before (default: your folder)'),
  ...whereInput,
})

export default tool({
  name: 'inject_phase_prompt',
  toolset: 'phases',
  title: 'Get the prompt of a phase',
  description:
    'Get the instructions of a project phase as Markdown, with the results of the earlier ones, and follow them. Starts phase0 at the first call and a failed phase again.',
  effect: 'write',
  idempotent: true,
  openWorld: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input,
  output: z.object({
    text: z.string(),
    metadata: z.object({ phase: z.string(), version: z.int(), fetchedAt: z.string(), cached: z.boolean() }),
  }),
  async prepare({ phases, prompts }: Services, input, call): Promise<Ask> {
    const phase = phaseNamed(input.phase)
    const where = await whereabouts(input, call)
    const own = prompts.isRemote && (await phases.hasOwnPrompt(where, phase, call.lang, call.caller))
    const offer: Offer = own ? undefined : await prompts.offer(phase, call.lang)
    return { where, phase, lang: call.lang, offer }
  },
  async readFirst({ phases }, input, { prepared, caller }) {
    const injection = await phases.look(prepared, caller)
    return injection && answer(injection, prepared, input)
  },
  async run({ phases }, input, { prepared, caller }) {
    return answer(await phases.inject(prepared, caller), prepared, input)
  },
  text: output => output.text,
  prose: true,
  topLevel: ({ metadata }) => ({ metadata }),
})

function answer(injection: Injection, { phase, lang }: Ask, { context = {} }: z.output<typeof input>) {
  const { prompt, fetchedAt, cached } = injection
  const metadata: Metadata = { phase, version: prompt.version, fetchedAt: iso(fetchedAt), cached }
  return { text: render(injection, phase, context, lang), metadata }
}
