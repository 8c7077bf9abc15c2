import type { DecisionView, EntryView, RecallHit, TopicView } from '#contract/memory.ts'
import { RESULT_BYTES } from '#contract/limits.ts'
import { iso } from '#kernel/clock.ts'
import type { Decision, Entry, Project, Topic } from './model.ts'
import type { Hit } from './recall.ts'
import { snippet } from './search/snippet.ts'

export function projectFields(project: Project) {
  return {
    name: project.name,
    description: project.description === '' ? null : project.description,
    asana_url: project.asanaUrl,
    created_at: iso(project.createdAt),
  }
}

export function topicView(topic: Topic): TopicView {
  return {
    id: topic.id,
    project_id: topic.project,
    title: topic.title,
    description: topic.description,
    parent_topic_id: topic.parentId,
    created_at: iso(topic.createdAt),
  }
}

export function entryView(entry: Entry): EntryView {
  return { id: entry.id, topic_id: entry.topicId, content: entry.content, created_at: iso(entry.createdAt) }
}

export function decisionView(decision: Decision): DecisionView {
  return {
    id: decision.id,
    project_id: decision.project,
    topic_id: decision.topicId,
    decision: decision.decision,
    reason: decision.reason,
    ...(decision.supersedes !== null && { supersedes: decision.supersedes }),
    ...(decision.supersededBy !== null && { superseded_by: decision.supersededBy }),
    ...(decision.person !== null && { person: decision.person }),
    created_at: iso(decision.createdAt),
  }
}

export function hitView(hit: Hit, queries: readonly string[], paths: ReadonlyMap<number, string>): RecallHit {
  return {
    kind: hit.kind,
    id: hit.id,
    topic_id: hit.topicId,
    topic_path: hit.topicId === null ? '' : (paths.get(hit.topicId) ?? ''),
    title: hit.title,
    snippet: snippet(hit.text, queries),
    score: Number(hit.score.toPrecision(6)),
    created_at: iso(hit.createdAt),
    ...(hit.supersededBy !== null && { superseded_by: hit.supersededBy }),
  }
}

/** As many from the front as clients accept in one result; the text repeats it, so each is sent twice. */
export function fitting<V>(items: readonly V[]): V[] {
  let bytes = 0
  const end = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return index > 0 && bytes * 2 > RESULT_BYTES
  })
  return end === -1 ? [...items] : items.slice(0, end)
}

/** A page of records by id: what fits, whether something was left out for its size, and where to go on. */
export function pageById<R extends { id: number }, V>(rows: readonly R[], limit: number, view: (row: R) => V) {
  const items = fitting(rows.slice(0, limit).map(view))
  const next = rows[items.length]
  return {
    items,
    ...(next && { next_start_id: next.id }),
    ...(items.length < Math.min(rows.length, limit) && { truncated: true }),
  }
}

/** The newest records, oldest first: of what does not fit, the oldest are left out. */
export function newestPage<R extends { id: number }, V>(rows: readonly R[], view: (row: R) => V) {
  const items = fitting(rows.toReversed().map(view)).reverse()
  const left = rows.length - items.length
  const first = rows[0]
  return { items, ...(left > 0 && first && { truncated: true, next_start_id: first.id }) }
}

/** A page of a search, newest first. */
export function searchPage<R extends { id: number }, V>(rows: readonly R[], limit: number, view: (row: R) => V) {
  const items = fitting(rows.slice(0, limit).map(view))
  const last = rows[items.length - 1]
  const more = rows.length > items.length
  return {
    items,
    ...(more && last && { next_before_id: last.id }),
    ...(items.length < Math.min(rows.length, limit) && { truncated: true }),
  }
}
