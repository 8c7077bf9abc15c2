import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as List } from 'cmdk'
import {
  FolderGit2,
  Hammer,
  type LucideIcon,
  MessagesSquare,
  Scale,
  SquareCheck,
  SquareTerminal,
  User,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { FoundThing, SearchKind } from '#contract/search.ts'
import type { TaskCard } from '#contract/views.ts'
import { useCards } from '../domains/projects/queries.ts'
import { call } from '../hub/call.ts'
import { type Command, viewCommands } from '../parts/command.ts'
import { Dialog } from '../parts/dialog.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { StatusMark } from '../parts/marks.tsx'
import { SafeText } from '../parts/safe-text.tsx'
import { useStore } from '../parts/use-store.ts'
import { useOwnWords, useWords } from '../parts/use-words.ts'
import type { Words } from '../words/en.ts'
import { overlay, shownKey } from './commands.ts'
import { words as own } from './palette-words.ts'

const RECENT = 8
const AT_ONCE = 5
const SEARCH_MS = 120
const ROW =
  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-3 py-1.5 data-[selected=true]:bg-ai-wash max-md:min-h-11'

/** Commands, and everything that has a page: tasks, decisions, topics, runs, terminals, agents, projects. */
export function Palette({ commands }: { commands: readonly Command[] }) {
  const words = useOwnWords(own)
  const all = useWords()
  const here = useStore(viewCommands)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const { found, isSearching } = useFound(text)
  const recent = useRecent()
  const offered = [...here, ...commands].filter(({ onlyKeys }) => !onlyKeys)
  // Who types the beginning of a command means it; who types anything else looks for something.
  const isCommand = text !== '' && offered.some(command => startsWith(command.title(all), text))
  const close = () => overlay.set(undefined)
  const run = (action: () => void) => {
    close()
    // When the dialog is gone, and with it the focus that it holds.
    requestAnimationFrame(action)
  }
  const go = (thing: FoundThing) => run(() => navigate(addressOf(thing)))
  const list = (
    <Group heading={words.commands}>
      {offered.map(command => (
        <List.Item key={command.id} value={valueOf(command, all)} className={ROW} onSelect={() => run(command.run)}>
          <span className="min-w-0 flex-1">{command.title(all)}</span>
          {command.keys?.[0] !== undefined && <KeyHint keys={shownKey(command.keys[0])} />}
        </List.Item>
      ))}
    </Group>
  )
  return (
    <Dialog label={all.palette.title} close={close} closeLabel={all.keys.close} shape="bare">
      <List label={all.palette.title} filter={filter} className="flex max-h-[60vh] min-h-0 flex-col">
        <List.Input
          data-autofocus
          value={typed}
          onValueChange={setTyped}
          placeholder={words.placeholder}
          className="h-12 shrink-0 border-b border-line bg-sheet px-4 text-base outline-none"
        />
        <List.List className="min-h-0 overflow-y-auto p-2">
          {text !== '' && found.length === 0 && !offered.some(command => filter(valueOf(command, all), text) === 1) && (
            <p role="status" className="line-clamp-any px-3 py-6 text-center text-soft">
              {isSearching ? words.searching : words.nothing(text)}
            </p>
          )}
          {isCommand && list}
          {text === '' && recent.length > 0 && <Found heading={words.recent} things={recent} go={go} />}
          {text !== '' &&
            ORDER.map(kind => {
              const things = found.filter(thing => thing.kind === kind)
              return things.length === 0 ? null : (
                <Found key={kind} heading={words.kinds[kind]} things={things} go={go} />
              )
            })}
          {!isCommand && list}
        </List.List>
      </List>
    </Dialog>
  )
}

function Group({ heading, children, force = false }: { heading: string; children: ReactNode; force?: boolean }) {
  return (
    <List.Group
      heading={heading}
      forceMount={force}
      className="pb-1 text-base [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft"
    >
      {children}
    </List.Group>
  )
}

type FoundProps = { heading: string; things: readonly FoundThing[]; go: (thing: FoundThing) => void }

/** The hub has chosen them: the list's own filter must not drop what it found in a description or by meaning. */
function Found({ heading, things, go }: FoundProps) {
  const all = useWords()
  return (
    <Group heading={heading} force>
      {things.map(thing => (
        <List.Item
          key={thing.id}
          forceMount
          value={`${thing.kind}:${thing.id}`}
          data-found={`${thing.kind}-${thing.id}`}
          className={ROW}
          onSelect={() => go(thing)}
        >
          <Sign thing={thing} />
          {thing.status !== undefined && <span className="sr-only">{all.status[thing.status]}</span>}
          <span className="min-w-0 flex-1 truncate">
            {thing.kind === 'decision' && <span className="text-fuji">#{thing.id} </span>}
            <SafeText text={thing.title} />
          </span>
          <span
            className={`max-w-[40%] shrink-0 truncate text-xs text-soft ${thing.kind === 'task' ? 'font-mono' : ''}`}
          >
            <SafeText text={thing.detail} />
          </span>
        </List.Item>
      ))}
    </Group>
  )
}

const SIGNS: Record<SearchKind, LucideIcon> = {
  ...{ task: SquareCheck, decision: Scale, topic: MessagesSquare, run: Hammer, tab: SquareTerminal },
  ...{ agent: User, project: FolderGit2 },
}
const ORDER = Object.keys(SIGNS) as SearchKind[]

function Sign({ thing: { kind, status } }: { thing: FoundThing }) {
  if (status !== undefined) return <StatusMark status={status} />
  const Icon = SIGNS[kind]
  return <Icon size={14} aria-hidden="true" className="shrink-0 text-soft" />
}

const valueOf = ({ title, id }: Command, words: Words) => `${title(words)} ${id}`

/** Every word stands in it. A looser match would put commands below every search. */
const filter = (value: string, text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every(word => value.toLowerCase().includes(word))
    ? 1
    : 0

const startsWith = (title: string, text: string) => title.toLowerCase().startsWith(text.toLowerCase())

/** A moment after the last key; the question before is given up. Tasks that the page knows are there at once. */
function useFound(text: string): { found: readonly FoundThing[]; isSearching: boolean } {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useQuery({
    queryKey: ['search', asked],
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
    queryFn: async ({ signal }) => (await call('search.find', { text: asked }, { signal })).value.found,
  })
  const cards = useCards().data
  const isSearching = text !== asked || isFetching
  const found = useMemo(() => {
    if (!isSearching) return data ?? []
    const known = [...(cards?.byId.values() ?? [])].filter(
      ({ handle, title }) => filter(`${handle} ${title}`, text) === 1,
    )
    return [...known.slice(-AT_ONCE).reverse().map(thingOf), ...(data ?? []).filter(({ kind }) => kind !== 'task')]
  }, [isSearching, data, cards, text])
  return { found, isSearching }
}

function useRecent(): FoundThing[] {
  const cards = useCards().data
  return useMemo(() => [...(cards?.byId.values() ?? [])].slice(-RECENT).reverse().map(thingOf), [cards])
}

const thingOf = ({ task_id, title, handle, project_id, status }: TaskCard): FoundThing => ({
  ...{ kind: 'task', id: task_id, title, detail: handle, project_id, status },
})

function addressOf({ kind, id, project_id }: FoundThing): string {
  const one = encodeURIComponent(id)
  const project = project_id === null ? '' : `?project=${encodeURIComponent(project_id)}`
  const addresses: Record<SearchKind, string> = {
    ...{ task: `/tasks/${one}`, run: `/runs/${one}`, agent: `/agents/${one}`, tab: `/terminals?show=${one}` },
    ...{ decision: `/memory/decisions/${one}${project}`, topic: `/memory/topics/${one}${project}` },
    project: `/board?project=${one}`,
  }
  return addresses[kind]
}
