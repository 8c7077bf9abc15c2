// The phases of a project and their prompts.
import { z } from 'zod'
import { ProjectId } from '../id-types.ts'
import { Outcome } from '../phases.ts'
import { PhasePromptView, PhaseStepView, PhaseView } from '../views.ts'
import { more, operation, page, project, somewhere } from './shapes.ts'

const prompt = {
  phase: z.string(),
  language: z.enum(['en', 'ja']).optional(),
  /** Its own prompt in the place of the hub's. */
  project_id: ProjectId.optional(),
}

/** What people write down for those who come after. */
const Reason = z.string().trim().min(1).max(10_000)

export const phaseApi = {
  'phase.status': operation(
    z.object(somewhere),
    z.object({
      project_id: ProjectId.nullable(),
      name: z.string().nullable(),
      current: z.string().nullable(),
      round: z.int(),
      phases: z.array(PhaseView),
    }),
  ),
  'phase.show': operation(
    z.object({ project_id: ProjectId, phase: z.string(), language: prompt.language }),
    PhaseView.extend({
      round: z.int(),
      output_files: z.array(z.object({ path: z.string(), there: z.boolean().describe('It is in the folder now') })),
      required: z.array(z.string()).describe('Files that its prompt asks for'),
      missing: z.array(z.string()).describe('Those of them that are not there while it is in progress'),
      told: z.string().nullable().describe('What an agent that asks for its prompt reads; null: not begun'),
      saved: z
        .array(z.object({ name: z.string(), at: z.string(), by: z.string(), content: z.string().describe('JSON') }))
        .describe('Its last checkpoints, newest first'),
    }),
  ),
  'phase.start': operation(
    project,
    z.object({
      project_id: ProjectId,
      phase: z.string().describe('The one in progress'),
      started: z.boolean().describe('false: the phases had begun before'),
    }),
  ),
  'phase.history': operation(
    z.object({ ...somewhere, ...page }),
    z.object({ project_id: ProjectId.nullable(), steps: z.array(PhaseStepView), ...more }),
  ),
  'phase.advance': operation(
    z.object({
      ...somewhere,
      phase: z.string().optional(),
      status: Outcome.optional(),
      summary: z.string().max(100_000).optional(),
      output_files: z.array(z.string().max(4096)).max(2000).optional(),
    }),
    z.object({
      project_id: ProjectId,
      phase: z.string(),
      next_phase: z.string().nullable(),
      transitioned_at: z.string(),
      message: z.string(),
      missing: z.array(z.string()),
    }),
  ),
  'phase.retry': operation(
    z.object({ ...somewhere, phase: z.string().optional() }),
    z.object({ project_id: ProjectId, phase: z.string() }),
  ),
  'phase.refresh': operation(
    z.object(somewhere),
    z.object({
      project_id: ProjectId,
      phase: z.string(),
      prompts: z.array(
        PhasePromptView.extend({ previous_version: z.int().nullable(), changed: z.boolean() }).describe(
          'What it goes on with, in each language',
        ),
      ),
    }),
  ),
  'phase.back': operation(
    z.object({ ...somewhere, phase: z.string(), reason: Reason }),
    z.object({ project_id: ProjectId, phase: z.string(), left: z.array(z.string()) }),
  ),
  'phase.restart': operation(
    z.object({ ...somewhere, reason: Reason.optional() }),
    z.object({ project_id: ProjectId, phase: z.string(), round: z.int() }),
  ),
  'phase.prompt.list': operation(
    z.object({ language: prompt.language, project_id: prompt.project_id }),
    z.object({ prompts: z.array(PhasePromptView), remote: z.boolean() }),
  ),
  'phase.prompt.show': operation(
    z.object({ ...prompt, version: z.int().min(1).optional() }),
    PhasePromptView.extend({ content: z.string(), base_version: z.int().describe('What an edit of this one names') }),
  ),
  'phase.prompt.edit': operation(
    z.object({ ...prompt, content: z.string().trim().min(1), base_version: z.int().min(0).optional() }),
    PhasePromptView.extend({
      kept_by: z.array(z.string()).describe('Projects in the middle of this phase, which keep what they began with'),
    }),
  ),
  'phase.prompt.reset': operation(z.object({ ...prompt, project_id: ProjectId }), PhasePromptView),
  'phase.prompt.history': operation(
    z.object({ ...prompt, ...page }),
    z.object({ prompts: z.array(PhasePromptView), ...more }),
  ),
}
