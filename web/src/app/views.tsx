// The one table of views: a view is its row here and its folder in domains/. Addresses, navigation, keys and the palette are made of it.
import {
  Activity as ActivityIcon,
  Brain,
  FileDiff,
  GitPullRequestArrow,
  Hammer,
  History,
  Inbox,
  Layers,
  type LucideIcon,
  SlidersHorizontal,
  SquareKanban,
  SquareTerminal,
} from 'lucide-react'
import { type ComponentType } from 'react'
import type { Words } from '../words/en.ts'
import { NeedsView } from './needs-view.tsx'
import { later } from '../parts/later.tsx'

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

const Changes = later(async () => (await import('../domains/changes/changes.tsx')).Changes)
const QueueView = later(async () => (await import('./queue-view.tsx')).QueueView)
const ReplayView = later(async () => (await import('./replay-view.tsx')).ReplayView)
const Board = later(async () => (await import('./board-view.tsx')).BoardView)
const Terminals = later(async () => (await import('./terminals-view.tsx')).TerminalsView)
const Crew = later(async () => (await import('./crew-view.tsx')).CrewView)

const PhasesView = later(async () => (await import('./phases-view.tsx')).PhasesView)
const MemoryView = later(async () => (await import('./memory-view.tsx')).MemoryView)
const Activity = later(async () => (await import('../domains/activity/activity.tsx')).Activity)
const SettingsView = later(async () => (await import('./settings-view.tsx')).SettingsView)

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
    ...{ id: 'terminals', home: '/terminals', paths: /^\/(?:terminals|tabs\/[^/]+\/messages)$/, keys: ['g t'] },
    ...{ icon: SquareTerminal, isNear: true, Component: Terminals },
  },
  {
    ...{ id: 'changes', home: '/changes', paths: /^\/changes(?:\/[^/]+)?$/, keys: ['g d'] },
    ...{ icon: FileDiff, isNear: false, Component: Changes },
  },
  {
    ...{ id: 'queue', home: '/queue', paths: /^\/(?:queue|tasks\/[^/]+\/review)$/, keys: ['g q'] },
    ...{ icon: GitPullRequestArrow, isNear: true, Component: QueueView },
  },
  {
    ...{ id: 'phases', home: '/phases', paths: /^\/phases(?:\/prompts\/[^/]+)?$/, keys: ['g p'] },
    ...{ icon: Layers, isNear: false, Component: PhasesView },
  },
  {
    ...{ id: 'memory', home: '/memory', paths: /^\/memory(?:\/(?:topics|decisions)\/\d+)?$/, keys: ['g m'] },
    ...{ icon: Brain, isNear: false, Component: MemoryView },
  },
  {
    ...{ id: 'activity', home: '/activity', paths: /^\/activity$/, keys: ['g a'] },
    ...{ icon: ActivityIcon, isNear: false, Component: Activity },
  },
  {
    ...{ id: 'replay', home: '/replay', paths: /^\/(?:replay|crews\/[^/]+\/replay)$/, keys: ['g r'] },
    ...{ icon: History, isNear: false, isHidden: true, Component: ReplayView },
  },
  {
    ...{ id: 'settings', home: '/settings', paths: /^\/settings(?:\/[a-z]+)?$/, keys: ['g s'] },
    ...{ icon: SlidersHorizontal, isNear: false, Component: SettingsView },
  },
]
