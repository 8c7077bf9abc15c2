// The way of a task's work from a report to a verdict and a merge.
import { z } from 'zod'
import { CheckName } from '../check-name.ts'
import { AgentId, CommentId, EvidenceId, MergeId, ProjectId, SnapshotId, TaskId, WorktreeId } from '../id-types.ts'
import { ToldDecision } from '../memory.ts'
import {
  CheckView,
  CommentView,
  Conflict,
  Decision,
  EvidenceView,
  MergeView,
  OverlapKind,
  OverlapSide,
  OverlapView,
  PullView,
  Returned,
  ReviewView,
  SAID_CHARS,
  SnapshotView,
  VerdictView,
} from '../thread.ts'
import { TaskView } from '../views.ts'
import { ChangedFileView } from '../worktrees.ts'
import { ContextLines, operation, somewhere } from './shapes.ts'

const Said = z.string().max(SAID_CHARS).regex(/\S/, 'must not be empty')
const Line = z.int().min(1).max(10_000_000)
const SeenCommit = z.string().regex(/^[0-9a-f]{7,64}$/, 'must be 7 to 64 digits of a commit')
const Remote = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w][\w./-]*$/, 'must be the name of a remote')
/** Shown to people, and opened by them: a page, and nothing else. */
const PullUrl = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[!-~]+$/, 'must be an address that begins with https://')
const CheckCommand = z.array(z.string().min(1).max(4096)).min(1).max(200)
const CheckMinutes = z.number().positive().max(1440)
const CheckList = z.object({ project_id: ProjectId, checks: z.array(CheckView) })
const task = z.object({ task_id: TaskId })
const overlapping = OverlapSide.extend({ worktree_id: WorktreeId })

/** Of one task, in short, each newest first. */
export const taskThread = {
  returned: Returned.nullable().describe('Why it is with its agent again; null: it never came back'),
  snapshots: z.array(SnapshotView),
  evidence: z.array(EvidenceView),
  verdicts: z.array(VerdictView),
  review: ReviewView.nullable().describe('The newest review of its work by an agent'),
  remark: z.string().nullable().describe('Why its work waits for a person, though the checks of the project accept'),
  merge: MergeView.nullable().describe('Where its merge stands, or how the newest one ended'),
  pull: PullView.nullable().describe('The newest pull request that a person opened for it'),
  overlaps: z.array(OverlapView).describe('Who else changes the same lines now, or what its work would not merge with'),
}

