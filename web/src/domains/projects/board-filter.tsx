import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Priority } from '#contract/projects.ts'
import type { AgentRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords, laneWord } from './board-words.ts'
import { allSeen, fresh } from './fresh.ts'
import { type Group, GROUPS, type Lane, NOBODY } from './model.ts'
import type { Preferences } from './preferences.ts'
import type { Cards } from './queries.ts'
import type { BoardPlace } from './use-filter.ts'

type Props = {
  place: BoardPlace
  agents: ReadonlyMap<string, AgentRecord> | undefined
  cards: Cards
  count: number
  lanes: readonly Lane[]
  preferences: Preferences
  prefer: (change: Partial<Preferences>) => void
  /** The column that a phone shows. */
  only: string
}

export function BoardFilter({ place, agents, cards, count, lanes, preferences, prefer, only }: Props) {
  const { filter, change } = place
  const words = useWords()
  const own = useOwnWords(boardWords)
  const isDesktop = useDesktop()
  const assignees = useAssignees(cards, filter.project)
  const isFiltered = filter.text !== '' || filter.assignee !== null
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3 max-md:px-2">
      {!isDesktop && <LanePicker {...{ lanes, only, prefer, agents }} group={preferences.group} />}
      <SearchField text={filter.text} change={text => change({ text })} />
      <Select
        label={own.assignee}
        value={filter.assignee ?? ''}
        className="max-md:w-32"
        onChange={event => change({ assignee: event.target.value || null })}
      >
        <option value="">{`${own.assignee}: ${own.anyone}`}</option>
        {assignees.map(id => (
          <option key={id} value={id}>
            {id === NOBODY ? words.board.nobody : (agents?.get(id)?.name ?? id)}
          </option>
        ))}
      </Select>
      {isDesktop && (
        <Select
          label={own.groupBy}
          value={preferences.group}
          data-group
          onChange={event => prefer({ group: event.target.value as Group })}
        >
          {GROUPS.map(group => (
            <option key={group} value={group}>
              {own.groups[group]}
            </option>
          ))}
        </Select>
      )}
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ text: '', assignee: null })}>
          {own.clearFilter}
        </Button>
      )}
      <span className="ml-auto inline-flex items-center gap-1 text-sm text-soft max-md:hidden">
        {own.total(count)}
        <NewTasks show={() => change({ text: 'is:new' })} isShown={filter.text === 'is:new'} />
      </span>
    </div>
  )
}

/** Asked for when the cards change, and not with every key. */
function useAssignees({ byId }: Cards, project: string | null): string[] {
  return useMemo(() => {
    const found = new Set<string>()
    for (const { assignee_id, project_id } of byId.values())
      if (project === null || project_id === project) found.add(assignee_id ?? NOBODY)
    return [...found].sort()
  }, [byId, project])
}

function NewTasks({ show, isShown }: { show: () => void; isShown: boolean }) {
  const own = useOwnWords(boardWords)
  const count = useStore(fresh).size
  if (count === 0) return null
  return (
    <>
      <span aria-hidden="true">·</span>
      <Button small look="quiet" className="!text-ai" data-new title={own.newHint} onClick={isShown ? allSeen : show}>
        {isShown ? own.allSeen : own.newTasks(count)}
      </Button>
    </>
  )
}

type LaneProps = Pick<Props, 'lanes' | 'only' | 'prefer' | 'agents'> & { group: Group }

/** One column at a time: by name, or the next one. A swipe does the same. */
function LanePicker({ lanes, only, prefer, agents, group }: LaneProps) {
  const words = useWords()
  const own = useOwnWords(boardWords)
  const at = lanes.findIndex(({ key }) => key === only)
  const nameOf = (key: string) => {
    if (group === 'status') return laneWord(key, words)
    if (group === 'priority') return words.priority[key as Priority]
    return key === NOBODY ? words.board.nobody : (agents?.get(key)?.name ?? key)
  }
  const step = (by: 1 | -1, Icon: typeof ChevronLeft) => {
    const next = lanes[at + by]
    return (
      <Button
        look="quiet"
        className="!px-2"
        disabled={!next}
        aria-label={next ? nameOf(next.key) : own.columns}
        onClick={() => next && prefer({ only: next.key })}
      >
        <Icon size={18} aria-hidden="true" />
      </Button>
    )
  }
  return (
    <div className="flex w-full items-center gap-1">
      {step(-1, ChevronLeft)}
      <Select
        label={own.columns}
        value={only}
        className="min-w-0 flex-1 font-semibold"
        onChange={event => prefer({ only: event.target.value })}
      >
        {lanes.map(({ key, cards }) => (
          <option key={key} value={key}>
            {`${nameOf(key)} ${cards.length.toLocaleString(words.code)}`}
          </option>
        ))}
      </Select>
      {step(1, ChevronRight)}
    </div>
  )
}

/** Not in the address with every key: a composition of Japanese is one word, not ten. */
function SearchField({ text, change }: { text: string; change: (text: string) => void }) {
  const own = useOwnWords(boardWords)
  const [draft, setDraft] = useState(text)
  const [shown, setShown] = useState(text)
  // By Back or by a link. While drawing, since the timer of an effect would write the text of before into the address again.
  if (shown !== text) {
    setShown(text)
    setDraft(text)
  }
  useEffect(() => {
    if (draft === text) return undefined
    const timer = setTimeout(() => change(draft), 120)
    return () => clearTimeout(timer)
  }, [draft, text, change])
  return (
    <TextField
      label={own.filter}
      placeholder={own.filter}
      title={own.filterHint}
      type="search"
      data-search
      value={draft}
      className="max-md:!w-0 max-md:flex-1 md:max-w-80"
      onChange={event => setDraft(event.target.value)}
    />
  )
}
