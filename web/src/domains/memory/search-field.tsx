import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { TextField } from '../../parts/field.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type Kind, KINDS } from './model.ts'
import { words as own } from './words.ts'

const SEARCH_MS = 120

/** What is searched is in the address; what is typed gets there when the last key is a moment ago. */
export function useQueryText(search: string): [string, (text: string) => void] {
  const [path, navigate] = useLocation()
  const now = useRef({ path, search })
  now.current = { path, search }
  const change = useMemo(
    () => (text: string) => {
      const query = new URLSearchParams(now.current.search)
      if (text === '') query.delete('q')
      else query.set('q', text)
      const rest = query.toString()
      navigate(`${now.current.path}${rest === '' ? '' : `?${rest}`}`, { replace: true })
    },
    [navigate],
  )
  return [new URLSearchParams(search).get('q') ?? '', change]
}

/** In the address, too, unless it is all of them. */
export function useKinds(search: string): [readonly Kind[], (kinds: readonly Kind[]) => void] {
  const [path, navigate] = useLocation()
  const given = new URLSearchParams(search).get('kinds')?.split(',')
  const chosen = KINDS.filter(kind => given?.includes(kind) ?? true)
  const change = (kinds: readonly Kind[]) => {
    const query = new URLSearchParams(search)
    if (kinds.length === KINDS.length) query.delete('kinds')
    else query.set('kinds', kinds.join())
    navigate(`${path}?${query.toString()}`, { replace: true })
  }
  return [chosen.length === 0 ? KINDS : chosen, change]
}

export function SearchField({ query, change }: { query: string; change: (text: string) => void }) {
  const words = useOwnWords(own)
  const [draft, setDraft] = useState(query)
  const [shown, setShown] = useState(query)
  // By Back or by a link. While drawing, since the timer of an effect would write the text of before into the address again.
  if (shown !== query) {
    setShown(query)
    setDraft(query)
  }
  useEffect(() => {
    if (draft === query) return undefined
    const timer = setTimeout(() => change(draft), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [draft, query, change])
  return (
    <TextField
      label={words.search}
      placeholder={words.search}
      type="search"
      data-search
      value={draft}
      onChange={event => setDraft(event.target.value)}
    />
  )
}
