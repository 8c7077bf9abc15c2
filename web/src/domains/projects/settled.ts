// Apart from model.ts, which the first load does without.
import type { Card } from './model.ts'

/** As the hub has it. */
export function settled(card: Card): Card {
  const { pending, ...rest } = card
  return pending ? rest : card
}
