// The tree of topics and the texts that were found, as they are drawn. Pure.
import type { ApiOutput } from '#contract/api.ts'

export type Topic = ApiOutput<'memory.topic.tree'>['topics'][number]
export const KINDS = ['decision', 'topic', 'log'] as const
export type Kind = (typeof KINDS)[number]
export type Node = { topic: Topic; level: number; hasChildren: boolean; open: number }

/** Depth first, without what is below a folded topic. `open`: undecided topics in it and below. */
export function treeOf(topics: readonly Topic[], folded: ReadonlySet<number>): Node[] {
  const ids = new Set(topics.map(({ id }) => id))
  const children = new Map<number | null, Topic[]>()
  for (const topic of topics) {
    // What is below something that is not here stands at the top: it must not vanish.
    const parent = topic.parent_topic_id !== null && ids.has(topic.parent_topic_id) ? topic.parent_topic_id : null
    const own = children.get(parent)
    if (own) own.push(topic)
    else children.set(parent, [topic])
  }
  const open = openBelow(topics, ids)
  const nodes: Node[] = []
  const rest = [...(children.get(null) ?? [])].reverse().map(topic => ({ topic, level: 0 }))
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { topic, level } = next
    const below = children.get(topic.id) ?? []
    nodes.push({ topic, level, hasChildren: below.length > 0, open: open.get(topic.id) ?? 0 })
    if (!folded.has(topic.id)) for (const child of [...below].reverse()) rest.push({ topic: child, level: level + 1 })
  }
  return nodes
}

/** A topic's parent is always older: from the newest on, each adds itself to its parent. */
function openBelow(topics: readonly Topic[], ids: ReadonlySet<number>): Map<number, number> {
  const open = new Map(topics.map(({ id, decisions }) => [id, decisions === 0 ? 1 : 0]))
  for (const { id, parent_topic_id: parent } of [...topics].sort((a, b) => b.id - a.id))
    if (parent !== null && ids.has(parent)) open.set(parent, (open.get(parent) ?? 0) + (open.get(id) ?? 0))
  return open
}

/** From the top down to this one. */
export function pathTo(topics: readonly Topic[], id: number): Topic[] {
  const byId = new Map(topics.map(topic => [topic.id, topic]))
  const path: Topic[] = []
  for (let at = byId.get(id); at && !path.includes(at); at = byId.get(at.parent_topic_id ?? -1)) path.unshift(at)
  return path
}

/** The words of a search where they stand in a text, for marks. Whatever the case. */
export function marked(text: string, query: string): { text: string; isHit: boolean }[] {
  const words = [...new Set(query.toLowerCase().split(/[\s\u3000]+/))].filter(word => word !== '')
  if (words.length === 0) return [{ text, isHit: false }]
  const escaped = words.sort((a, b) => b.length - a.length).map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'iu'))
  return parts.map((part, at) => ({ text: part, isHit: at % 2 === 1 })).filter(part => part.text !== '')
}

/** The words of a search, as they were taken apart. */
export const wordsIn = (query: string) => [...new Set(query.trim().split(/[\s\u3000]+/))].filter(word => word !== '')

const LIKENESS = 0.2

/** The topic whose title is most like what was searched; undefined when none is. */
export function nearestTopic(topics: readonly Topic[], query: string): Topic | undefined {
  const wanted = pairsOf(query)
  let best: { topic: Topic; likeness: number } | undefined
  for (const topic of topics) {
    const likeness = likenessOf(wanted, pairsOf(`${topic.title} ${topic.description ?? ''}`))
    if (likeness >= LIKENESS && likeness > (best?.likeness ?? 0)) best = { topic, likeness }
  }
  return best?.topic
}

/** How much of the shorter is in the other: a typing error spoils two pairs of letters only. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter(pair => b.has(pair)).length
  return common / Math.max(1, Math.min(a.size, b.size))
}

function pairsOf(text: string): Set<string> {
  const signs = Array.from(text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' '))
  return new Set(
    signs
      .slice(1)
      .map((sign, at) => `${signs[at]}${sign}`)
      .filter(pair => !pair.includes(' ')),
  )
}

/** A snippet that begins with the title says it a second time. */
export function withoutTitle(snippet: string, title: string): string {
  return snippet.startsWith(title) && snippet.length > title.length ? snippet.slice(title.length).trimStart() : snippet
}
