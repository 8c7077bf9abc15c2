import type { Live } from '../../hub/live.ts'

export const PHASES_KEY = ['phases'] as const

const changed: Live[string] = (_, { refetch }) => refetch(PHASES_KEY)

export const live: Live = {
  'phase.started': changed,
  'phase.ended': changed,
  'phase.turned': changed,
  'phase.prompt_adopted': changed,
  'phase.checkpoint_saved': changed,
  'prompt.edited': changed,
}
