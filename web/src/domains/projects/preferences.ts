// How a person likes the board, for each project: which columns are folded, which one a phone shows, what they are grouped by.
import { useCallback, useState } from 'react'
import { type Group, GROUPS } from './model.ts'
import { local } from '../../hub/kept.ts'

export type Preferences = { folded: readonly string[]; only: string; group: Group }

const USUAL: Preferences = { folded: ['cancelled'], only: 'in_progress', group: 'status' }

const keyOf = (project: string | null) => `toryo.board.${project ?? 'all'}`

export function usePreferences(project: string | null): [Preferences, (change: Partial<Preferences>) => void] {
  const [state, setState] = useState(() => ({ project, now: read(project) }))
  const now = state.project === project ? state.now : read(project)
  if (state.project !== project) setState({ project, now })
  const change = useCallback(
    (given: Partial<Preferences>) => {
      const next = { ...read(project), ...given }
      local.setItem(keyOf(project), JSON.stringify(next))
      setState({ project, now: next })
    },
    [project],
  )
  return [now, change]
}

function read(project: string | null): Preferences {
  return readPreferences(local.getItem(keyOf(project)))
}

/** What an earlier version, or another program, left there may be anything. */
export function readPreferences(text: string | null): Preferences {
  const found: unknown = parsed(text)
  if (typeof found !== 'object' || found === null) return USUAL
  const { folded, only, group } = found as Record<string, unknown>
  return {
    folded: Array.isArray(folded) ? folded.filter(one => typeof one === 'string') : USUAL.folded,
    only: typeof only === 'string' ? only : USUAL.only,
    group: GROUPS.find(one => one === group) ?? USUAL.group,
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