export const threadApi = {
  'overlap.list': operation(
    z.object({ project_id: ProjectId.optional() }),
    z.object({
      overlaps: z.array(
        z.object({
          project_id: ProjectId,
          a: overlapping,
          b: overlapping,
          kind: OverlapKind,
          files: z.array(z.string()),
          since: z.string(),
        }),
      ),
    }),
  ),
  'project.check.add': operation(
    z.object({
      ...somewhere,
      name: CheckName,
      command: CheckCommand,
      optional: z.boolean().optional(),
      minutes: CheckMinutes.optional(),
    }),
    CheckView,
  ),
  'project.check.edit': operation(
    z.object({
      ...somewhere,
      name: CheckName,
      command: CheckCommand.optional(),
      optional: z.boolean().optional(),
      minutes: CheckMinutes.optional(),
    }),
    CheckView,
  ),
  /** Nothing of it runs, or is stored: a person chooses from it. */
  'project.check.guess': operation(
    z.object({ ...somewhere, directory: somewhere.directory.describe('Absolute; it need not be of a project yet') }),
    z.object({
      checks: z
        .array(
          z.object({
            name: CheckName,
            command: z.array(z.string()),
            usual: z.boolean().describe('Most projects want it; the others are further scripts of the folder'),
          }),
        )
        .describe('What the files of the folder name: package.json, Makefile, Cargo.toml, pyproject.toml, go.mod'),
      setup: z.array(z.string()).nullable().describe('What would bring its dependencies into a new worktree'),
    }),
  ),
  'project.check.list': operation(
    z.object({
      ...somewhere,
      task_id: TaskId.optional().describe("As the branch of this task names them; default: the project's folder"),
    }),
    CheckList,
  ),
  'project.check.remove': operation(
    z.object({ ...somewhere, name: CheckName }),
    z.object({ project_id: ProjectId, name: z.string() }),
  ),
  'project.check.trust': operation(
    z.object({
      ...somewhere,
      name: CheckName.optional().describe('Only this one; default: all that the configuration names'),
      task_id: TaskId.optional().describe("As the branch of this task names them; default: the project's folder"),
      seen: z
        .array(z.object({ name: CheckName, command: z.array(z.string()) }))
        .optional()
        .describe('What the person was shown: nothing else is trusted, and so nothing at all without it'),
    }),
    CheckList,
  ),
  'evidence.show': operation(z.object({ evidence_id: EvidenceId }), EvidenceView),
  'merge.show': operation(
    z.object({ merge_id: MergeId }),
    MergeView.extend({
      conflicts: z.array(Conflict).describe('`ours`: the base, `theirs`: the work of the task'),
      base_changed_by: z
        .array(z.object({ task_id: TaskId, handle: z.string(), title: z.string(), agent_id: AgentId.nullable() }))
        .describe('Of a conflict: tasks that were merged into the base while this one was worked on, newest first'),
      evidence: z.array(EvidenceView).describe('What the checks said of the merged files'),
    }),
  ),
  'task.here': operation(
    z.object({ task_id: TaskId }),
    z.object({
      task_id: TaskId,
      handle: z.string(),
      from: z
        .enum(['snapshot', 'branch', 'base'])
        .nullable()
        .describe('What the next workspace begins with; null: there was none of another machine'),
      commit: z.string().nullable().describe('Of the snapshot'),
      machine: z.string().nullable().describe('Where the other one stays'),
    }),
  ),
  'task.merge': operation(
    z.object({ task_id: TaskId }),
    z.object({ merge: MergeView.nullable().describe('null: nothing was changed, so there is nothing to merge') }),
  ),
  'task.undo_merge': operation(
    task.extend({ redo: z.boolean().optional().describe('Bring back what was undone') }),
    z.object({ merge: MergeView }),
  ),
  'merge.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      task_id: TaskId.optional(),
      ended: z.boolean().optional(),
      returned: z
        .boolean()
        .optional()
        .describe('Also those that did not merge, and whose task has not been accepted since'),
    }),
    z.object({ merges: z.array(MergeView) }),
  ),
  'task.diff': operation(
    task.extend({
      path: z.string().min(1).max(4096),
      since: SnapshotId.optional(),
      commit: SeenCommit.optional().describe(
        'Of the snapshot that it was asked for; refused when there is a newer one',
      ),
      context: ContextLines.optional(),
    }),
    z.object({ diff: z.string(), truncated: z.boolean() }),
  ),
  'task.review': operation(
    task.extend({
      since: SnapshotId.optional().describe('Only what changed after this snapshot; default: after the base'),
    }),
    TaskView.extend({
      snapshot: SnapshotView.nullable(),
      evidence: z.array(EvidenceView),
      untrusted: z.array(CheckView).describe('Checks of its branch that were not run, since they are not trusted'),
      files: z.array(ChangedFileView),
      diff: z.string(),
      truncated: z.boolean(),
      comments: z.array(CommentView),
      verdicts: z.array(VerdictView),
      review: ReviewView.nullable().describe('The newest review by an agent'),
      cites: z.array(z.string()).describe('Decisions that the report cites'),
      decisions: z.array(ToldDecision).describe('Decisions that name the task, or that its reports cite'),
      snapshots: z
        .array(z.object({ snapshot_id: SnapshotId, number: z.int(), at: z.string(), commit: z.string().nullable() }))
        .describe('Of reported work, newest first'),
      changed_since: z
        .array(z.string())
        .describe('Changed in its workspace after the report, and no part of it: `task.include` takes them in'),
      merges_into: z
        .object({
          base: z.string(),
          checks: z.array(z.string()),
          conflicts: z
            .array(Conflict)
            .describe('Where it does not merge with the base as it is now. `ours`: the base, `theirs`: the work'),
          checkouts: z
            .array(
              z.object({
                path: z.string(),
                clean: z.boolean().describe('No tracked file has unsaved changes'),
                files: z.array(z.string()).describe('Unsaved, and the merge would overwrite them: it waits for them'),
                operation: z.string().nullable().describe('A merge, rebase or the like that has not been finished'),
              }),
            )
            .nullable()
            .describe('Where the base is checked out; null: this hub cannot see it, or the task is merged'),
        })
        .nullable()
        .describe(
          'What follows when it is accepted: these checks on the merged files, then the base moves; null: no merge',
        ),
      elsewhere: z
        .object({ path: z.string(), machine: z.string().nullable().describe('null: not known') })
        .nullable()
        .describe('Where its files are, when this hub does not have them; the diff is then empty'),
      remarks: z.array(z.string()).describe('What a reviewer should know first, in words'),
      names: z.record(z.string(), z.string()).describe('What the agents in it are called, by id'),
    }),
  ),
  'task.review.ask': operation(
    task.extend({ agent_id: AgentId.describe('The agent that is to review it') }),
    TaskView.extend({ review: ReviewView }),
  ),
  'task.include': operation(
    task.extend({
      paths: z
        .array(z.string().min(1).max(4096))
        .max(1000)
        .describe('Held back until now. None: what was changed since'),
    }),
    SnapshotView,
  ),
  'task.comment': operation(
    task.extend({
      path: z.string().min(1).max(4096).optional(),
      from_line: Line.optional(),
      to_line: Line.optional(),
      text: Said,
      commit: SeenCommit.optional().describe(
        'The commit of the snapshot that was looked at, as `task.review` answers it; refused when the work has changed since',
      ),
    }),
    CommentView,
  ),
  'task.comments': operation(task, z.object({ comments: z.array(CommentView) })),
  'task.uncomment': operation(z.object({ comment_id: CommentId }), CommentView),
  'task.verdict': operation(
    task.extend({
      decision: Decision,
      summary: Said.optional(),
      commit: SeenCommit.optional().describe(
        'The commit of the snapshot that was looked at, as `task.review` answers it; refused when the work has changed since',
      ),
    }),
    TaskView.extend({ verdict: VerdictView }),
  ),
  'task.pr': operation(
    task,
    TaskView.extend({
      plan: z.object({
        commit: z.string().describe('What is to be pushed: the work as it was accepted, or as it waits for a verdict'),
        earlier: z.array(z.string()).describe('Earlier states of this work: a branch may be moved away from these'),
        branch: z.string(),
        base: z.string(),
        directory: z.string().describe("The project's folder, on the machine of the hub"),
        title: z.string(),
        body: z.string(),
        accepts: z.boolean().describe('It waits for a verdict: recording the pull request accepts it'),
      }),
      pull: PullView.nullable(),
    }),
  ),
  'task.pr.begin': operation(task.extend({ commit: SeenCommit, remote: Remote }), TaskView.extend({ pull: PullView })),
  'task.pr.record': operation(
    task.extend({ commit: SeenCommit, remote: Remote.optional(), url: PullUrl }),
    TaskView.extend({ pull: PullView }),
  ),
  'task.pr.end': operation(task.extend({ outcome: z.enum(['merged', 'closed']) }), TaskView.extend({ pull: PullView })),
}
