// Planning: what a task waits for, and what it is a part of. Shown at once, put back when the hub refuses, as with a circle.
import type { QueryClient } from '@tanstack/react-query'
import { write } from '../../hub/call.ts'
import { announce } from '../../parts/announcer.tsx'
import { notify } from '../../parts/notices.tsx'
import { currentWords } from '../../words/words.ts'
import { boardWords } from './board-words.ts'
import type { Card } from './model.ts'
import { settled } from './settled.ts'
import { cardOf, keys, patchCard } from './queries.ts'
import { sayRefused } from './refused.ts'

export type Link = { kind: 'waits' | 'parent'; id: string; other: string; isGone?: boolean }

export async function link(queries: QueryClient, wish: Link, isUndo = false): Promise<void> {
  const { id, other } = wish
  const before = cardOf(queries, id)
  const words = currentWords()
  const own = boardWords[words.code]
  const handle = (one: string) => cardOf(queries, one)?.handle ?? one
  if (before) patchCard(queries, id, card => ({ ...linked(card, wish), pending: 'sending' }))
  try {
    await send(wish)
    patchCard(queries, id, settled)
    const text = own.linked[wish.isGone ? 'gone' : 'made'][wish.kind](handle(id), handle(other))
    announce(text)
    const undo = { label: words.notice.undo, run: () => void link(queries, opposite(wish, before), true) }
    if (!isUndo) notify({ kind: 'done', text, action: undo })
  } catch (error) {
    if (before) patchCard(queries, id, card => settled(put(card, before, wish)))
    const again = () => void link(queries, wish, isUndo)
    sayRefused({ id, text: own.linked.refused(handle(id)), error, isConflict: false, again })
  }
  for (const one of [id, other]) void queries.invalidateQueries({ queryKey: keys.task(one) })
}

function send({ kind, id, other, isGone }: Link): Promise<unknown> {
  if (kind === 'waits') {
    const input = { task_id: id, depends_on: [other] }
    return isGone ? write('task.unlink', input) : write('task.link', input)
  }
  return isGone
    ? write('task.unlink', { task_id: id, parent: true })
    : write('task.link', { task_id: id, parent_id: other })
}

/** Back to the parent that it had before, if it had one. */
function opposite(wish: Link, before: Card | undefined): Link {
  const former = before?.parent_id
  if (wish.kind === 'parent' && !wish.isGone && former !== undefined) return { ...wish, other: former }
  return { ...wish, isGone: !wish.isGone }
}

/** As far as can be known here: the hub's event brings what counts. */
function linked(card: Card, { kind, other, isGone }: Link): Card {
  if (kind === 'parent') {
    const { parent_id: _, ...rest } = card
    return isGone ? rest : ({ ...rest, parent_id: other } as Card)
  }
  const known = card.depends_on ?? []
  const isKnown = known.some(one => one === other)
  if (isKnown !== Boolean(isGone)) return card
  const depends_on = (isGone ? known.filter(one => one !== other) : [...known, other]) as Card['depends_on']
  return { ...card, depends_on, waits_for: Math.max(0, card.waits_for + (isGone ? -1 : 1)) }
}

/** Only what was changed is put back. */
function put(card: Card, before: Card, { kind }: Link): Card {
  if (kind === 'waits') return { ...card, depends_on: before.depends_on, waits_for: before.waits_for }
  return { ...card, parent_id: before.parent_id }
}
