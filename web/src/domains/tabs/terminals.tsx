// The terminals of tabs, side by side. Which ones, and how many, is in the address.
import { Grid2x2, Grid3x3, type LucideIcon, Megaphone, Plus, RectangleHorizontal, Columns2 } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation, useRoute, useSearch } from 'wouter'
import type { TabRecord } from '#contract/records.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { stop } from './actions.ts'
import { Broadcast } from './broadcast.tsx'
import { launching } from './launch-store.ts'
import { MessagesStrip } from './messages-strip.tsx'
import {
  brought,
  columnsOf,
  idsIn,
  type Layout,
  LAYOUTS,
  layoutOf,
  neighbour,
  stopAsks,
  swapped,
  tilesOf,
} from './model.ts'
import { putAway, useTabLimit, useTabs } from './queries.ts'
import { StopQuestion } from './stop-question.tsx'
import { TabMessages } from './tab-messages.tsx'
import { TabChips } from './tab-chips.tsx'
import { Tile } from './tile.tsx'
import { focusTile, tileInFocus, useTerminalCommands } from './terminal-commands.ts'
import { words as own } from './words.ts'
import { decoded } from '../../parts/decoded.ts'

const ICONS: Record<Layout, LucideIcon> = { '1': RectangleHorizontal, '2': Columns2, '4': Grid2x2, grid: Grid3x3 }
/** Written out: Tailwind reads class names from the source. */
const COLUMNS = ['grid-cols-1', 'grid-cols-2', 'grid-cols-3', 'grid-cols-4']

/** `waitsSince`: when a tab began to wait for a person; undefined where that is not known. */
type Props = { waitsSince: (tabId: string) => string | null | undefined }

export function Terminals({ waitsSince }: Props) {
  const [, params] = useRoute('/tabs/:id/messages')
  if (params) return <TabMessages key={params.id} id={decoded(params.id)} />
  return <Tiles waitsSince={waitsSince} />
}

function Tiles({ waitsSince }: Props) {
  const words = useOwnWords(own)
  const isDesktop = useDesktop()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const { project, chosen, layout: wanted, put } = usePlaces()
  const list = useTabs()
  const limit = useTabLimit().data
  const tabs = useMemo(
    () => (list.data ?? []).filter(tab => project === null || tab.project_id === project),
    [list.data, project],
  )
  const [isWriting, setWriting] = useState(false)
  const [asked, setAsked] = useState<TabRecord>()
  const [showsMessages, setShowsMessages] = useState(false)
  const layout: Layout = isDesktop ? layoutOf(wanted, chosen.length || tabs.length) : '1'
  const tiles = tilesOf(
    tabs.map(({ tab_id }) => tab_id),
    chosen,
    layout,
  )
  const live = tabs.filter(({ status }) => status !== 'exited')
  const ask = (tab: TabRecord) => (stopAsks(tab.status) ? setAsked(tab) : void stop(tab))
  const show = (id: string) => {
    put(brought(tiles, id, tiles.indexOf(tileInFocus() ?? ''), layout))
    focusTile(id, isDesktop)
  }
  const step = (by: 1 | -1) => {
    const here = tileInFocus() ?? tiles[0]
    const next = neighbour(
      tabs.map(({ tab_id }) => tab_id),
      here,
      by,
    )
    if (next === undefined) return
    if (!tiles.includes(next)) put(brought(tiles, next, tiles.indexOf(here ?? ''), layout))
    // On its tile, not inside: there the next key would be the program's.
    focusTile(next, false)
  }
  useTerminalCommands({
    tiles,
    step,
    move: by => {
      const id = tileInFocus()
      if (id === undefined) return
      put(swapped(tiles, tiles.indexOf(id), by))
      focusTile(id, false)
    },
    setLayout: next => put(tiles, next),
    launch: () => launching.set({ project }),
    broadcast: () => live.length > 0 && setWriting(true),
    messages: () => setShowsMessages(before => !before),
    stop: id => {
      const tab = live.find(({ tab_id }) => tab_id === id)
      if (tab) ask(tab)
    },
  })
  if (list.isError && !list.data) return <Failure error={list.error} again={() => void list.refetch()} />
  if (!list.data) return <Bars count={2} height={240} />
  if (tiles.length === 0)
    return (
      <Empty title={words.empty.title} hint={words.empty.hint} cli="toryo tab launch claude feature/login">
        <LaunchButton cutOff={cutOff} project={project} isFirst />
      </Empty>
    )
  const columns = columnsOf(layout, tiles.length)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-1.5 max-md:px-2">
        {limit !== undefined && (
          <span className="shrink-0 text-sm text-soft max-md:hidden" data-limit title={words.limitHint}>
            {words.limit((list.data ?? []).filter(({ status }) => status !== 'exited').length, limit)}
          </span>
        )}
        <TabChips tabs={tabs} tiles={tiles} show={show} isDesktop={isDesktop} />
        {isDesktop && <LayoutPicker layout={layout} choose={next => put(tiles, next)} />}
        <Button
          look="quiet"
          className="max-md:!px-2"
          disabled={cutOff !== undefined || live.length === 0}
          title={cutOff}
          onClick={() => setWriting(true)}
        >
          <Megaphone size={16} aria-hidden="true" />
          <span className="max-lg:sr-only">{words.broadcast.button}</span> <KeyHint keys="b" />
        </Button>
        <LaunchButton cutOff={cutOff} project={project} />
      </div>
      <div
        className={`grid min-h-0 flex-1 ${isDesktop ? 'gap-2 overflow-y-auto p-2' : ''} ${COLUMNS[columns - 1]} ${layout === 'grid' ? 'auto-rows-[minmax(260px,1fr)]' : 'auto-rows-[minmax(0,1fr)]'}`}
      >
        {tiles.map((id, index) => (
          <Tile
            key={id}
            id={id}
            tab={tabs.find(({ tab_id }) => tab_id === id)}
            number={index + 1}
            since={waitsSince(id) ?? undefined}
            isPhone={!isDesktop}
            stop={ask}
            away={() => {
              putAway(queries, id)
              put(tiles.filter(tile => tile !== id))
            }}
            only={layout === '1' ? undefined : () => put([id], '1')}
            drop={dropped => {
              const from = tiles.indexOf(dropped)
              if (from !== -1 && from !== index) put(swapped(tiles, from, index - from))
            }}
          />
        ))}
      </div>
      <MessagesStrip
        project={project}
        tabs={tabs}
        isOpen={showsMessages}
        toggle={() => setShowsMessages(before => !before)}
      />
      {isWriting && <Broadcast tabs={live} close={() => setWriting(false)} />}
      {asked && <StopQuestion tab={asked} close={() => setAsked(undefined)} />}
    </div>
  )
}

