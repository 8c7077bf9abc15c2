import { useSyncExternalStore } from 'react'
import type { Words } from '../words/en.ts'
import { currentWords, onWords } from '../words/words.ts'

export function useWords(): Words {
  return useSyncExternalStore(onWords, currentWords)
}

/** The words of one view, which come with its chunk. English is the type of the other language. */
export function useOwnWords<T>(words: { en: T; ja: NoInfer<T> }): T {
  return words[useWords().code]
}
