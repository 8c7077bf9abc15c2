import { line } from '../hub/event-line.ts'
import { useStore } from './use-store.ts'
import { useWords } from './use-words.ts'

/** Why nothing can be written now; undefined when it can. */
export function useCutOff(): string | undefined {
  const words = useWords()
  return useStore(line).kind === 'cut' ? words.line.noWrites : undefined
}