/** What the address says, and how it is changed. */
function usePlaces() {
  const search = useSearch()
  const [path, navigate] = useLocation()
  return useMemo(() => {
    const query = new URLSearchParams(search)
    const chosen = idsIn(query.get('show'))
    return {
      project: query.get('project'),
      chosen,
      layout: query.get('layout'),
      put: (tiles: readonly string[], layout?: Layout) => {
        const project = query.get('project')
        const kept = layout ?? query.get('layout')
        const next = [
          ...(project === null ? [] : [`project=${encodeURIComponent(project)}`]),
          `show=${tiles.join(',')}`,
          ...(kept === null ? [] : [`layout=${kept}`]),
        ]
        navigate(`${path}?${next.join('&')}`, { replace: layout === undefined })
      },
    }
  }, [search, path, navigate])
}

type LaunchProps = { cutOff: string | undefined; project: string | null; isFirst?: boolean }

function LaunchButton({ cutOff, project, isFirst = false }: LaunchProps) {
  const words = useOwnWords(own)
  return (
    <Button
      look={isFirst ? 'main' : 'plain'}
      disabled={cutOff !== undefined}
      title={cutOff}
      className={isFirst ? '' : 'max-md:!px-2'}
      onClick={() => launching.set({ project })}
    >
      <Plus size={16} aria-hidden="true" />
      <span className={isFirst ? '' : 'max-md:sr-only'}>{words.launch.button}</span> <KeyHint keys="l" />
    </Button>
  )
}

function LayoutPicker({ layout, choose }: { layout: Layout; choose: (layout: Layout) => void }) {
  const words = useOwnWords(own)
  return (
    <div role="group" aria-label={words.layout} className="flex shrink-0 overflow-hidden rounded-md border border-rule">
      {LAYOUTS.map(one => {
        const Icon = ICONS[one]
        const isOn = one === layout
        return (
          <button
            key={one}
            type="button"
            aria-pressed={isOn}
            aria-label={words.layouts[one]}
            title={words.layouts[one]}
            className={`flex h-7.5 w-8 items-center justify-center outline-offset-[-2px] ${isOn ? 'bg-ai-wash text-ai' : 'bg-sheet text-soft hover:bg-ai-wash'}`}
            onClick={() => choose(one)}
          >
            <Icon size={15} aria-hidden="true" />
          </button>
        )
      })}
    </div>
  )
}
