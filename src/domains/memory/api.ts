import { CoreError } from '#contract/errors.ts'
import { say } from '#contract/lang.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, readCursor, writeCursor } from '#kernel/page.ts'
import type { ExactSearch } from './exact.ts'
import type { Recalling } from './recalling.ts'
import type { Memory } from './service.ts'
import { type Transfer, TransferCursor } from './transfer.ts'
import { meant } from './whereabouts.ts'
import { decisionView, entryView, newestPage, pageById, searchPage, topicView } from './views.ts'

const TREE_MAX = 5000

type Services = { memory: Memory; exact: ExactSearch; recalling: Recalling; transfer: Transfer }

export const memoryOperations = [
  operation({
    name: 'memory.topic.add',
    effect: 'write',
    prepare: meant,
    async run({ memory }: Services, input, { prepared, caller }) {
      const { title, description = null, parent_topic_id: parentId = null } = input
      return topicView(await memory.addTopic(prepared, { title, description, parentId }, caller))
    },
  }),
  operation({
    name: 'memory.log.add',
    effect: 'write',
    run: async ({ memory }: Services, input, call) =>
      entryView(await memory.addEntry(input.topic_id, input.content, call.caller)),
  }),
  operation({
    name: 'memory.decision.add',
    effect: 'write',
    async run({ memory }: Services, input, call) {
      const { topic_id: topicId = null, decision, reason, supersedes = null } = input
      const taskIds = input.task_ids ?? []
      const fresh = { topicId, project: input.project_id ?? undefined, decision, reason, supersedes, taskIds }
      return decisionView(await memory.addDecision(fresh, call.caller))
    },
  }),
  operation({
    name: 'memory.topic.list',
    effect: 'read',
    prepare: meant,
    async run({ memory }: Services, input, call) {
      const limit = limitOf(input.limit)
      const filter = { parentId: input.parent_topic_id ?? null, decided: input.decided }
      const rows = await memory.listTopics(call.prepared, filter, input.start_id ?? 0, limit + 1, call.caller)
      const { items, ...page } = pageById(rows, limit, topicView)
      return { topics: items, ...page }
    },
  }),
  operation({
    name: 'memory.topic.show',
    effect: 'read',
    async run({ memory }: Services, input, call) {
      const limit = limitOf(input.limit)
      const { topic, project } = await memory.topic(input.topic_id, call.caller)
      const from = input.start_id
      const rows = await memory.listEntries(topic.id, from, from === undefined ? limit : limit + 1, call.caller)
      const { items, ...page } = from === undefined ? newestPage(rows, entryView) : pageById(rows, limit, entryView)
      const decisions = await memory.listDecisions(topic.id, undefined, limit, call.caller)
      return {
        ...topicView(topic),
        project_name: project.name,
        logs: items,
        decisions: newestPage(decisions, decisionView).items,
        ...page,
      }
    },
  }),
  operation({
    name: 'memory.topic.tree',
    effect: 'read',
    async run({ memory }: Services, input, call) {
      const found = await memory.tree(input.project_id, TREE_MAX + 1, call.caller)
      const topics = found.slice(0, TREE_MAX).map(({ topic, entries: logs, decisions }) => ({
        ...topicView(topic),
        ...{ logs, decisions },
      }))
      return { topics, ...(found.length > TREE_MAX && { truncated: true }) }
    },
  }),
  operation({
    name: 'memory.decision.list',
    effect: 'read',
    prepare: meant,
    async run({ memory }: Services, input, call) {
      const limit = limitOf(input.limit)
      const project = await memory.project(call.prepared, call.caller)
      const { topic_id: topicId, task_id: taskId, before_id: before } = input
      const rows = await memory.newestDecisions(project.number, { topicId, taskId, before }, limit + 1)
      const { items, ...page } = searchPage(rows, limit, decisionView)
      return { decisions: items, ...page }
    },
  }),
  operation({
    name: 'memory.search',
    effect: 'read',
    prepare: meant,
    async run({ memory, exact }: Services, input, call) {
      const project = await memory.project(call.prepared, call.caller)
      const query = {
        project: project.number,
        keyword: input.keyword,
        before: undefined,
        limit: limitOf(input.limit, 30),
      }
      const topics = searchPage(await exact.topics(query), query.limit, topicView)
      const decisions = searchPage(await exact.decisions(query), query.limit, decisionView)
      return {
        topics: topics.items,
        decisions: decisions.items,
        ...((topics.truncated || decisions.truncated) && { truncated: true }),
      }
    },
  }),
  operation({
    name: 'memory.recall',
    effect: 'read',
    prepare: meant,
    async run({ recalling }: Services, input, call) {
      const question = {
        queries: input.queries,
        kinds: input.kinds,
        topicId: input.topic_id,
        limit: limitOf(input.limit, 10),
      }
      const { results, notice } = await recalling.answer(call.prepared, question, call.caller)
      return { results, ...(notice && { notice: say(call.lang, notice) }) }
    },
  }),
  operation({
    name: 'memory.export',
    effect: 'read',
    prepare: meant,
    async run({ memory, transfer }: Services, input, call) {
      const project = await memory.project(call.prepared, call.caller)
      const { records, next } = await transfer.page(project.number, readCursor(input.cursor, TransferCursor))
      return { records, ...(next && { next_cursor: writeCursor(next) }) }
    },
  }),
  operation({
    name: 'memory.import',
    effect: 'write',
    prepare: meant,
    async run({ transfer }: Services, input, call) {
      if (input.records.length === 0) throw CoreError.INVALID_ARGUMENT({ reason: NOTHING })
      return transfer.add(call.prepared, input.records, input.known, call.caller)
    },
  }),
]

const NOTHING = { en: 'The file has no records to import.', ja: '取り込む記録がありません。' }
