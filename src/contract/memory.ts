import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { KEY, shortNames, TaskId } from './id-types.ts'

/** Of any text that is remembered, in characters. */
export const TEXT_MAX = 100_000
export const KEYWORD_MAX = 10_000
export const QUERY_MAX = 2_000

export const MEMORY_KINDS = ['topic', 'log', 'decision'] as const

export const MemoryError = errors({
  TOPIC_NOT_FOUND: error('not-found', (p: { topicId: number }) => ({
    en: `Topic ${p.topicId} not found here. Use get-topics to list them.`,
    ja: `トピック ${p.topicId} はここにはありません。get-topics で一覧を確認できます。`,
  })),
  DECISION_NOT_FOUND: error('not-found', (p: { decisionId: number }) => ({
    en: `Decision ${p.decisionId} not found here, so it cannot be superseded. Use get-decisions to list them.`,
    ja: `置き換えの対象となる決定 ${p.decisionId} はここにはありません。get-decisions で一覧を確認できます。`,
  })),
})

export const TopicAdded = eventType('topic.added', z.object({ topicId: z.int() }))
export const EntryAdded = eventType('entry.added', z.object({ entryId: z.int(), topicId: z.int() }))
export const DecisionAdded = eventType(
  'decision.added',
  z.object({ decisionId: z.int(), topicId: z.int().nullable(), supersedes: z.int().nullable() }),
)
/** A task that is open followed a decision, or was named by it, and another has replaced it. */
export const DecisionSuperseded = eventType(
  'task.decision_superseded',
  z.object({ taskId: TaskId, decisionId: z.int(), supersededBy: z.int() }),
  p => [`task://${p.taskId}`],
)
export const IndexRebuilt = eventType('memory.index_rebuilt', z.object({ records: z.int(), version: z.string() }))

/** The number or the text id of a project: one row, two handles. */
export const ProjectHandle = z
  .union([z.int(), z.string().min(1).max(200)])
  .register(shortNames, { of: 'project', form: KEY })

export const TopicView = z.object({
  id: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  parent_topic_id: z.int().nullable(),
  created_at: z.string(),
})
export type TopicView = z.infer<typeof TopicView>

export const EntryView = z.object({ id: z.int(), topic_id: z.int(), content: z.string(), created_at: z.string() })
export type EntryView = z.infer<typeof EntryView>

export const DecisionView = z.object({
  id: z.int(),
  project_id: z.int().nullable(),
  topic_id: z.int().nullable(),
  decision: z.string(),
  reason: z.string(),
  supersedes: z.int().optional(),
  superseded_by: z.int().optional(),
  person: z.string().optional().describe('Who decided, where that is a person with a name'),
  created_at: z.string(),
})
export type DecisionView = z.infer<typeof DecisionView>

export const RecallHit = z.object({
  kind: z.enum(MEMORY_KINDS),
  id: z.int(),
  topic_id: z.int().nullable(),
  topic_path: z.string(),
  title: z.string(),
  snippet: z.string(),
  score: z.number(),
  created_at: z.string(),
  superseded_by: z.int().optional(),
})
export type RecallHit = z.infer<typeof RecallHit>

export const RecallAnswer = z.object({
  results: z.array(RecallHit),
  notice: z.string().optional().describe('What kept this answer from being complete'),
})

/** A decision as an agent gets it with its task. */
export const FittingDecision = z.object({
  decision_id: z.int(),
  topic: z.string().nullable(),
  decision: z.string(),
  reason: z.string(),
  decided_at: z.string(),
})
export type FittingDecision = z.infer<typeof FittingDecision>

/** A decision as a task has it. */
export const TaskDecision = z.object({
  decision_id: z.int(),
  decision: z.string(),
  cited: z.boolean().describe('A report of the task names it'),
  superseded_by: z.int().optional().describe('The decision that has replaced it, which the task does not know yet'),
})
export type TaskDecision = z.infer<typeof TaskDecision>

/** The same for people, who ask since when. */
export const ToldDecision = TaskDecision.extend({
  told_at: z.string().nullable().describe('Since when its agent gets it with the task; null: only a report names it'),
})
export type ToldDecision = z.infer<typeof ToldDecision>

/** One line of an export. Ids are those of the place it came from. */
export const MemoryRecord = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('topic'),
    id: z.int(),
    parent_topic_id: z.int().nullable().default(null),
    title: z.string().min(1).max(TEXT_MAX),
    description: z.string().max(TEXT_MAX).nullable().default(null),
    created_at: z.iso.datetime().optional(),
  }),
  z.object({
    type: z.literal('log'),
    id: z.int().optional(),
    topic_id: z.int(),
    content: z.string().min(1).max(TEXT_MAX),
    created_at: z.iso.datetime().optional(),
  }),
  z.object({
    type: z.literal('decision'),
    id: z.int(),
    topic_id: z.int().nullable().default(null),
    decision: z.string().min(1).max(TEXT_MAX),
    reason: z.string().min(1).max(TEXT_MAX),
    supersedes: z.int().nullable().optional(),
    created_at: z.iso.datetime().optional(),
  }),
])
export type MemoryRecord = z.infer<typeof MemoryRecord>
