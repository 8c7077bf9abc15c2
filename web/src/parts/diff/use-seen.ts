// Which files of a diff a reader has dealt with. Of this tab: it outlives a reload.
import { useMemo, useState } from 'react'
import { type FileDiff, lookOf } from './parse.ts'
import { session } from '../../hub/kept.ts'

export type Seen = { seen: ReadonlySet<string>; toggleSeen: (path: string) => void }

/** `about`: what the diff is of. A file that has changed since is not seen any more. */
export function useSeen(about: string, files: readonly FileDiff[], commit: string | null): Seen {
  const key = `toryo.seen.${about}`
  const [looks, setLooks] = useState<Record<string, string>>(() => {
    try {
      return JSON.parse(session.getItem(key) ?? '{}') as Record<string, string>
    } catch {
      return {} // Not ours, or of another version.
    }
  })
  const seen = useMemo(
    () => new Set(files.filter(file => looks[file.path] === lookOf(file, commit)).map(({ path }) => path)),
    [files, looks, commit],
  )
  const toggleSeen = (path: string) => {
    const file = files.find(one => one.path === path)
    if (!file) return
    const { [path]: _, ...others } = looks
    const next = seen.has(path) ? others : { ...others, [path]: lookOf(file, commit) }
    setLooks(next)
    session.setItem(key, JSON.stringify(next))
  }
  return { seen, toggleSeen }
}
