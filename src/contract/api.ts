// What the CLI and the dashboard call over HTTP: `POST /api/<operation>`. Both ends are typed from here.
import { z } from 'zod'
import { demoApi } from './demo.ts'
import { CREW_MODES, PROMPT_MAX } from './crews.ts'
import { EventNames, StoredEvent } from './events.ts'
import { AgentId, CrewId, MessageId, PageId, ProjectId, RunId, TabId, TaskId, WorktreeId } from './id-types.ts'
import { InboxItem } from './inbox.ts'
import {
  DecisionView,
  EntryView,
  KEYWORD_MAX,
  MEMORY_KINDS,
  MemoryRecord,
  ProjectHandle,
  QUERY_MAX,
  RecallAnswer,
  TaskDecision,
  TEXT_MAX,
  TopicView,
} from './memory.ts'
import { EVENTS_MAX } from './limits.ts'
import { MOST_DEPENDENCIES, TaskRef } from './order.ts'
import { OwnId } from './own-id.ts'
import { Permission } from './permission.ts'
import { Outcome } from './phases.ts'
import {
  AcceptPolicy,
  AsanaUrl,
  Label,
  MergeMethod,
  Priority,
  ProjectKey,
  SEARCH_MAX,
  Stage,
  TaskStatus,
  WorkspaceMode,
} from './projects.ts'
import { FoundThing, SEARCH_KINDS } from './search.ts'
import { isNoSecret, NO_SECRET } from './secrets.ts'
import { TabPermission } from './permission.ts'
import { MessageView, TabStatus } from './tabs.ts'
import { PRIORITIES } from './task-values.ts'
import { MergeView, WorkspaceView } from './thread.ts'
import { GivenToolsets } from './toolsets.ts'
import { ContextLines, taskThread, threadApi } from './thread-api.ts'
import { AgentConfigSeen, RefusedStart } from './trust.ts'
import {
  AgentRecord,
  CrewRecord,
  CrewRunRecord,
  CrewRunStatus,
  ExecutionDetail,
  TaskExecution,
  RoleRecord,
  TabRecord,
} from './records.ts'
import { RunEnd } from './run-end.ts'
import { END_CAUSES, INSTANCE_STATES, RunSeen } from './runner.ts'
import {
  AnswerView,
  DayStats,
  HandoffView,
  NoteView,
  EngineView,
  PageView,
  PauseView,
  PhasePromptView,
  PhaseStepView,
  PhaseView,
  ProjectView,
  RunnerView,
  TaskCard,
  TaskView,
  TokenView,
  WaitingStart,
} from './views.ts'
import { WorkView } from './work.ts'
import { BranchView, ChangedFileView, WorktreeView } from './worktrees.ts'

const EngineId = z.string().min(1).max(100).refine(isNoSecret, NO_SECRET)
const Name = z.string().trim().min(1).max(200)
const page = { limit: z.int().min(1).optional(), cursor: z.string().optional() }
const more = { next_cursor: z.string().optional(), truncated: z.boolean().optional() }

/** What became of one config file of an engine. */
const RegistrationView = z.object({
  engine: z.string(),
  file: z.string(),
  state: z.string(),
  warning: z.boolean(),
  text: z.object({ en: z.string(), ja: z.string() }),
})

const operation = <I extends z.ZodObject, O extends z.ZodObject>(input: I, output: O) => ({ input, output })

const project = z.object({ project_id: ProjectId })
const member = z.object({ project_id: ProjectId, agent_id: AgentId })
const agent = z.object({ agent_id: AgentId })
/** As the operator sees an agent. */
const FullAgent = AgentRecord.extend({ toolsets: GivenToolsets })
const tab = z.object({ tab_id: TabId })
/** The same for memory, whose projects have numbers as well. */
const ofMemory = { project_id: ProjectHandle.optional(), directory: z.string().min(1).max(4096).optional() }
/** A project by its id or by its folder. */
const somewhere = { project_id: ProjectId.optional(), directory: z.string().min(1).max(4096).optional() }
const prompt = {
  phase: z.string(),
  language: z.enum(['en', 'ja']).optional(),
  /** Its own prompt in the place of the hub's. */
  project_id: ProjectId.optional(),
}
/** What people write down for those who come after. */
const Reason = z.string().trim().min(1).max(10_000)

const Title = z.string().trim().min(1).max(500)
const Description = z.string().max(100_000)
const Branch = z.string().trim().min(1).max(200)
const Labels = z.array(Label).max(100)

