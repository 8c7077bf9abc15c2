import type { TabRecord } from '#contract/records.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { TabMark } from './tab-mark.tsx'
import { words as own } from './words.ts'

type Props = {
  tabs: readonly TabRecord[]
  tiles: readonly string[]
  show: (id: string) => void
  isDesktop: boolean
}

/** Every tab with its state: those that wait for a person are seen here also when they have no place below. */
export function TabChips({ tabs, tiles, show, isDesktop }: Props) {
  const words = useOwnWords(own)
  if (!isDesktop)
    return (
      <Select
        label={words.phone.tab}
        className="min-w-0 flex-1"
        value={tiles[0]}
        onChange={event => show(event.target.value)}
      >
        {tabs.map(({ tab_id, branch, status }) => (
          <option key={tab_id} value={tab_id}>
            {branch} · {words.status[status]}
          </option>
        ))}
      </Select>
    )
  return (
    <nav aria-label={words.tabs} className="min-w-0 flex-1 overflow-x-auto">
      <ul className="flex gap-1 py-0.5">
        {tabs.map(({ tab_id, branch, status, engine }) => {
          const isShown = tiles.includes(tab_id)
          return (
            <li key={tab_id} className="shrink-0">
              <button
                type="button"
                data-chip={tab_id}
                aria-pressed={isShown}
                title={`${branch} · ${engine} · ${words.status[status]}`}
                className={`flex h-7 max-w-52 items-center gap-1.5 rounded-md border px-2 text-sm outline-offset-[-2px] hover:bg-ai-wash ${isShown ? 'border-rule bg-sheet' : 'border-transparent text-soft'} ${status === 'waiting' ? 'bg-kohaku-wash' : ''}`}
                onClick={() => show(tab_id)}
              >
                <TabMark status={status} size={13} />
                <span className="truncate">
                  <SafeText text={branch} />
                </span>
                <span className="sr-only">{words.status[status]}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
