// One type per kind of id, so that passing one kind where another is meant does not compile. Types only: on the wire every id is
// a plain string, and an unknown one is refused by the verb that looks it up, with that verb's own code. The descriptions are
// what models read wherever a tool takes such an id; a tool that means something narrower describes it again.
import { z } from 'zod'

/** Ids of what people call by a shorter name, and the form of that name. Wherever such an id is taken, the name is, too. */
export const shortNames = z.registry<{ of: 'project' | 'task'; form: RegExp }>()

/** A project's key: `shop`. */
export const KEY = /^[a-z][a-z0-9]{0,15}$/
/** A task's handle: `shop-12`. */
export const HANDLE = /^([a-z][a-z0-9]{0,15})-([1-9]\d{0,8})$/

export const ProjectId = z
  .string()
  .brand<'ProjectId'>()
  .register(shortNames, { of: 'project', form: KEY })
  .describe('Project id (prj_…)')
export type ProjectId = z.infer<typeof ProjectId>

export const AgentId = z.string().brand<'AgentId'>().describe('Id of a registered agent (agt_…)')
export type AgentId = z.infer<typeof AgentId>

export const TaskId = z
  .string()
  .brand<'TaskId'>()
  .register(shortNames, { of: 'task', form: HANDLE })
  .describe('Task id (tsk_…)')
export type TaskId = z.infer<typeof TaskId>

export const HandoffId = z.string().brand<'HandoffId'>().describe('Handoff id (hof_…)')
export type HandoffId = z.infer<typeof HandoffId>
export type PassId = string & z.$brand<'PassId'>

export const SessionId = z.string().brand<'SessionId'>().describe('Session id (ssn_…)')
export type SessionId = z.infer<typeof SessionId>

/** One engine process, from start to end. On the wire: an execution's id, and `agentId` of crews. */
export const RunId = z.string().brand<'RunId'>().describe('Agent id from run_agents (run_…)')
export type RunId = z.infer<typeof RunId>
export const ExecutionId = RunId.describe('Execution id (exec_…)')

/** On the wire: `groupId`. */
export const CrewId = z.string().brand<'CrewId'>().describe('Group id from create_group (grp-…)')
export type CrewId = z.infer<typeof CrewId>

export const TabId = z.string().brand<'TabId'>().describe('Tab id (tab_…)')
export type TabId = z.infer<typeof TabId>

/** A browser that is signed in to the dashboard. */
export const PageId = z.string().brand<'PageId'>().describe('Id of a signed-in browser (pag_…)')
export type PageId = z.infer<typeof PageId>

export const MessageId = z.string().brand<'MessageId'>().describe('Message id (msg_…)')
export type MessageId = z.infer<typeof MessageId>

export const WorktreeId = z.string().brand<'WorktreeId'>().describe('Worktree id (wt_…)')
export type WorktreeId = z.infer<typeof WorktreeId>

/** The tree of a workspace as it was at a report. */
export const SnapshotId = z.string().brand<'SnapshotId'>().describe('Snapshot id (snp_…)')
export type SnapshotId = z.infer<typeof SnapshotId>

/** One check on one tree. */
export const EvidenceId = z.string().brand<'EvidenceId'>().describe('Evidence id (evd_…)')
export type EvidenceId = z.infer<typeof EvidenceId>

export const CommentId = z.string().brand<'CommentId'>().describe('Comment id (cmt_…)')
export type CommentId = z.infer<typeof CommentId>

export const ReviewId = z.string().brand<'ReviewId'>().describe('Review id (rvw_…)')
export type ReviewId = z.infer<typeof ReviewId>
export const VerdictId = z.string().brand<'VerdictId'>().describe('Verdict id (vrd_…)')
export type VerdictId = z.infer<typeof VerdictId>

/** An entry of the merge queue. */
export const MergeId = z.string().brand<'MergeId'>().describe('Merge id (mrg_…)')
export type MergeId = z.infer<typeof MergeId>

/** A pull request that a person opened for a task. */
export const PullId = z.string().brand<'PullId'>().describe('Pull request id (pul_…)')
export type PullId = z.infer<typeof PullId>

/** One engine process that a Runner started. On the wire: `TORYO_RUN_ID`, `instance_id`. */
export const InstanceId = z.string().brand<'InstanceId'>().describe('Instance id (ins_…)')
export type InstanceId = z.infer<typeof InstanceId>

export const NoteId = z.string().brand<'NoteId'>().describe('Id of saved progress (not_…)')
export type NoteId = z.infer<typeof NoteId>

/** What a person said to a task that was blocked. */
export const AnswerId = z.string().brand<'AnswerId'>().describe('Answer id (ans_…)')
export type AnswerId = z.infer<typeof AnswerId>

/** What a new id with this prefix is the id of. */
export type NewId = {
  prj: ProjectId
  agt: AgentId
  tsk: TaskId
  hof: HandoffId
  pas: PassId
  ssn: SessionId
  exec: RunId
  run: RunId
  tab: TabId
  msg: MessageId
  wt: WorktreeId
  snp: SnapshotId
  evd: EvidenceId
  cmt: CommentId
  vrd: VerdictId
  rvw: ReviewId
  mrg: MergeId
  pul: PullId
  pag: PageId
  ins: InstanceId
  not: NoteId
  ans: AnswerId
}