const Remembered = z.string().max(TEXT_MAX, `at most ${TEXT_MAX} characters`).regex(/\S/, 'must not be empty')
const byId = { next_start_id: z.int().optional(), truncated: z.boolean().optional() }
const newestFirst = { next_before_id: z.int().optional(), truncated: z.boolean().optional() }
const NewNumbers = z.record(z.string(), z.int())
const Renumbered = z.object({ topics: NewNumbers, decisions: NewNumbers })

const worktree = z.object({ worktree_id: WorktreeId })
const SetupPlan = z.object({
  project_id: ProjectId,
  command: z.array(z.string()).nullable(),
  trusted: z.boolean(),
})
const CrewTask = z.object({
  role: z.string().min(1),
  prompt: z.string().max(PROMPT_MAX).regex(/\S/, 'must not be empty'),
  workingDirectory: z.string().max(4096).optional(),
  timeout_ms: z.number().positive().optional(),
})
/** For people: the whole prompt, and where the log is. */
const RunDetails = CrewRunRecord.extend({
  project_id: ProjectId.nullable(),
  depth: z.int(),
  started_by: z.string(),
  log_file: z.string(),
  task_id: TaskId.nullable().describe('The task in whose workspace it works'),
  reason: z.string().nullable().describe('Why it ended, and what to do; null: it reported, or goes on'),
  denied_tools: z.array(z.string()),
})

const Dependencies = z.array(TaskId).max(MOST_DEPENDENCIES, `at most ${MOST_DEPENDENCIES}`)

const LogPath = z.string().max(4096)

/** Where a project's tasks are worked on, and what becomes of the work. */
const settings = {
  workspace: WorkspaceMode.optional().describe('task where the directory is in a git repository, else folder'),
  base: z.string().min(1).max(200).nullish().describe('A branch; null: what the directory has checked out'),
  accept: AcceptPolicy.optional().describe('person where tasks have workspaces, else report'),
  reviewer_id: AgentId.nullish().describe('Who reviews where accept is agent'),
  merge: MergeMethod.optional(),
}

/** Names one process for good; `pid` 0 while it is only planned. By this a hub on the same machine knows it again. */
const StartedProcess = z.object({
  boot: z.string().max(200),
  pid: z.int().min(0),
  start: z.string().max(200),
  marker: z.string().min(8).max(200),
})

