// The one table of views: a view is its row here and its folder in domains/. Addresses, navigation, keys and the palette are made of it.
import { Hammer, Inbox, type LucideIcon, SquareKanban } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { Words } from '../words/en.ts'
import { NeedsView } from './needs-view.tsx'

export type View = {
  id: keyof Words['nav']['views']
  /** Where the navigation leads. */
  home: string
  /** Every address of it; the view reads the rest from the address itself. */
  paths: RegExp
  keys: readonly string[]
  icon: LucideIcon
  /** On a phone it is at the bottom; the others are behind "More". */
  isNear: boolean
  Component: ComponentType
}

const Board = lazy(async () => ({ default: (await import('../domains/projects/board.tsx')).Board }))
const Crew = lazy(async () => ({ default: (await import('./crew-view.tsx')).CrewView }))

export const VIEWS: readonly View[] = [
  {
    ...{ id: 'needs', home: '/needs', paths: /^\/needs(?:\/|$)/, keys: ['g n', '!'] },
    ...{ icon: Inbox, isNear: true, Component: NeedsView },
  },
  {
    ...{ id: 'board', home: '/board', paths: /^\/(?:board|tasks\/[^/]+)$/, keys: ['g b'] },
    ...{ icon: SquareKanban, isNear: true, Component: Board },
  },
  {
    ...{ id: 'crew', home: '/crew', keys: ['g c'] },
    paths: /^\/(?:crew(?:\/(?:timeline|agents|roles))?|crews\/[^/]+|runs\/[^/]+|agents\/[^/]+)$/,
    ...{ icon: Hammer, isNear: true, Component: Crew },
  },
]
