// Branches and worktrees.
import { z } from 'zod'
import { ProjectId, TabId, TaskId, WorktreeId } from '../id-types.ts'
import { ToldDecision } from '../memory.ts'
import { BranchView, ChangedFileView, WorktreeView } from '../worktrees.ts'
import { ContextLines, more, operation, page, project } from './shapes.ts'

const worktree = z.object({ worktree_id: WorktreeId })
const Base = z
  .string()
  .min(1)
  .max(1000)
  .describe('A branch, tag or commit to compare with, from where both parted; default: what it was made from')

const SetupPlan = z.object({
  project_id: ProjectId,
  command: z.array(z.string()).nullable(),
  trusted: z.boolean(),
})

export const worktreeApi = {
  'branch.list': operation(
    project,
    z.object({
      branches: z.array(BranchView).describe('The ones that were committed to last come first'),
      current: z.string().nullable().describe("What the project's own folder has checked out; null: no branch"),
      truncated: z.boolean(),
    }),
  ),
  'worktree.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      branch: z.string().optional(),
      trashed: z.boolean().optional(),
      ...page,
    }),
    z.object({ worktrees: z.array(WorktreeView), ...more }),
  ),
  'worktree.show': operation(worktree, WorktreeView),
  'worktree.ensure': operation(
    z.object({ project_id: ProjectId, branch: z.string().max(1000), base: z.string().max(1000).optional() }),
    WorktreeView,
  ),
  'worktree.remove': operation(worktree.extend({ force: z.boolean().optional() }), WorktreeView),
  'worktree.restore': operation(worktree, WorktreeView),
  'worktree.files': operation(
    worktree.extend({
      base: Base.optional(),
      count: z.boolean().optional().describe('With the lines that were added and removed, and with `ahead`, `behind`'),
    }),
    z.object({
      files: z.array(ChangedFileView),
      truncated: z.boolean(),
      ahead: z.int().optional().describe('Commits that its base does not have'),
      behind: z.int().optional().describe('Commits of its base that it does not have'),
    }),
  ),
  'worktree.diff': operation(
    worktree.extend({
      path: z.string().min(1).max(4096).optional().describe('Only of this file'),
      base: Base.optional(),
      context: ContextLines.optional().describe('Lines around a change'),
    }),
    z.object({ diff: z.string(), truncated: z.boolean() }),
  ),
  /** Who works in it, and the decisions that its task was given or cites. */
  'worktree.about': operation(
    worktree,
    z.object({
      project_id: ProjectId,
      task: z
        .object({ task_id: TaskId, handle: z.string(), title: z.string(), agent_name: z.string().nullable() })
        .nullable(),
      tab: z.object({ tab_id: TabId, branch: z.string() }).nullable().describe('One that lives'),
      decisions: z.array(ToldDecision),
    }),
  ),
  'worktree.setup': operation(worktree, WorktreeView),
  'worktree.setup.show': operation(project, SetupPlan),
  'worktree.setup.trust': operation(
    project.extend({
      seen: z
        .array(z.string())
        .optional()
        .describe('The command that the person was shown: any other is refused. A page must give it'),
    }),
    SetupPlan,
  ),
}
