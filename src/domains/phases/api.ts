import { z } from 'zod'
import type { ProjectId } from '#contract/id-types.ts'
import { PHASES } from '#contract/phases.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Call } from '#kernel/tool.ts'
import { currentOf, phaseNamed } from './model.ts'
import type { Prompts } from './prompts.ts'
import type { Phases } from './service.ts'
import type { Steering } from './steering.ts'
import { looked } from './show.ts'
import { overviewView, promptView, stepView } from './views.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'
import { transitionMessage } from './words.ts'

type Services = { phases: Phases; prompts: Prompts; steering: Steering }
const StepCursor = z.object({ transition: z.int(), turn: z.int() })
type Somewhere = { project_id?: ProjectId | undefined; directory?: string | undefined }

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

/** What the source of prompts has now, if there is one. */
async function adoptable({ steering }: Services, input: Somewhere, call: Call) {
  const where = await whereOf(input, call)
  return { where, offers: await steering.offers(where, call.lang, call.caller) }
}

export const phaseOperations = [
  operation({
    name: 'phase.status',
    effect: 'read',
    async run({ phases }: Services, input, call) {
      const overview = await phases.overview(await whereOf(input, call), call.caller)
      return {
        project_id: overview.project?.id ?? null,
        name: overview.project?.name ?? null,
        current: currentOf(overview.states),
        round: overview.round,
        phases: overviewView(overview),
      }
    },
  }),
  operation({
    name: 'phase.show',
    effect: 'read',
    prepare: looked,
    run: async (_services: Services, _input, { prepared }) => prepared,
  }),
  operation({
    name: 'phase.start',
    effect: 'write',
    prepare: place,
    async run({ phases }: Services, _input, { prepared: where, caller }) {
      const { projectId, phase, started } = await phases.start(where, caller)
      return { project_id: projectId, phase, started }
    },
  }),
  operation({
    name: 'phase.advance',
    effect: 'write',
    prepare: step,
    async run({ phases }: Services, input, { prepared: { where, phase, missing }, caller, lang }) {
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
  }),
  operation({
    name: 'phase.retry',
    effect: 'write',
    prepare: place,
    async run({ phases }: Services, input, { prepared: where, caller }) {
      const named = input.phase === undefined ? undefined : phaseNamed(input.phase)
      const { projectId, phase } = await phases.retry(where, named, caller)
      return { project_id: projectId, phase }
    },
  }),

  operation({
    name: 'phase.refresh',
    effect: 'write',
    prepare: adoptable,
    async run({ steering }: Services, _input, { prepared: { where, offers }, caller }) {
      const { projectId, phase, prompts } = await steering.refresh(where, offers, caller)
      return {
        project_id: projectId,
        phase,
        prompts: prompts.map(({ prompt, before }) => ({
          ...promptView(prompt),
          previous_version: before?.version ?? null,
          changed: prompt.number !== before?.number,
        })),
      }
    },
  }),
  operation({
    name: 'phase.back',
    effect: 'write',
    prepare: place,
    async run({ steering }: Services, input, { prepared: where, caller }) {
      const phase = phaseNamed(input.phase)
      const { projectId, left } = await steering.back(where, phase, input.reason, caller)
      return { project_id: projectId, phase, left }
    },
  }),
  operation({
    name: 'phase.restart',
    effect: 'write',
    prepare: place,
    async run({ steering }: Services, input, { prepared: where, caller }) {
      const { projectId, phase, round } = await steering.restart(where, input.reason ?? null, caller)
      return { project_id: projectId, phase, round }
    },
  }),
  operation({
    name: 'phase.history',
    effect: 'read',
    async run({ steering }: Services, input, call) {
      const limit = limitOf(input.limit)
      const where = await whereOf(input, call)
      const cursor = readCursor(input.cursor, StepCursor)
      const { projectId, steps } = await steering.history(where, cursor, limit + 1, call.caller)
      const { items, ...page } = pageOf(
        steps,
        limit,
        ({ step }) => stepView(step),
        step => step.cursor,
      )
      return { project_id: projectId, steps: items, ...page }
    },
  }),

  operation({
    name: 'phase.prompt.list',
    effect: 'read',
    async run({ phases, prompts }: Services, input, call) {
      const projectId = await phases.named(input.project_id, call.caller)
      const list = await prompts.list(input.language ?? call.lang, projectId)
      return { prompts: list.map(promptView), remote: prompts.isRemote }
    },
  }),
  operation({
    name: 'phase.prompt.show',
    effect: 'read',
    async run({ phases, prompts }: Services, input, call) {
      const phase = phaseNamed(input.phase)
      const lang = input.language ?? call.lang
      const projectId = await phases.named(input.project_id, call.caller)
      const prompt = await prompts.show(phase, lang, input.version, projectId)
      const base_version = await prompts.base(phase, lang, projectId)
      return { ...promptView(prompt), content: prompt.content, base_version }
    },
  }),
  operation({
    name: 'phase.prompt.edit',
    effect: 'write',
    async run(services: Services, input, call) {
      const { phases, prompts, steering } = services
      const projectId = await phases.named(input.project_id, call.caller)
      const phase = phaseNamed(input.phase)
      const { content, base_version: base } = input
      const prompt = await prompts.edit(
        { phase, lang: input.language ?? call.lang, content, base, projectId },
        call.caller,
      )
      return { ...promptView(prompt), kept_by: await steering.keepers(phase, projectId) }
    },
  }),
  operation({
    name: 'phase.prompt.reset',
    effect: 'write',
    async run({ phases, prompts }: Services, input, call) {
      const phase = phaseNamed(input.phase)
      const lang = input.language ?? call.lang
      await phases.named(input.project_id, call.caller)
      await prompts.reset(phase, lang, input.project_id, call.caller)
      return promptView(await prompts.show(phase, lang, undefined, input.project_id))
    },
  }),
  operation({
    name: 'phase.prompt.history',
    effect: 'read',
    async run({ phases, prompts }: Services, input, call) {
      const limit = limitOf(input.limit)
      const below = readCursor(input.cursor, z.int())
      const projectId = await phases.named(input.project_id, call.caller)
      const lang = input.language ?? call.lang
      const rows = await prompts.history(phaseNamed(input.phase), lang, below, limit + 1, projectId)
      const cursor = (row: (typeof rows)[number]) => ('number' in row ? row.number : Number.MAX_SAFE_INTEGER)
      const { items, ...page } = pageOf(rows, limit, promptView, cursor)
      return { prompts: items, ...page }
    },
  }),
]