export const api = {
  ...threadApi,
  ...demoApi,
  'project.add': operation(
    z.object({
      id: OwnId.brand<'ProjectId'>().optional(),
      name: Name,
      directory: z.string().nullish(),
      description: z.string().optional(),
      asana_url: AsanaUrl.optional(),
      trust: z
        .boolean()
        .optional()
        .describe('false: the agent configuration that the folder brings is not trusted by adding it'),
      ...settings,
    }),
    ProjectView,
  ),
  'project.edit': operation(
    z.object({
      project_id: ProjectId,
      name: Name.optional(),
      description: z.string().optional(),
      asana_url: AsanaUrl.nullish(),
      key: ProjectKey.optional(),
      ...settings,
    }),
    ProjectView,
  ),
  'project.list': operation(z.object(page), z.object({ projects: z.array(ProjectView), ...more })),
  'project.show': operation(project, ProjectView.extend({ agents: z.array(z.string()) })),
  /** Whose folder it is: the nearest project's from there up, also in a worktree of one. */
  'project.here': operation(
    z.object({ directory: z.string().min(1).max(4096) }),
    z.object({ project: ProjectView.nullable() }),
  ),
  'project.assign': operation(member, member),
  'project.unassign': operation(member, member),
  'project.archive': operation(project, ProjectView),
  'project.activate': operation(project, ProjectView),

  'agent.add': operation(
    z.object({
      id: OwnId.brand<'AgentId'>().optional(),
      name: Name,
      engine: EngineId,
      role: z.string().max(1000).optional(),
      system_prompt: z.string().max(100_000).optional(),
      toolsets: GivenToolsets.optional(),
    }),
    FullAgent.extend({ passkey: z.string() }),
  ),
  'agent.edit': operation(
    agent.extend({
      name: Name.optional(),
      engine: EngineId.optional(),
      role: z.string().max(1000).optional(),
      system_prompt: z.string().max(100_000).optional(),
    }),
    FullAgent.extend({ system_prompt: z.string() }),
  ),
  'agent.list': operation(z.object(page), z.object({ agents: z.array(FullAgent), ...more })),
  'agent.show': operation(agent, FullAgent.extend({ system_prompt: z.string(), project_ids: z.array(ProjectId) })),
  'agent.toolsets': operation(agent.extend({ toolsets: GivenToolsets }), FullAgent),
  'agent.disable': operation(agent, AgentRecord),
  'agent.enable': operation(agent, AgentRecord),
  'agent.rotate': operation(agent, AgentRecord.extend({ passkey: z.string() })),

  'task.add': operation(
    z.object({
      id: OwnId.brand<'TaskId'>().optional(),
      project_id: ProjectId,
      title: Title,
      description: Description.optional(),
      assignee_id: AgentId.nullish(),
      priority: Priority.optional().describe(PRIORITIES.join(', ')),
      status: TaskStatus.optional(),
      labels: Labels.optional(),
      parent_id: TaskId.optional(),
      depends_on: Dependencies.optional(),
    }),
    TaskView,
  ),
  'task.edit': operation(
    z.object({
      task_id: TaskId,
      title: Title.optional(),
      description: Description.optional(),
      priority: Priority.optional(),
      assignee_id: AgentId.nullish(),
      branch: Branch.nullish(),
      add_labels: Labels.optional(),
      remove_labels: Labels.optional(),
    }),
    TaskView,
  ),
  'task.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      status: TaskStatus.optional(),
      stage: Stage.optional(),
      assignee_id: AgentId.optional(),
      label: z.string().trim().min(1).max(40).optional(),
      search: z
        .string()
        .regex(/\S/, 'must not be empty')
        .max(SEARCH_MAX)
        .optional()
        .describe('In title, description, handle or a label'),
      ...page,
    }),
    z.object({ tasks: z.array(TaskView), ...more }),
  ),
  'task.show': operation(
    z.object({ task_id: TaskId }),
    TaskView.extend({
      notes: z.array(NoteView),
      handoff: HandoffView.nullable(),
      executions: z.array(TaskExecution),
      failure: z
        .object({
          execution_id: RunId,
          kind: z.string(),
          reason: z.string().describe('What happened, why, and what to do'),
          next: z.enum(['again', 'paused', 'waits']).describe('What the hub does about it'),
          next_at: z.string().nullable(),
        })
        .nullable()
        .describe('How its last run failed; null when it did not'),
      answers: z.array(AnswerView).describe('What people said to it while it was blocked, newest first'),
      not_started: z.string().nullable().describe('Why no Runner starts an agent for it, though one could'),
      ...taskThread,
      workspace: WorkspaceView.nullable().describe('Where it is worked on; null: it has not been started in one'),
      waits_for: z.array(TaskRef).describe('Tasks that it depends on and that are not accepted yet'),
      parent: TaskRef.nullable().describe('The task that it is a part of'),
      children: z.array(TaskRef).describe('Its sub-tasks'),
      decisions: z.array(TaskDecision).describe('Decisions that name it, or that its reports cite'),
    }),
  ),
  'task.cards': operation(
    z.object({
      project_id: ProjectId.optional(),
      ids: z.array(TaskId).max(1000).optional().describe('Only these'),
      closed_since: z.iso.datetime().optional().describe('Leaves out what was closed before'),
      cursor: z.string().optional(),
    }),
    z.object({ cards: z.array(TaskCard), ...more }),
  ),
  /** What a person says to a task that is blocked, and back to work with it. */
  'task.answer': operation(
    z.object({
      task_id: TaskId,
      answer: z.string().trim().min(1).max(100_000),
      status: z.enum(['todo', 'in_progress']).optional().describe('Default: in_progress when it has an assignee'),
    }),
    TaskView,
  ),
  'task.move': operation(
    z.object({
      task_id: TaskId,
      status: TaskStatus,
      force: z.boolean().optional().describe('Done even while sub-tasks are open'),
    }),
    TaskView,
  ),
  'task.order': operation(
    z.object({
      task_id: TaskId,
      behind: TaskId.nullable().describe(
        'The task of the same status that it comes directly behind; null: to the front',
      ),
    }),
    z.object({ task_id: TaskId, rank: z.number() }),
  ),
  'task.link': operation(
    z.object({ task_id: TaskId, depends_on: Dependencies.optional(), parent_id: TaskId.optional() }),
    TaskView,
  ),
  'task.unlink': operation(
    z.object({
      task_id: TaskId,
      depends_on: Dependencies.optional(),
      parent: z.boolean().optional().describe('Make it a task of its own'),
    }),
    TaskView,
  ),
  'task.tree': operation(
    z.object({ task_id: TaskId.optional(), project_id: ProjectId.optional(), all: z.boolean().optional() }),
    z.object({
      tasks: z
        .array(TaskView.extend({ level: z.int(), waits_for: z.array(TaskRef) }))
        .describe('Each before its sub-tasks'),
      truncated: z.boolean().optional(),
    }),
  ),
  'task.merge': operation(
    z.object({ task_id: TaskId }),
    z.object({ merge: MergeView.nullable().describe('null: nothing was changed, so there is nothing to merge') }),
  ),
  'merge.list': operation(
    z.object({ project_id: ProjectId.optional(), task_id: TaskId.optional(), ended: z.boolean().optional() }),
    z.object({ merges: z.array(MergeView) }),
  ),
  'task.assign': operation(z.object({ task_id: TaskId, agent_id: AgentId.nullable() }), TaskView),

  'memory.topic.add': operation(
    z.object({
      ...ofMemory,
      title: Remembered,
      description: Remembered.optional(),
      parent_topic_id: z.int().optional(),
    }),
    TopicView,
  ),
  'memory.topic.list': operation(
    z.object({
      ...ofMemory,
      parent_topic_id: z.int().optional(),
      decided: z.boolean().optional(),
      limit: z.int().min(1).optional(),
      start_id: z.int().min(0).optional(),
    }),
    z.object({ topics: z.array(TopicView), ...byId }),
  ),
  'memory.topic.show': operation(
    z.object({ topic_id: z.int(), limit: z.int().min(1).optional(), start_id: z.int().min(0).optional() }),
    TopicView.extend({
      project_name: z.string(),
      logs: z.array(EntryView),
      decisions: z.array(DecisionView),
      ...byId,
    }),
  ),
  'memory.topic.tree': operation(
    z.object({ project_id: ProjectHandle }),
    z.object({
      topics: z
        .array(TopicView.extend({ logs: z.int(), decisions: z.int().describe('Those that stand; 0: undecided') }))
        .describe('In the order of their ids: each after its parent'),
      truncated: z.boolean().optional(),
    }),
  ),
  'memory.decision.show': operation(
    z.object({ decision_id: z.int() }),
    DecisionView.extend({
      topic_title: z.string().nullable(),
      project_name: z.string().nullable(),
      chain: z.array(DecisionView).describe('From the first that was replaced to the one that stands'),
      tasks: z.array(
        z.object({
          task_id: TaskId,
          handle: z.string(),
          title: z.string(),
          status: TaskStatus,
          named: z.boolean().describe('The decision names it: its agent is told'),
          cited: z.boolean().describe('A report of it names the decision'),
        }),
      ),
    }),
  ),
  'memory.log.add': operation(z.object({ topic_id: z.int(), content: Remembered }), EntryView),
  'memory.decision.add': operation(
    z.object({
      topic_id: z.int().optional(),
      project_id: ProjectHandle.optional(),
      decision: Remembered,
      reason: Remembered,
      supersedes: z.int().optional(),
      task_ids: z.array(TaskId).max(50).optional(),
    }),
    DecisionView,
  ),
  'memory.decision.list': operation(
    z.object({ ...ofMemory, limit: z.int().min(1).optional(), before_id: z.int().optional() }),
    z.object({ decisions: z.array(DecisionView), ...newestFirst }),
  ),
  'memory.search': operation(
    z.object({
      ...ofMemory,
      keyword: z.string().min(1).max(KEYWORD_MAX),
      limit: z.int().min(1).optional(),
    }),
    z.object({ topics: z.array(TopicView), decisions: z.array(DecisionView), truncated: z.boolean().optional() }),
  ),
  'memory.recall': operation(
    z.object({
      ...ofMemory,
      queries: z.array(z.string().max(QUERY_MAX).regex(/\S/, 'must not be empty')).min(1).max(5),
      kinds: z.array(z.enum(MEMORY_KINDS)).min(1).optional(),
      topic_id: z.int().optional(),
      limit: z.int().min(1).optional(),
    }),
    RecallAnswer,
  ),
  'memory.export': operation(
    z.object({ ...ofMemory, cursor: z.string().optional() }),
    z.object({ records: z.array(MemoryRecord), next_cursor: z.string().optional() }),
  ),
  'memory.import': operation(z.object({ ...ofMemory, records: z.array(MemoryRecord), known: Renumbered }), Renumbered),

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

  'tab.launch': operation(
    z.object({
      engine: z.string(),
      branch: z.string().optional().describe('Left out for a task, which has its own'),
      task_id: TaskId.optional().describe('Launched in the workspace of this task'),
      ...somewhere,
      base: z.string().optional(),
      prompt: z.string().optional(),
      permission: TabPermission.optional(),
    }),
    TabRecord.extend({
      exit_signal: z.string().nullable(),
      last_lines: z.array(z.string()).describe('Of one whose program ended at once: what it showed last'),
    }),
  ),
  'tab.list': operation(
    z.object({ project_id: ProjectId.optional(), all: z.boolean().optional(), ...page }),
    z.object({ tabs: z.array(TabRecord), ...more }),
  ),
  'tab.show': operation(
    tab,
    TabRecord.extend({
      messages: z.array(MessageView),
      screen: z.array(z.string()).nullable().describe('Of a live one: what it shows now'),
      last_screen: z.array(z.string()).nullable().describe('Of one that has ended: what it showed last'),
    }),
  ),
  'tab.screen': operation(
    tab,
    z.object({
      tab_id: TabId,
      status: TabStatus,
      lines: z.array(z.string()).describe('What it shows now; of one that has ended: what it showed last'),
    }),
  ),
  'tab.send': operation(
    z.object({ tab_id: TabId.optional(), project_id: ProjectId.optional(), message: z.string() }),
    z.object({ messages: z.array(MessageView) }),
  ),
  'tab.stop': operation(tab, TabRecord),
  'tab.files': operation(tab, z.object({ files: z.array(ChangedFileView), truncated: z.boolean() })),
  'tab.diff': operation(tab, z.object({ diff: z.string(), truncated: z.boolean() })),
  'message.list': operation(
    z.object({
      tab_id: TabId.optional().describe('Sent to it or by it'),
      project_id: ProjectId.optional(),
      ...page,
    }),
    z.object({ messages: z.array(MessageView).describe('The newest first'), ...more }),
  ),
  'message.cancel': operation(z.object({ message_id: MessageId }), MessageView),
  'branch.list': operation(
    project,
    z.object({
      branches: z.array(BranchView).describe('The ones that were committed to last come first'),
      current: z.string().nullable().describe("What the project's own folder has checked out; null: no branch"),
      truncated: z.boolean(),
    }),
  ),
  'project.trust': operation(
    z.object({
      ...somewhere,
      from: z.string().min(1).max(4096).optional().describe('Trust what this folder has, such as a worktree'),
      runner: z.string().max(100).optional().describe('Trust what this Runner saw on its machine'),
      seen: z.string().max(100).optional().describe('Hash of `trust.look`: refuses anything else than what it showed'),
    }),
    z.object({
      project_id: ProjectId.nullable(),
      directory: z.string(),
      remote: z.string(),
      files: z.array(z.string()),
    }),
  ),
  /** What `project.trust` would trust. */
  'trust.look': operation(
    z.object({ directory: z.string().min(1).max(4096) }),
    z.object({
      directory: z.string(),
      files: z.array(z.string()),
      unknown: z.array(z.string()).describe('Those that are not trusted as they are'),
      hash: z.string(),
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
    worktree.extend({ count: z.boolean().optional().describe('With the lines that were added and removed') }),
    z.object({ files: z.array(ChangedFileView), truncated: z.boolean() }),
  ),
  'worktree.diff': operation(
    worktree.extend({
      path: z.string().min(1).max(4096).optional().describe('Only of this file'),
      context: ContextLines.optional().describe('Lines around a change'),
    }),
    z.object({ diff: z.string(), truncated: z.boolean() }),
  ),
  'worktree.setup': operation(worktree, WorktreeView),
  'worktree.setup.show': operation(project, SetupPlan),
  'worktree.setup.trust': operation(project, SetupPlan),

  'runner.hold': operation(
    z.object({
      engines: z.array(EngineId).max(200).describe('What can be started where this Runner is'),
      instances: z.array(z.string()).max(1000).describe('Those whose processes run'),
      processes: z
        .array(StartedProcess.extend({ instance_id: z.string(), log_path: LogPath.optional() }))
        .max(1000)
        .optional(),
      folders: z
        .object({
          list: z.string().max(100).describe('Which list of folders it looked for; empty before the first'),
          here: z.array(z.string().max(200)).max(20_000).describe('Ids of the projects whose folders it found'),
        })
        .optional()
        .describe('Missing from older Runners, which may be offered any folder'),
    }),
    z.object({
      /** Names the hub's database in the Runner's files. */
      hub: z.string(),
      runner: z.string(),
      hold_ms: z.int(),
      instances: z.array(z.object({ instance_id: z.string(), state: z.enum(INSTANCE_STATES) })),
      folders: z
        .object({
          list: z.string(),
          /** Missing when the Runner knows this list. */
          look: z.array(z.object({ project_id: ProjectId, directory: z.string() })).optional(),
        })
        .optional()
        .describe('Which folders to look for. Missing from older hubs'),
    }),
  ),
  'runner.startable': operation(
    z.object({}),
    z.object({
      pairs: z
        .array(z.object({ agent_id: AgentId, project_id: ProjectId, working_directory: z.string() }))
        .describe('What to ask should_start about now; of all others the answer would be no'),
    }),
  ),
  'runner.begin': operation(
    z.object({
      agent_id: AgentId,
      project_id: ProjectId,
      ticket: z.string(),
      process: StartedProcess.optional().describe('What is about to be started, known by its mark alone so far'),
    }),
    z.object({
      instance_id: z.string(),
      epoch: z.int(),
      agent_name: z.string(),
      system_prompt: z.string(),
      engine: z.string(),
      /** Missing from older hubs. */
      permission: Permission.optional(),
      project_name: z.string(),
      directory: z.string(),
      workspace: z.boolean().optional().describe('It works in the workspace of its task; ask runner.workspace for it'),
    }),
  ),
  'runner.workspace': operation(
    z.object({ instance_id: z.string() }),
    z.object({
      state: z.enum(['making', 'ready', 'untrusted', 'failed']).describe('making: ask again'),
      directory: z.string().nullable(),
      env: z.record(z.string(), z.string()).describe('For its process'),
      problem: z.string().nullable().describe('What to tell people'),
    }),
  ),
  'runner.inspect': operation(
    z.object({ project_id: ProjectId, seen: AgentConfigSeen }),
    z.object({ trusted: z.boolean(), problem: z.string().nullable().describe('What to tell people') }),
  ),
  'runner.ended': operation(
    z.object({
      instance_id: z.string(),
      cause: z.enum(END_CAUSES),
      exit_code: z.int().nullable(),
      signal: z.string().max(40).nullable(),
      message: z.string().max(4000).describe('What to tell people'),
      quota: z.object({ message: z.string().max(4000), resets_at: z.int().nullable() }).nullable(),
      /** Missing from Runners of earlier versions, as is what follows. */
      end: RunEnd.optional().describe('Why it ended, as far as its program tells'),
      log_path: LogPath.nullish().describe("Where its output is, on the Runner's machine"),
      seen: RunSeen.nullish(),
    }),
    z.object({
      known: z.boolean(),
      report: z.enum(['success', 'failed', 'blocked']).nullable().describe('What its agent said; null: nothing'),
      end: RunEnd.optional().describe('Why it ended, with what the hub knows'),
    }),
  ),
  'runner.add': operation(z.object({ name: OwnId }), z.object({ name: z.string(), token: z.string() })),
  'runner.list': operation(z.object({}), z.object({ runners: z.array(RunnerView) })),
  'runner.refused': operation(z.object({}), z.object({ refused: z.array(RefusedStart) })),
  'runner.waiting': operation(z.object({}), z.object({ waiting: z.array(WaitingStart) })),
  'runner.revoke': operation(z.object({ name: z.string() }), RunnerView),

  'token.add': operation(z.object({ name: OwnId }), z.object({ name: z.string(), token: z.string() })),
  'token.list': operation(z.object({}), z.object({ tokens: z.array(TokenView) })),
  'token.revoke': operation(z.object({ name: z.string() }), TokenView),

  'event.list': operation(
    z.object({
      before: z.int().optional().describe('Older than this number'),
      after: z.int().optional().describe('Newer than this number, beginning with the nearest'),
      types: z.array(z.string().min(1).max(100)).min(1).max(200).optional(),
      project_id: ProjectId.optional(),
      caller: z.string().min(1).max(300).optional().describe('As in the events'),
      subject: z.string().min(1).max(200).optional().describe('An id that the event is about'),
      limit: z.int().min(1).max(EVENTS_MAX).optional(),
    }),
    z.object({
      events: z.array(StoredEvent).describe('Newest first'),
      names: EventNames,
      truncated: z.boolean().optional().describe('There are more in this direction'),
    }),
  ),
  /** Whatever has a page of its own. `limit`: of each kind. */
  'search.find': operation(
    z.object({
      text: z.string().regex(/\S/, 'must not be empty').max(SEARCH_MAX),
      kinds: z.array(z.enum(SEARCH_KINDS)).min(1).optional(),
      project_id: ProjectId.optional(),
      limit: z.int().min(1).max(20).optional(),
    }),
    z.object({ found: z.array(FoundThing) }),
  ),
  'stats.daily': operation(
    z.object({
      from: z.iso.datetime({ offset: true }).describe('Where the first day begins'),
      to: z.iso.datetime({ offset: true }).describe('At most 62 days after it'),
      project_id: ProjectId.optional(),
    }),
    z.object({ days: z.array(DayStats).describe('Days of 24 hours') }),
  ),

  'inbox.list': operation(
    z.object({ project_id: ProjectId.optional() }),
    z.object({
      items: z.array(InboxItem),
      next_at: z.string().nullable().describe('When the next one that was snoozed is back; null: none was'),
    }),
  ),
  'inbox.count': operation(z.object({ project_id: ProjectId.optional() }), z.object({ count: z.int() })),
  /** Not before then, unless it changes. */
  'inbox.snooze': operation(
    z.object({ item_id: z.string().min(1).max(500), until: z.iso.datetime({ offset: true }) }),
    z.object({ item_id: z.string(), until: z.string() }),
  ),
  /** Looked at, and nothing more is to be done about it. When it happens again, it is back. */
  'inbox.seen': operation(z.object({ item_id: z.string().min(1).max(500) }), z.object({ item_id: z.string() })),

  /** For one sign-in to the dashboard, within ten minutes. */
  'hub.login_link': operation(z.object({}), z.object({ url: z.string(), expires_at: z.string() })),
  'page.list': operation(
    z.object({}),
    z.object({ pages: z.array(PageView.extend({ is_this: z.boolean().describe('The one that asks') })) }),
  ),
  'page.revoke': operation(
    z.object({ page_id: PageId.optional().describe('Missing: every browser') }),
    z.object({ pages: z.array(PageView) }),
  ),

  'engine.list': operation(z.object({}), z.object({ engines: z.array(EngineView) })),
  'engine.resume': operation(z.object({ engine: EngineId }), z.object({ engine: z.string(), was_paused: z.boolean() })),
  'role.list': operation(
    z.object({ refresh: z.boolean().optional().describe('Ask every engine again') }),
    z.object({ roles: z.array(RoleRecord) }),
  ),
  'crew.run': operation(
    z.object({
      description: z.string().max(10_000).optional(),
      mode: z.enum(CREW_MODES),
      /** Side by side there is one. */
      stages: z
        .array(z.object({ tasks: z.array(CrewTask).min(1).max(1000) }))
        .min(1)
        .max(100),
      on_failure: z.enum(['stop', 'continue']).optional(),
      directory: z.string().min(1).max(4096).optional().describe('Left out for a task, which has its own'),
      task_id: TaskId.optional().describe('They work in the workspace of this task'),
    }),
    z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord) }),
  ),
  'crew.list': operation(
    z.object(page),
    z.object({
      crews: z.array(CrewRecord.omit({ run_ids: true }).extend({ runs: z.int(), open: z.int() })),
      ...more,
    }),
  ),
  'crew.show': operation(
    z.object({ crew_id: CrewId }),
    z.object({
      crew: CrewRecord,
      runs: z.array(CrewRunRecord),
      last_event: z.int().describe('Follow /events from here to see what changes'),
    }),
  ),
  'crew.stop': operation(
    z.object({ crew_id: CrewId }),
    z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord).describe('Those that had not ended') }),
  ),
  /** The same runs once more, as a crew of their own. */
  'crew.repeat': operation(
    z.object({
      crew_id: CrewId,
      only_failed: z.boolean().optional().describe('Only those that did not succeed; of a plan, in its order'),
    }),
    z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord) }),
  ),
  'crew.delete': operation(z.object({ crew_id: CrewId }), z.object({ crew: CrewRecord })),
  'run.list': operation(
    z.object({ crew_id: CrewId.optional(), status: CrewRunStatus.optional(), ...page }),
    z.object({ runs: z.array(CrewRunRecord), ...more }),
  ),
  'run.show': operation(z.object({ run_id: RunId }), RunDetails),
  'execution.show': operation(z.object({ execution_id: RunId }), ExecutionDetail),
  /** Ends the agent on a task; the task is todo again, so that it is not started again. */
  'execution.stop': operation(z.object({ execution_id: RunId }), ExecutionDetail),
  'run.stop': operation(z.object({ run_id: RunId }), RunDetails),
  /** The same once more, in a crew of its own. */
  'run.repeat': operation(z.object({ run_id: RunId }), z.object({ crew: CrewRecord, runs: z.array(CrewRunRecord) })),
  'run.logs': operation(
    z.object({
      run_id: RunId,
      offset: z.int().min(0).optional(),
      /** Without an offset: only so much of the end. */
      tail_bytes: z.int().min(0).optional(),
      wait_ms: z.int().min(0).max(30_000).optional(),
    }),
    z.object({
      text: z.string(),
      /** Where to go on. */
      next_offset: z.int(),
      /** Nothing more will come. */
      ended: z.boolean(),
      /** The middle of it was dropped since the last look. */
      shortened: z.boolean().optional(),
    }),
  ),

  /** Agents on tasks, runs of crews and tabs: what is open, oldest first, then what ended last. */
  'work.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      agent_id: AgentId.optional().describe('The work of this agent on its tasks alone'),
      ended: z.int().min(0).max(200).optional().describe('How many of those that have ended, newest first'),
      last_actions: z.boolean().optional().describe('false: do not look into their logs'),
    }),
    z.object({ work: z.array(WorkView) }),
  ),

  'hub.status': operation(
    z.object({}),
    z.object({
      pid: z.int(),
      version: z.string(),
      db: z.string(),
      url: z.string(),
      started_at: z.string(),
      background: z.boolean(),
      demo: z.boolean().describe('Its agents are scripted, and it is deleted when it ends'),
      connections: z.int(),
      rss_bytes: z.int(),
      last_event: z.int(),
      instances: z.int().describe('Engine processes that Runners started and that run'),
      runners: z.array(z.string()).describe('Runners that were heard of lately'),
      pauses: z.array(PauseView),
    }),
  ),
  /** Who the caller is to this hub, whatever it takes itself for. */
  'hub.whoami': operation(
    z.object({}),
    z.object({
      caller: z.string().describe('As in events'),
      kind: z.string(),
      person: z.string().nullable(),
      token: z.string().nullable().describe("The name of its token; null: the hub's own"),
      project_id: ProjectId.nullable().describe('The one that it works in; null: all of them, or none'),
      may: z.enum(['everything', 'its_project', 'its_own_work']),
      db: z.string(),
      url: z.string(),
    }),
  ),
  /** Another hub of the same database is about to take over: it finds the terminals as they are. */
  'hub.stop': operation(z.object({ keep_terminals: z.boolean().optional() }), z.object({ stopping: z.literal(true) })),
  /** Takes this hub's entries out of the engines' config files, while it goes on running. */
  'hub.unregister': operation(z.object({}), z.object({ files: z.array(RegistrationView) })),
  /** What the engines' config files have of this Toryo, and what `toryo register` would change. Changes nothing. */
  'registration.list': operation(
    z.object({}),
    z.object({
      files: z.array(
        RegistrationView.extend({ diff: z.string().nullable().describe('What registering would change') }),
      ),
      problem: z.string().nullable().describe('Why nothing could be registered at all'),
    }),
  ),
  /** What the hub sees from where it runs. `toryo doctor` looks at the machine, too. */
  'doctor.run': operation(
    z.object({}),
    z.object({
      ok: z.boolean().describe('Nothing is to be fixed'),
      findings: z.array(
        z.object({
          check: z.string(),
          level: z.enum(['ok', 'warn', 'fail']),
          message: z.string(),
          fix: z.string().nullable().describe('What to do about it'),
        }),
      ),
    }),
  ),
  'hub.backup': operation(z.object({ file: z.string().min(1) }), z.object({ file: z.string(), bytes: z.int() })),
}

export type Api = typeof api
export type Operation = keyof Api
export type ApiInput<O extends Operation> = z.input<Api[O]['input']>
export type ApiOutput<O extends Operation> = z.output<Api[O]['output']>
