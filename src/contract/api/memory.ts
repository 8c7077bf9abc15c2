// Topics, logs and decisions.
import { z } from 'zod'
import { AgentId, TaskId } from '../id-types.ts'
import {
  DecisionView,
  EntryView,
  KEYWORD_MAX,
  MEMORY_KINDS,
  MemoryRecord,
  ProjectHandle,
  QUERY_MAX,
  RecallAnswer,
  TEXT_MAX,
  TopicView,
} from '../memory.ts'
import { TaskStatus } from '../projects.ts'
import { operation } from './shapes.ts'

/** The same for memory, whose projects have numbers as well. */
const ofMemory = { project_id: ProjectHandle.optional(), directory: z.string().min(1).max(4096).optional() }
const Remembered = z.string().max(TEXT_MAX, `at most ${TEXT_MAX} characters`).regex(/\S/, 'must not be empty')
const byId = { next_start_id: z.int().optional(), truncated: z.boolean().optional() }
const newestFirst = { next_before_id: z.int().optional(), truncated: z.boolean().optional() }
const NewNumbers = z.record(z.string(), z.int())
const Renumbered = z.object({ topics: NewNumbers, decisions: NewNumbers })

export const memoryApi = {
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
      told_to: z
        .array(AgentId)
        .describe('The agents that took a task which follows it, or one that it replaced, while it stood'),
      tasks: z.array(
        z.object({
          task_id: TaskId,
          handle: z.string(),
          title: z.string(),
          status: TaskStatus,
          named: z.boolean().describe('The decision names it: its agent gets it'),
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
    z.object({
      ...ofMemory,
      topic_id: z.int().optional().describe('Only of this topic, not of those below it'),
      task_id: TaskId.optional().describe('Only those that name this task, or that its reports cite'),
      limit: z.int().min(1).optional(),
      before_id: z.int().optional(),
    }),
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
}
