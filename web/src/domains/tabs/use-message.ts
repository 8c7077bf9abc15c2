import { useRef, useState } from 'react'
import type { TabRecord } from '#contract/records.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { sentence } from '../../parts/sentence.ts'
import { send } from './actions.ts'
import { words as own } from './words.ts'
import { session } from '../../hub/kept.ts'

type To = { tab_id: string } | { tabs: readonly TabRecord[] }

/** A message that is being written. It outlives a reload, and is sent again only to those that a failure kept it from. */
export function useMessage(draft: string) {
  const words = useOwnWords(own)
  const [text, setText] = useState(() => session.getItem(draft) ?? '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const reached = useRef(new Set<string>())
  const edit = (value: string) => {
    setText(value)
    // Another message.
    reached.current = new Set()
    session.setItem(draft, value)
  }
  /** How many got it; undefined when it was not sent, or not to all. */
  const submit = async (to: To): Promise<number | undefined> => {
    if (text.trim() === '' || isBusy) return undefined
    setBusy(true)
    setError(undefined)
    try {
      const sent = await send(text, 'tabs' in to ? { ...to, reached: reached.current } : to)
      edit('')
      return sent
    } catch (failure) {
      const { size } = reached.current
      setError(size === 0 ? sentence(failure) : `${sentence(failure)} ${words.messages.partly(size)}`)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { text, edit, error, submit, isReady: !isBusy && text.trim() !== '' }
}
