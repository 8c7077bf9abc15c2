import { z } from 'zod'
import { PHASES } from '#contract/phases.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Call } from '#kernel/tool.ts'
import { currentOf, phaseNamed } from './model.ts'
import type { Prompts } from './prompts.ts'
import type { Phases } from './service.ts'
import { overviewView, promptView } from './views.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'
import { transitionMessage } from './words.ts'

type Services = { phases: Phases; prompts: Prompts }
type Somewhere = { project_id?: string | undefined; directory?: string | undefined }

const whereOf = ({ project_id, directory }: Somewhere, call: Call): Promise<Whereabouts> =>
  whereabouts({ project_id, context: { projectPath: directory } }, call)

const place = (_services: Services, input: Somewhere, call: Call) => whereOf(input, call)

/** The phase to end and the files it lacks, found out before the transaction. */
async function step({ phases }: Services, input: Somewhere & { phase?: string | undefined }, call: Call) {
  const where = await whereOf(input, call)
  const { states } = await phases.overview(where, call.caller)
  const phase = input.phase === undefined ? (currentOf(states) ?? PHASES[0]) : phaseNamed(input.phase)
  return { where, phase, missing: await phases.missing(where, phase, call.lang, [], call.caller) }
}

export const phaseOperations = [
  operation('phase.status', 'read', async ({ phases }: Services, input, call) => {
    const overview = await phases.overview(await whereOf(input, call), call.caller)
    return {
      project_id: overview.project?.id ?? null,
      name: overview.project?.name ?? null,
      current: currentOf(overview.states),
      phases: overviewView(overview),
    }
  }),
  operation(
    'phase.advance',
    'write',
    async ({ phases }: Services, input, { prepared: { where, phase, missing }, caller, lang }) => {
      const result = {
        status: input.status ?? ('completed' as const),
        ...(input.output_files && { outputFiles: input.output_files }),
        ...(input.summary !== undefined && { summary: input.summary }),
      }
      const transition = await phases.transition(where, phase, result, missing, caller)
      return {
        project_id: transition.projectId,
        phase,
        next_phase: transition.nextPhase,
        transitioned_at: iso(transition.at),
        message: transitionMessage(transition, lang),
        missing: transition.missing,
      }
    },
    step,
  ),
  operation(
    'phase.retry',
    'write',
    async ({ phases }: Services, input, { prepared: where, caller }) => {
      const named = input.phase === undefined ? undefined : phaseNamed(input.phase)
      const { projectId, phase } = await phases.retry(where, named, caller)
      return { project_id: projectId, phase }
    },
    place,
  ),

  operation('phase.prompt.list', 'read', async ({ prompts }: Services, input, call) => ({
    prompts: (await prompts.list(input.language ?? call.lang)).map(promptView),
    remote: prompts.isRemote,
  })),
  operation('phase.prompt.show', 'read', async ({ prompts }: Services, input, call) => {
    const prompt = await prompts.show(phaseNamed(input.phase), input.language ?? call.lang, input.version)
    return { ...promptView(prompt), content: prompt.content }
  }),
  operation('phase.prompt.edit', 'write', async ({ prompts }: Services, input, { lang, caller }) => {
    const phase = phaseNamed(input.phase)
    return promptView(await prompts.edit(phase, input.language ?? lang, input.content, input.base_version, caller))
  }),
  operation('phase.prompt.history', 'read', async ({ prompts }: Services, input, call) => {
    const limit = limitOf(input.limit)
    const below = readCursor(input.cursor, z.int())
    const rows = await prompts.history(phaseNamed(input.phase), input.language ?? call.lang, below, limit + 1)
    const cursor = (row: (typeof rows)[number]) => ('number' in row ? row.number : Number.MAX_SAFE_INTEGER)
    const { items, ...page } = pageOf(rows, limit, promptView, cursor)
    return { prompts: items, ...page }
  }),
]
