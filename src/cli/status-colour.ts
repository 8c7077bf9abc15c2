import type { Io } from './io.ts'

/** The word stays as it is, since it is what one types; colour only helps to find it. */
export function statusColour({ colors }: Pick<Io, 'colors'>): (word: string) => string {
  return word => {
    switch (word) {
      case 'in_progress':
      case 'running':
      case 'reported':
      case 'active':
      case 'enabled':
        return colors.green(word)
      case 'blocked':
      case 'failed':
      case 'error':
      case 'timed_out':
      case 'urgent':
        return colors.red(word)
      case 'high':
      case 'disabled':
      case 'waiting':
      case 'paused':
      case 'missing':
        return colors.yellow(word)
      case 'done':
      case 'completed':
      case 'cancelled':
      case 'archived':
      case 'backlog':
      case 'low':
        return colors.dim(word)
      default:
        return word
    }
  }
}
