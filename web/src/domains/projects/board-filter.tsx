import { useEffect, useState } from 'react'
import type { TaskStatus } from '#contract/projects.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
import type { AgentRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useWords } from '../../parts/use-words.ts'
import type { ShownColumns } from './board.tsx'
import { type Card, type Columns, type Filter, NOBODY } from './model.ts'

type Props = {
  filter: Filter
  change: (change: Partial<Filter>) => void
  agents: ReadonlyMap<string, AgentRecord> | undefined
  cards: readonly Card[]
  count: number
  columns: Columns
  shown: ShownColumns
}

export function BoardFilter({ filter, change, agents, cards, count, columns, shown }: Props) {
  const words = useWords()
  const isDesktop = useDesktop()
  const assignees = [...new Set(cards.map(card => card.assignee_id ?? NOBODY))].sort()
  const isFiltered = filter.text !== '' || filter.assignee !== null
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3 max-md:px-2">
      {!isDesktop && (
        <Select
          label={words.board.columns}
          value={shown.only}
          className="font-semibold max-md:w-full"
          onChange={event => shown.show(event.target.value as TaskStatus)}
        >
          {TASK_STATUSES.map(status => (
            <option key={status} value={status}>
              {`${words.status[status]} ${columns[status].length.toLocaleString(words.code)}`}
            </option>
          ))}
        </Select>
      )}
      <SearchField text={filter.text} change={text => change({ text })} />
      <Select
        label={words.board.assignee}
        value={filter.assignee ?? ''}
        className="max-md:w-36"
        onChange={event => change({ assignee: event.target.value || null })}
      >
        <option value="">{`${words.board.assignee}: ${words.board.anyone}`}</option>
        {assignees.map(id => (
          <option key={id} value={id}>
            {id === NOBODY ? words.board.nobody : (agents?.get(id)?.name ?? id)}
          </option>
        ))}
      </Select>
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ text: '', assignee: null })}>
          {words.board.clear}
        </Button>
      )}
      <span className="ml-auto text-sm text-soft max-md:hidden">{words.board.total(count)}</span>
    </div>
  )
}

/** Not in the address with every key: a composition of Japanese is one word, not ten. */
function SearchField({ text, change }: { text: string; change: (text: string) => void }) {
  const words = useWords()
  const [draft, setDraft] = useState(text)
  useEffect(() => setDraft(text), [text])
  useEffect(() => {
    if (draft === text) return undefined
    const timer = setTimeout(() => change(draft), 120)
    return () => clearTimeout(timer)
  }, [draft, text, change])
  return (
    <TextField
      label={words.board.filter}
      placeholder={words.board.filter}
      type="search"
      data-search
      value={draft}
      className="max-md:!w-0 max-md:flex-1 md:max-w-64"
      onChange={event => setDraft(event.target.value)}
    />
  )
}
