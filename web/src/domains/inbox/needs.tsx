import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { Bars } from '../../parts/bars.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { again, settle, stopTab } from './actions.ts'
import { ItemDetail } from './item-detail.tsx'
import { ItemRow } from './item-row.tsx'
import { ofProject, useInbox } from './queries.ts'
import { type Helpers } from './steps.tsx'
import { inboxWords } from './words.ts'

type Props = {
  chosen: string | undefined
  project: string | null
  working: number
  /** What a hub without a project shows besides. */
  empty?: ReactNode
  /** What was dealt with today, drawn when it is unfolded. */
  answered: ReactNode
  /** Another domain draws reported work. */
  review: (taskId: string) => ReactNode
  /** And the screen of a tab. */
  terminal: (item: InboxItem) => ReactNode
  helpers: Helpers
}

export function Needs({ chosen, project, working, empty, answered, review, terminal, helpers }: Props) {
  const words = useWords()
  const inbox = useInbox()
  const isDesktop = useDesktop()
  const search = useSearch()
  const query = search === '' ? '' : `?${search}`
  const items = useMemo(() => ofProject(inbox.data ?? [], project), [inbox.data, project])
  const current = useCurrent(items, chosen, isDesktop)
  useNeedsCommands(items, current, query)
  if (inbox.isError && !inbox.data) return <Failure error={inbox.error} again={() => void inbox.refetch()} />
  if (!inbox.data) return <Bars count={5} height={60} />
  if (items.length === 0)
    return (
      <div className="h-full overflow-y-auto">
        <Empty title={words.needs.emptyTitle} hint={`${words.needs.emptyWorking(working)} ${words.needs.emptyHint}`} />
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
          className="h-full w-full shrink-0 overflow-y-auto border-line md:w-90 md:border-r"
        >
          <ul className="flex flex-col divide-y divide-line">
            {items.map(item => (
              <ItemRow
                key={item.item_id}
                item={item}
                href={hrefOf(item)}
                isCurrent={item.item_id === current?.item_id}
              />
            ))}
          </ul>
          <AnsweredFold>{answered}</AnsweredFold>
        </section>
      )}
      {current && (
        <section aria-label={words.needs.title} className="h-full min-w-0 flex-1 overflow-y-auto">
          <ItemDetail item={current} back={`/needs${query}`} {...{ review, terminal, helpers }} />
        </section>
      )}
    </div>
  )
}

function AnsweredFold({ children }: { children: ReactNode }) {
  const words = useOwnWords(inboxWords)
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

function useNeedsCommands(items: readonly InboxItem[], current: InboxItem | undefined, query: string): void {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const hasOwnAnswer = current?.kind === 'review' || current?.kind === 'tab_waits'
  const now = useRef({ items, current, query })
  now.current = { items, current, query }
  const commands = useMemo((): Command[] => {
    const step = (by: number) => () => {
      const { items, current, query } = now.current
      const at = items.findIndex(({ item_id }) => item_id === current?.item_id)
      const next = items[Math.max(0, Math.min(items.length - 1, at + by))]
      if (!next) return
      navigate(`/needs/${encodeURIComponent(next.item_id)}${query}`)
      focusOn(`[data-item="${CSS.escape(next.item_id)}"]`)
    }
    return [
      { id: 'needs.down', title: w => w.command.down, keys: ['j', 'ArrowDown', ']'], run: step(1), onlyKeys: true },
      { id: 'needs.up', title: w => w.command.up, keys: ['k', 'ArrowUp', '['], run: step(-1), onlyKeys: true },
      // Reported work and terminals have a command of their own for it.
      ...(hasOwnAnswer
        ? []
        : [
            {
              id: 'needs.answer',
              title: (w: Parameters<Command['title']>[0]) => w.command.answer,
              keys: ['a'],
              run: () => focusOn('[data-answer]'),
            },
          ]),
      {
        id: 'needs.snooze',
        title: w => inboxWords[w.code].snooze,
        keys: ['z'],
        run: () => document.querySelector<HTMLElement>('[data-snooze]')?.click(),
      },
      {
        id: 'needs.again',
        title: w => inboxWords[w.code].again,
        keys: ['R'],
        run: () => {
          const { current } = now.current
          if (current?.kind === 'run_failed') void again(queries, current)
        },
      },
      {
        id: 'needs.terminal',
        title: w => inboxWords[w.code].openTerminal,
        keys: ['t'],
        run: () => document.querySelector<HTMLElement>('[data-open-terminal]')?.click(),
      },
      {
        id: 'needs.stop',
        title: w => inboxWords[w.code].stop,
        keys: ['s'],
        run: () => {
          const { current } = now.current
          if (current?.kind === 'tab_waits') void stopTab(queries, current)
        },
      },
      {
        id: 'needs.settle',
        title: w => w.command.dismiss,
        keys: ['e'],
        run: () => {
          const { current } = now.current
          if (current) void settle(queries, current)
        },
      },
    ]
  }, [queries, navigate, hasOwnAnswer])
  useCommands(commands)
}

/** At once where it can be: what is typed next must arrive there, and not be taken for keys of the page. */
function focusOn(selector: string, tries = 1): void {
  const element = document.querySelector(selector)
  if (element instanceof HTMLElement) element.focus()
  else if (tries > 0) requestAnimationFrame(() => focusOn(selector, tries - 1))
}
