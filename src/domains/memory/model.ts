import type { ProjectId } from '#contract/id-types.ts'
import type { Place } from '#kernel/paths.ts'

export type Topic = {
  id: number
  project: number
  title: string
  description: string | null
  parentId: number | null
  createdAt: number
}

/** One exchange in a topic. */
export type Entry = { id: number; project: number; topicId: number; content: string; createdAt: number }

export type Decision = {
  id: number
  /** None: it holds in every project. */
  project: number | null
  topicId: number | null
  decision: string
  reason: string
  supersedes: number | null
  /** The newest one that names this as superseded. */
  supersededBy: number | null
  createdAt: number
  /** Who decided, where that is a person with a name. */
  person: string | null
}

export const KINDS = ['topic', 'log', 'decision'] as const
export type Kind = (typeof KINDS)[number]

export type Project = {
  id: ProjectId
  number: number
  name: string
  description: string
  asanaUrl: string | null
  createdAt: number
}

/** How a call names its project: by number, text id, or the folder it works in. */
export type Handle = number | string | Place

export type TopicNode = Topic & { children: TopicNode[] }

/** The scope of what belongs to no project, in the indexes. */
export const EVERYWHERE = 0

/** Records of all kinds share the ranked index: their numbers there. */
export function documentId(kind: Kind, id: number): number {
  return id * 4 + KINDS.indexOf(kind)
}

export function recordOf(document: number): { kind: Kind; id: number } {
  return { kind: KINDS[document % 4] as Kind, id: Math.floor(document / 4) }
}

/** The tree of topics that came parents first. */
export function treeOf(topics: readonly Topic[]): TopicNode | undefined {
  const nodes = new Map<number, TopicNode>()
  let root: TopicNode | undefined
  for (const topic of topics) {
    const node = { ...topic, children: [] }
    nodes.set(topic.id, node)
    if (root === undefined) root = node
    else if (topic.parentId !== null) nodes.get(topic.parentId)?.children.push(node)
  }
  return root
}
