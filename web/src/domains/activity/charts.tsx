import { useState } from 'react'
import type { Lang } from '#contract/errors.ts'
import { addSums, type Sum, sumText, TOKEN_KINDS, type TokenKind } from '#contract/usage-text.ts'
import type { DayStats } from '#contract/views.ts'
import { Button } from '../../parts/button.tsx'
import { numberFormat } from '../../parts/formats.ts'
import { compact, costShown } from '../../parts/used.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { type Days, rangeOf } from './days.ts'
import { byEngine, type Ran, ranOf } from './engine-sums.ts'
import { useDaily } from './queries.ts'
import { type ActivityWords, words as own } from './words.ts'
import { SafeText } from '../../parts/safe-text.tsx'

type Measure = {
  id: 'runs' | 'failures' | 'cost' | TokenKind
  of: (ran: Ran) => Sum
  tone: string
  text: (sum: Sum, lang: Lang) => string
}

const known = (sum: number): Sum => ({ sum, unknown_runs: 0 })
const plain = (sum: Sum, lang: Lang) => sumText(sum, count => numberFormat(lang, {}).format(count), lang)

const CHARTS: readonly Measure[] = [
  { id: 'runs', of: ({ runs }) => known(runs), tone: 'fill-ai', text: plain },
  { id: 'failures', of: ({ failures }) => known(failures), tone: 'fill-shu', text: plain },
  { id: 'cost', of: ({ cost }) => cost, tone: 'fill-hinoki', text: costShown },
  ofTokens('input'),
  ofTokens('output'),
]
const COLUMNS: readonly Measure[] = [...CHARTS.slice(0, 3), ...TOKEN_KINDS.map(ofTokens)]

function ofTokens(kind: TokenKind): Measure {
  const text = (sum: Sum, lang: Lang) => sumText(sum, count => compact(count, lang), lang)
  return { id: kind, of: ({ tokens }) => tokens[kind], tone: 'fill-fuji', text }
}

/** What ran on the last days: small bars, and the same as a table. */
export function Charts({ project, days: chosen }: { project: string | null; days: Days }) {
  const words = useOwnWords(own)
  const days = useDaily(project, chosen).data
  const { code } = useWords()
  const label = labelOf(chosen, words, code)
  const [isTable, setTable] = useState(false)
  if (!days) return <div className="h-13" />
  return (
    <section aria-label={label} className="border-b border-line px-4 py-2.5 max-md:px-3">
      <div className="flex items-end gap-x-7 gap-y-2 max-lg:gap-x-4 max-md:grid max-md:grid-cols-2">
        {CHARTS.map(measure => (
          <Bars key={measure.id} measure={measure} days={days} label={label} />
        ))}
        <Button
          small
          look="quiet"
          className="ml-auto max-md:hidden"
          aria-expanded={isTable}
          onClick={() => setTable(before => !before)}
        >
          {words.table}
        </Button>
      </div>
      <div className={isTable ? 'max-h-60 overflow-y-auto pt-3' : 'sr-only'}>
        <Table days={days} label={label} />
      </div>
    </section>
  )
}

const BAR = 6
const HEIGHT = 28
const WIDEST = 160

/** `2 Nov – 9 Nov`, or what the choice is called. */
function labelOf(days: Days, words: ActivityWords, code: string): string {
  const range = rangeOf(days)
  if (!range) return words.daysOf[days === 'all' ? 'most' : days] ?? days
  const date = new Intl.DateTimeFormat(code, { month: 'short', day: 'numeric' })
  return date.formatRange(new Date(`${range.first}T00:00:00`), new Date(`${range.last}T00:00:00`))
}

function Bars({ measure, days, label }: { measure: Measure; days: readonly DayStats[]; label: string }) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const sums = days.map(day => measure.of(ranOf(day)))
  const values = sums.map(({ sum }) => sum ?? 0)
  const most = Math.max(...values)
  const all = addSums(sums)
  const total = measure.text(all, code)
  return (
    <figure className="flex min-w-0 items-end gap-2.5">
      <svg
        width={Math.min(WIDEST, values.length * (BAR + 2))}
        height={HEIGHT}
        viewBox={`0 0 ${values.length * (BAR + 2)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart(words[measure.id], label, total)}
        className="min-w-0 shrink max-lg:w-16"
      >
        {values.map((value, index) => {
          const height = most === 0 || value === 0 ? 1 : Math.max(3, (value / most) * HEIGHT)
          return (
            <rect
              key={days[index]?.from}
              x={index * (BAR + 2)}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              rx={1}
              className={value === 0 ? 'fill-line' : measure.tone}
            />
          )
        })}
      </svg>
      <figcaption className="leading-tight whitespace-nowrap">
        <span className="block text-xs text-soft">{words[measure.id]}</span>
        <span className={all.unknown_runs === 0 ? 'font-medium' : 'text-sm'}>{total}</span>
      </figcaption>
    </figure>
  )
}

function Table({ days, label }: { days: readonly DayStats[]; label: string }) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const date = (from: string) => new Date(from).toLocaleDateString(code, { month: 'short', day: 'numeric' })
  const engines = byEngine(days)
  return (
    <div className="flex flex-wrap items-start gap-x-12 gap-y-4">
      <Sums
        caption={label}
        head={words.day}
        rows={[...days].reverse().map(day => ({ id: day.from, name: date(day.from), ran: ranOf(day) }))}
      />
      {engines.length > 0 && (
        <Sums
          caption={words.byEngine(label)}
          head={words.engine}
          rows={engines.map(({ engine, ran }) => ({ id: engine ?? '', name: engine ?? words.noEngine, ran }))}
        />
      )}
    </div>
  )
}

type SumsProps = { caption: string; head: string; rows: readonly { id: string; name: string; ran: Ran }[] }

function Sums({ caption, head, rows }: SumsProps) {
  const words = useOwnWords(own)
  const { code } = useWords()
  return (
    <table className="w-full max-w-5xl text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-soft">
        <tr>
          <th className="py-1 font-medium">{head}</th>
          {COLUMNS.map(({ id }) => (
            <th key={id} className="py-1 pl-3 text-right font-medium">
              {words[id]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, ran }) => (
          <tr key={id} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-normal">
              <SafeText text={name} />
            </th>
            {COLUMNS.map(({ id: measure, of, text }) => (
              <td key={measure} className="py-1 pl-3 text-right">
                {text(of(ran), code)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
