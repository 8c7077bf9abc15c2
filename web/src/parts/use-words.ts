import { useSyncExternalStore } from 'react'
import type { Words } from '../words/en.ts'
import { currentWords, onWords } from '../words/words.ts'

export function useWords(): Words {
  return useSyncExternalStore(onWords, currentWords)
}
