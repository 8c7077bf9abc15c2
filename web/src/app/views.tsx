// The one table of views: a view is its row here and its folder in domains/. Addresses, navigation, keys and the palette are made of it.
import { Activity as ActivityIcon, Hammer, History, Inbox, type LucideIcon, SquareKanban } from 'lucide-react'
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
  /** Reached from other views, and from the palette. */
  isHidden?: boolean
  Component: ComponentType
}

const ReplayView = lazy(async () => ({ default: (await import('./replay-view.tsx')).ReplayView }))
const Board = lazy(async () => ({ default: (await import('../domains/projects/board.tsx')).Board }))
const Crew = lazy(async () => ({ default: (await import('./crew-view.tsx')).CrewView }))

const Activity = lazy(async () => ({ default: (await import('../domains/activity/activity.tsx')).Activity }))

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
  {
    ...{ id: 'activity', home: '/activity', paths: /^\/activity$/, keys: ['g a'] },
    ...{ icon: ActivityIcon, isNear: false, Component: Activity },
  },
  {
    ...{ id: 'replay', home: '/replay', paths: /^\/(?:replay|crews\/[^/]+\/replay)$/, keys: ['g r'] },
    ...{ icon: History, isNear: false, isHidden: true, Component: ReplayView },
  },
]
