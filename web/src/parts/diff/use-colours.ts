// Colours of the lines that are drawn, a moment after them: a page that scrolls must not wait for a grammar.
import { useEffect, useReducer } from 'react'
import { useStore } from '../use-store.ts'
import { createStore } from '../../hub/store.ts'
import { colour } from './colours.ts'
import { languageOf } from './languages.ts'
import type { Row } from './rows.ts'

type Tokenize = typeof import('./grammars.ts')['tokenize']

const grammars = createStore<{ tokenize: Tokenize } | undefined>(undefined)
let isAsked = false

function load(): void {
  if (isAsked) return
  isAsked = true
  import('./grammars.ts').then(
    ({ tokenize }) => grammars.set({ tokenize }),
    // The hub is away: the next diff asks again. Lines are readable without colours.
    () => (isAsked = false),
  )
}

/** Draws again once the rows have their colours; they are read with `coloursOf`. */
export function useColours(path: string, all: readonly Row[], from: number, count: number): void {
  const loaded = useStore(grammars)
  const [, again] = useReducer((times: number) => times + 1, 0)
  const language = languageOf(path)
  useEffect(() => {
    if (language === undefined) return undefined
    return whenIdle(() => {
      if (!loaded) return load()
      if (colour(all, from, count, text => loaded.tokenize(text, language))) again()
    })
  }, [language, loaded, all, from, count])
}

function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, 50)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 500 })
  return () => cancelIdleCallback(handle)
}
