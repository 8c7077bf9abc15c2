// Every file that changed, as it is drawn: from the diff, or loaded alone because that had no room for it or left lines out.
import { useEffect, useMemo, useState } from 'react'
import type { ChangedFileView } from '#contract/worktrees.ts'
import { Refused } from '../../hub/call.ts'
import { currentWords } from '../../words/words.ts'
import { notify } from '../notices.tsx'
import { type FileDiff, parseDiff } from './parse.ts'
import { shownFile } from './shown-file.ts'

/** More than any file has. */
const ALL_LINES = 1_000_000
const NONE: ReadonlyMap<string, FileDiff> = new Map()

/** Asks for the diff of one file, with so many lines around each change. */
export type LoadFile = (path: string, context: number) => Promise<{ diff: string; truncated: boolean }>

export function useWholeFiles(listed: readonly ChangedFileView[], diff: string, load: LoadFile) {
  const [loaded, setLoaded] = useState(NONE)
  useEffect(() => setLoaded(NONE), [diff])
  const files = useMemo(() => {
    const parsed = new Map(parseDiff(diff).map(file => [file.path, file]))
    return listed.map(file => loaded.get(file.path) ?? shownFile(file, parsed.get(file.path)))
  }, [listed, diff, loaded])
  const unfold = async (path: string) => {
    try {
      const { diff: text, truncated } = await load(path, ALL_LINES)
      const [file] = parseDiff(text)
      if (file) setLoaded(before => new Map(before).set(path, { ...file, isCut: file.isCut || truncated }))
    } catch (error) {
      notify({ kind: 'failed', text: error instanceof Refused ? error.message : currentWords().error.unreached })
    }
  }
  return { files, unfold: (path: string) => void unfold(path) }
}
