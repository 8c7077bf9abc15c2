import type { Io } from './io.ts'

/** Colour only helps to find it. `shown`: where that is not the value itself. */
export function statusColour({ colors }: Pick<Io, 'colors'>): (value: string, shown?: string) => string {
  return (value, shown = value) => {
    switch (value) {
      case 'in_progress':
      case 'running':
      case 'reported':
      case 'active':
      case 'enabled':
        return colors.green(shown)
      case 'blocked':
      case 'failed':
      case 'error':
      case 'timed_out':
      case 'urgent':
        return colors.red(shown)
      case 'high':
      case 'disabled':
      case 'waiting':
      case 'paused':
      case 'missing':
      case 'asked':
        return colors.yellow(shown)
      case 'done':
      case 'completed':
      case 'cancelled':
      case 'archived':
      case 'backlog':
      case 'low':
        return colors.dim(shown)
      default:
        return shown
    }
  }
}
