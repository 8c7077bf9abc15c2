import type { EventNames } from '#contract/events.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { type Film, filmTime, type Picture, type WorkThen } from './model.ts'
import { replayWords } from './words.ts'

const ROW = 22
const WIDTH = 1000
const BAD = /fail|error|lost|timed|killed|crash/i

/** Everything that has run up to now, as bars over the film's own time; the last to begin is at the bottom. */
export function Lanes({
  film,
  picture,
  time,
  names,
}: {
  film: Film
  picture: Picture
  time: number
  names: EventNames
}) {
  const words = useOwnWords(replayWords)
  const work = [...picture.work.values()].toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)).slice(-40)
  if (work.length === 0) return <p className="px-1 text-soft">{words.idle}</p>
  const scale = (ms: number) => (film.length === 0 ? WIDTH : (Math.max(0, ms) / film.length) * WIDTH)
  const now = scale(time)
  return (
    <>
      <div className="grid grid-cols-[minmax(7rem,14rem)_1fr] gap-x-3" aria-hidden="true">
        <ul className="text-sm">
          {work.map(one => (
            <li key={one.id} className="flex h-[22px] items-center gap-1.5 truncate">
              <span className={markOf(one).tone}>{markOf(one).glyph}</span>
              <span className="truncate">
                <SafeText text={whoOf(one, names)} />
              </span>
            </li>
          ))}
        </ul>
        <svg
          viewBox={`0 0 ${WIDTH} ${work.length * ROW}`}
          preserveAspectRatio="none"
          height={work.length * ROW}
          className="w-full rounded-md bg-sunk"
        >
          {work.map((one, row) => {
            const from = one.startedAt === null ? 0 : scale(filmTime(film, one.startedAt))
            const to = one.endedAt === null ? now : scale(filmTime(film, one.endedAt))
            return (
              <rect
                key={one.id}
                x={from}
                y={row * ROW + 5}
                width={Math.max(3, to - from)}
                height={ROW - 10}
                className={markOf(one).fill}
              />
            )
          })}
          <line
            x1={now}
            x2={now}
            y1={0}
            y2={work.length * ROW}
            className="stroke-ink"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <Table work={work} names={names} />
    </>
  )
}

function Table({ work, names }: { work: readonly WorkThen[]; names: EventNames }) {
  const words = useOwnWords(replayWords)
  const { code } = useWords()
  const at = (moment: number | null, otherwise: string) =>
    moment === null ? otherwise : new Date(moment).toLocaleTimeString(code)
  return (
    <table className="sr-only">
      <caption>{words.lanes}</caption>
      <thead>
        <tr>
          {[words.table.who, words.table.from, words.table.to, words.table.outcome].map(head => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {work.map(one => (
          <tr key={one.id}>
            <td>
              <SafeText text={whoOf(one, names)} />
            </td>
            <td>{at(one.startedAt, words.table.earlier)}</td>
            <td>{at(one.endedAt, words.table.open)}</td>
            <td>{one.outcome === null ? '' : <SafeText text={one.outcome} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Shape and colour: one of them is enough to tell. */
function markOf({ endedAt, outcome, isWaiting }: WorkThen): { glyph: string; tone: string; fill: string } {
  if (isWaiting) return { glyph: '?', tone: 'text-kohaku', fill: 'fill-kohaku' }
  if (endedAt === null) return { glyph: '▶', tone: 'text-ai', fill: 'fill-ai' }
  if (BAD.test(outcome ?? '')) return { glyph: '✕', tone: 'text-shu', fill: 'fill-shu' }
  return { glyph: '✓', tone: 'text-matsu', fill: 'fill-matsu' }
}

function whoOf({ id, agentId, taskId, label }: WorkThen, names: EventNames): string {
  const tab = names.tabs[id]
  const who = names.agents[agentId ?? ''] ?? names.runs[id]?.role ?? tab?.engine ?? label ?? agentId ?? id
  const what = names.tasks[taskId ?? '']?.handle ?? tab?.branch
  return what === undefined ? who : `${who} · ${what}`
}
