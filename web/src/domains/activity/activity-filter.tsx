import { Download, X } from 'lucide-react'
import { useState } from 'react'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { Refused } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { DaysChoice } from './days-choice.tsx'
import { whoIs } from './who-is.ts'
import { exportEvents, EXPORT_MAX } from './export-events.ts'
import { type Group, GROUPS } from './model.ts'
import type { Filter } from './queries.ts'
import type { Narrow } from './use-filter.ts'
import { words as own } from './words.ts'

type Props = { filter: Filter; narrow: Narrow; events: readonly StoredEvent[]; names: EventNames }

export function ActivityFilter({ filter, narrow, events, names }: Props) {
  const words = useOwnWords(own)
  const { group, caller, subject } = filter
  const callers = [...new Set([...events.map(event => event.caller), ...(caller === null ? [] : [caller])])].sort()
  const about = subject === null ? undefined : (names.tasks[subject]?.handle ?? names.agents[subject] ?? subject)
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2.5 max-md:px-3">
      <Select
        label={words.type}
        data-filter="type"
        value={group ?? ''}
        className="max-md:flex-[1_1_40%]"
        onChange={event => narrow({ group: (event.target.value || null) as Group | null })}
      >
        <option value="">{`${words.type}: ${words.any}`}</option>
        {GROUPS.map(one => (
          <option key={one} value={one}>
            {words.groups[one]}
          </option>
        ))}
      </Select>
      <Select
        label={words.who}
        value={caller ?? ''}
        className="max-w-48 max-md:max-w-none max-md:flex-[1_1_40%]"
        onChange={event => narrow({ caller: event.target.value || null })}
      >
        <option value="">{`${words.who}: ${words.anyone}`}</option>
        {callers.map(one => (
          <option key={one} value={one}>
            {whoIs(one, names, words)}
          </option>
        ))}
      </Select>
      <DaysChoice days={filter.days} choose={days => narrow({ days })} />
      {about !== undefined && (
        <Button look="quiet" className="max-w-60" onClick={() => narrow({ subject: null })}>
          <span className="truncate">
            <SafeText text={words.only(about)} />
          </span>
          <X size={14} aria-hidden="true" />
        </Button>
      )}
      {(group !== null || caller !== null || subject !== null) && (
        <Button look="quiet" onClick={() => narrow({ group: null, caller: null, subject: null })}>
          {words.clear}
        </Button>
      )}
      <Export filter={filter} />
    </div>
  )
}

function Export({ filter }: { filter: Filter }) {
  const words = useOwnWords(own)
  const all = useWords()
  const [count, setCount] = useState<number>()
  const start = async () => {
    setCount(0)
    try {
      const total = await exportEvents(filter, setCount)
      const detail = total >= EXPORT_MAX ? words.cut(total) : undefined
      notify({ kind: 'done', text: words.exported(total), detail })
    } catch (error) {
      const detail = error instanceof Refused ? error.message : all.error.unreached
      notify({ kind: 'failed', text: words.export, detail })
    }
    setCount(undefined)
  }
  return (
    <Button className="ml-auto" disabled={count !== undefined} onClick={() => void start()}>
      <Download size={14} aria-hidden="true" />
      <span className="max-md:sr-only">{count === undefined ? words.export : words.exporting(count)}</span>
    </Button>
  )
}
