// One phase with all that is known of it. Looks at the project's folder: for `prepare`.
import type { ApiOutput } from '#contract/api.ts'
import type { ProjectId } from '#contract/id-types.ts'
import type { Lang } from '#contract/errors.ts'
import { iso } from '#kernel/clock.ts'
import { missingFiles } from '#kernel/paths.ts'
import type { Call } from '#kernel/tool.ts'
import { parsePrompt } from './front-matter.ts'
import { type PhaseState, phaseNamed, type Prompt } from './model.ts'
import type { ProjectFacts } from './ports.ts'
import type { Prompts } from './prompts.ts'
import { render } from './render.ts'
import type { Phases } from './service.ts'
import { phaseView } from './views.ts'

const SAVED = 50
/** Of one checkpoint; the whole is in get_phase_context. */
const CONTENT_CHARS = 20_000

type Services = { phases: Phases; prompts: Prompts }
type Input = { project_id: ProjectId; phase: string; language?: Lang | undefined }

export async function looked(services: Services, input: Input, call: Call): Promise<ApiOutput<'phase.show'>> {
  const { phases, prompts } = services
  const where = { projectId: input.project_id }
  const phase = phaseNamed(input.phase)
  const lang = input.language ?? call.lang
  const { project, states, checkpoints, round } = await phases.overview(where, call.caller)
  const { outputFiles } = await phases.facts(where, phase, call.caller)
  const state = states.find(one => one.phase === phase)
  const kept = state && (await prompts.keptKnown(state, lang))
  const required = kept ? parsePrompt(kept.content).requires : []
  const folders = project && project.directory !== null ? [project.directory] : []
  const gone = new Set(await missingFiles(folders, outputFiles))
  const saved = await phases.checkpoints({ projectId: input.project_id, phase, round }, undefined, SAVED)
  return {
    ...phaseView(phase, states, checkpoints),
    round,
    output_files: outputFiles.map(path => ({ path, there: !gone.has(path) })),
    required: [...required],
    missing: await phases.missing(where, phase, lang, [], call.caller),
    told: project && kept ? told(project, kept, states, phase, lang) : null,
    saved: saved.map(({ name, data, caller, at }) => {
      const content = JSON.stringify(data, null, 2) ?? 'null'
      return { name, by: caller, at: iso(at), content: content.slice(0, CONTENT_CHARS).toWellFormed() }
    }),
  }
}

function told(project: ProjectFacts, prompt: Prompt, states: PhaseState[], phase: PhaseState['phase'], lang: Lang) {
  return render({ project, prompt, states, cached: false, fetchedAt: 0 }, phase, {}, lang)
}
