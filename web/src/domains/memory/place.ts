// What is open, as the address says, and what can be written there.
import type { Wish } from './add-dialog.tsx'
import { useDecision } from './queries.ts'

export type Shown = {
  id: number
  topic_id: number | null
  topic_title: string | null
  superseded_by?: number | undefined
}

export const replacing = ({ id, topic_id, topic_title }: Shown): Wish => ({
  ...{ kind: 'decision', supersedes: id },
  topic: topic_id === null ? undefined : { id: topic_id, title: topic_title ?? '' },
})

export type Place = { kind: 'topic' | 'decision'; id: number }

export function placeOf(path: string): Place | undefined {
  const [, kind, id] = /^\/memory\/(topic|decision)s\/(\d+)$/.exec(path) ?? []
  return kind === 'topic' || kind === 'decision' ? { kind, id: Number(id) } : undefined
}

/** The topic that is open, or the one of the decision that is. */
export function useTopicHere(place: Place | undefined, topics: readonly { id: number; title: string }[]) {
  const decision = useDecisionHere(place)
  const id = place?.kind === 'topic' ? place.id : decision?.topic_id
  const found = topics.find(topic => topic.id === id)
  return found && { id: found.id, title: found.title }
}

export function useDecisionHere(place: Place | undefined): Shown | undefined {
  const isDecision = place?.kind === 'decision'
  const found = useDecision(isDecision ? place.id : 0, isDecision)
  return found.data
}
