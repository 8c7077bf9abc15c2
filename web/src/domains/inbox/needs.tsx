import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/select.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useWords } from '../../parts/use-words.ts'
import type { DetailParts } from './item-detail.tsx'
import { ItemRow } from './item-row.tsx'
import { type Group, GROUP_NAMES, groupOf, isGroup, listed } from './model.ts'
import { ofProject, useInbox } from './queries.ts'
import { useFolding } from './use-folding.ts'
import { later } from '../../parts/later.tsx'

const loadDetail = () => import('./item-detail.tsx')
const ItemDetail = later(async () => (await loadDetail()).ItemDetail)

type Props = {
  chosen: string | undefined
  project: string | null
  working: number
  /** The hub of a demo lists them as its guide has it. */
  isGuided: boolean | undefined
  /** The button that makes the first thing, and the same on a command line. */
  first?: ReactNode
  cli?: string | undefined
  /** What a hub without a project shows besides. */
  empty?: ReactNode
  /** Who works meanwhile, each as a line. */
  atWork?: ReactNode
  /** What was dealt with today, drawn when it is unfolded. */
  answered: ReactNode
} & DetailParts

export function Needs({ chosen, project, working, isGuided, first, cli, empty, atWork, answered, ...parts }: Props) {
  const words = useWords()
  const inbox = useInbox()
  const isDesktop = useDesktop()
  const place = usePlace()
  const { query, group, isNewest } = place
  const all = useMemo(() => ofProject(inbox.data ?? [], project), [inbox.data, project])
  const items = useMemo(() => listed(all, group, isNewest), [all, group, isNewest])
  const rows = useFolding(items, `${project} ${group} ${isNewest}`)
  const current = useCurrent(items, chosen, isDesktop)
  const step = useListCommands(items, current, query)
  // Asked for with the list, not after it.
  useEffect(() => void loadDetail().catch(() => {}), [])
  if (inbox.isError && !inbox.data) return <Failure error={inbox.error} again={() => void inbox.refetch()} />
  if (!inbox.data) return <Bars count={5} height={60} />
  if (all.length === 0)
    return (
      <div className="h-full overflow-y-auto">
        <Empty
          title={[words.needs.emptyTitle, words.needs.emptyWorking(working)].join(words.code === 'ja' ? '' : ' ')}
          hint={words.needs.emptyHint}
          {...(cli !== undefined && { cli })}
        >
          {atWork}
          {first}
        </Empty>
        {empty ?? <AnsweredFold>{answered}</AnsweredFold>}
      </div>
    )
  const hrefOf = (item: InboxItem) => `/needs/${encodeURIComponent(item.item_id)}${query}`
  const showsList = isDesktop || !current
  return (
    <div className="flex h-full min-h-0">
      {showsList && (
        <section
          aria-label={words.needs.list}
          className="h-full w-full shrink-0 overflow-y-auto border-line md:w-72 md:border-r lg:w-90"
        >
          <Choices {...{ all, isGuided }} {...place} />
          <ul className="flex flex-col divide-y divide-line">
            {rows.map(({ item, isLeaving }) => (
              <ItemRow
                key={item.item_id}
                {...{ item, isLeaving }}
                href={hrefOf(item)}
                isCurrent={item.item_id === current?.item_id}
                isStop={item.item_id === (current ?? items[0])?.item_id}
                enter={focusFirstStep}
                showsSteps={isDesktop}
                helpers={parts.helpers}
              />
            ))}
          </ul>
          <AnsweredFold>{answered}</AnsweredFold>
        </section>
      )}
      {current && (
        <section aria-label={words.needs.title} data-detail className="h-full min-w-0 flex-1 overflow-y-auto">
          <Suspense fallback={<Bars count={3} height={48} />}>
            <ItemDetail
              item={current}
              back={`/needs${query}`}
              next={items.length > 1 ? () => step(items.at(-1) === current ? -items.length : 1) : undefined}
              {...parts}
            />
          </Suspense>
        </section>
      )}
    </div>
  )
}

type Place = {
  query: string
  group: Group | null
  isNewest: boolean
  choose: (name: 'kind' | 'order', value: string) => void
}

/** Which ones, and in what order: in the address. */
function usePlace(): Place {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(search)
  const kind = params.get('kind')
  return {
    query: search === '' ? '' : `?${search}`,
    group: isGroup(kind) ? kind : null,
    isNewest: params.get('order') === 'newest',
    choose: (name, value) => {
      if (value === '') params.delete(name)
      else params.set(name, value)
      const next = params.toString()
      navigate(next === '' ? path : `${path}?${next}`, { replace: true })
    },
  }
}

