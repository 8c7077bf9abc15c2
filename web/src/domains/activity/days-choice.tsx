import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { dateOf, type Days, LATEST, rangeOf, spanOf } from './days.ts'
import { words as own } from './words.ts'

type Props = { days: Days; choose: (days: Days) => void }

/** The latest days, all of them, or two dates. */
export function DaysChoice({ days, choose }: Props) {
  const words = useOwnWords(own)
  const range = rangeOf(days)
  const begin = () => {
    const { from, to } = spanOf('14', new Date())
    choose(`${dateOf(from)}..${dateOf(new Date(to.getTime() - 1))}`)
  }
  return (
    <>
      <Select
        label={words.days}
        data-filter="days"
        value={range ? 'own' : days}
        className="max-md:flex-[1_1_40%]"
        onChange={event => (event.target.value === 'own' ? begin() : choose(event.target.value))}
      >
        {[...LATEST, 'all'].map(one => (
          <option key={one} value={one}>
            {words.daysOf[one]}
          </option>
        ))}
        <option value="own">{words.ownDays}</option>
      </Select>
      {range && (
        <span className="flex items-center gap-1.5 max-md:w-full">
          <Day label={words.firstDay} value={range.first} choose={day => choose(`${day}..${range.last}`)} />
          <span aria-hidden="true">–</span>
          <Day label={words.lastDay} value={range.last} choose={day => choose(`${range.first}..${day}`)} />
        </span>
      )}
    </>
  )
}

function Day({ label, value, choose }: { label: string; value: string; choose: (day: string) => void }) {
  return (
    <TextField
      label={label}
      type="date"
      value={value}
      className="!w-38 !px-2 max-md:!w-full"
      // Half a date is none.
      onChange={event => event.target.value !== '' && choose(event.target.value)}
    />
  )
}