function Choices({
  all,
  isGuided,
  group,
  isNewest,
  choose,
}: Place & Pick<Props, 'isGuided'> & { all: readonly InboxItem[] }) {
  const words = useWords()
  const own = useWords().inbox
  const counts = new Map<Group, number>()
  for (const item of all) counts.set(groupOf(item), (counts.get(groupOf(item)) ?? 0) + 1)
  // One kind alone is nothing to choose from.
  if (all.length < 2 && group === null) return null
  return (
    <div className="flex flex-col border-b border-line">
      <div className="flex gap-2 px-4 py-2">
        <Select
          label={own.show}
          value={group ?? ''}
          className="flex-1 text-sm"
          data-kind
          onChange={event => choose('kind', event.target.value)}
        >
          <option value="">{own.counted(own.all, all.length)}</option>
          {GROUP_NAMES.filter(one => counts.has(one) || one === group).map(one => (
            <option key={one} value={one}>
              {own.counted(own.groups[one], counts.get(one) ?? 0)}
            </option>
          ))}
        </Select>
        <Select
          label={own.order}
          value={isNewest ? 'newest' : ''}
          className="text-sm"
          data-order
          onChange={event => choose('order', event.target.value)}
        >
          <option value="">{isGuided ? own.guided : words.needs.sort}</option>
          <option value="newest">{own.newest}</option>
        </Select>
      </div>
      {group !== null && !counts.has(group) && (
        <p className="flex items-center gap-2 px-4 pb-2 text-sm text-soft">
          <span className="flex-1">{own.noneOf}</span>
          <Button small onClick={() => choose('kind', '')}>
            {own.showAll}
          </Button>
        </p>
      )}
    </div>
  )
}

function AnsweredFold({ children }: { children: ReactNode }) {
  const words = useWords().inbox
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group/fold mx-auto w-full max-w-xl border-t border-line"
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary className="flex h-11 cursor-pointer items-center gap-2 px-4 text-sm text-soft outline-offset-[-2px] hover:text-ink">
        <Disclosure /> {words.answered}
      </summary>
      {isOpen && children}
    </details>
  )
}

/** The one that was chosen; when it was dealt with, the one that took its place. */
function useCurrent(
  items: readonly InboxItem[],
  chosen: string | undefined,
  isDesktop: boolean,
): InboxItem | undefined {
  const place = useRef(0)
  const index = items.findIndex(({ item_id }) => item_id === chosen)
  useEffect(() => {
    if (index !== -1) place.current = index
  }, [index])
  if (index !== -1) return items[index]
  return isDesktop ? items[Math.min(place.current, items.length - 1)] : undefined
}

function useListCommands(items: readonly InboxItem[], current: InboxItem | undefined, query: string) {
  const [, navigate] = useLocation()
  const now = useRef({ items, current, query })
  now.current = { items, current, query }
  const [step, commands] = useMemo(() => {
    const move = (by: number) => {
      const { items, current, query } = now.current
      const at = items.findIndex(({ item_id }) => item_id === current?.item_id)
      const next = items[Math.max(0, Math.min(items.length - 1, at + by))]
      if (!next) return
      navigate(`/needs/${encodeURIComponent(next.item_id)}${query}`)
      focusOn(`[data-item="${CSS.escape(next.item_id)}"]`)
    }
    const moves: Command[] = [
      {
        ...{ id: 'needs.down', title: w => w.command.down, keys: ['j', 'ArrowDown', ']'], onlyKeys: true },
        run: () => move(1),
      },
      { id: 'needs.up', title: w => w.command.up, keys: ['k', 'ArrowUp', '['], onlyKeys: true, run: () => move(-1) },
      { id: 'needs.enter', title: w => w.command.open, keys: ['Enter'], onlyKeys: true, run: focusFirstStep },
    ]
    return [move, moves] as const
  }, [navigate])
  useCommands(commands)
  return step
}

/** Where an answer is typed, else the first thing to do about it. */
function focusFirstStep(): void {
  const detail = document.querySelector('[data-detail]')
  const first =
    detail?.querySelector('[data-answer]') ??
    detail?.querySelector('[data-review] button:not(:disabled)') ??
    detail?.querySelector('[data-steps] :is(button:not(:disabled), a)')
  if (first instanceof HTMLElement) first.focus()
}

/** At once where it can be: what is typed next must arrive there, and not be taken for keys of the page. */
function focusOn(selector: string, tries = 1): void {
  const element = document.querySelector(selector)
  if (element instanceof HTMLElement) element.focus()
  else if (tries > 0) requestAnimationFrame(() => focusOn(selector, tries - 1))
}
