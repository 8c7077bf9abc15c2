import { useMemo, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useRoving } from '../../parts/use-roving.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { costText } from '../../parts/used.ts'
import type { NameOf } from './crew.tsx'
import { Elapsed } from './elapsed.tsx'
import { latelyOf, ofProject, partsOf, type Row, sectionsOf, sumOf } from './model.ts'
import { NobodyWorked } from './nobody-worked.tsx'
import { useWork } from './queries.ts'
import { runnerText } from './runner-text.ts'
import { ROWS, useRowCommands } from './row-commands.ts'
import { crewWords, type CrewWords } from './words.ts'
import { WorkRow } from './work-row.tsx'

const LATELY = 20

export function Now({ project, name }: { project: string | null; name: NameOf }) {
  const words = useOwnWords(crewWords)
  const answer = useWork()
  const work = useMemo(() => ofProject(answer.data?.work ?? [], project), [answer.data, project])
  const crews = answer.data?.crews
  const sections = useMemo(() => sectionsOf(work, crews ?? []), [work, crews])
  const lately = useMemo(() => latelyOf(work).slice(0, LATELY), [work])
  useRowCommands(work)
  const list = useRef<HTMLDivElement>(null)
  useRoving(list, ROWS)
  if (answer.isError && !answer.data) return <Failure error={answer.error} again={() => void answer.refetch()} />
  if (!answer.data) return <Bars count={5} height={52} />
  return (
    <div ref={list} className="mx-auto flex max-w-6xl flex-col gap-6 px-4 py-4 max-md:px-0 max-md:py-2">
      {sections.length === 0 && <NobodyWorked project={project} title={words.emptyTitle} />}
      {sections.map(({ starter, rows }) => (
        <section key={starter} aria-label={starterText(starter, words, name)} data-starter={starter}>
          <h2 className="px-3 pb-1.5 text-sm font-semibold text-soft">{starterText(starter, words, name)}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet max-md:rounded-none max-md:border-x-0">
            {rows.map(row => (
              <NowRow key={row.key} row={row} />
            ))}
          </ul>
        </section>
      ))}
      {lately.length > 0 && (
        <section aria-label={words.lately} data-lately>
          <h2 className="px-3 pb-1.5 text-sm font-semibold text-soft">{words.lately}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet max-md:rounded-none max-md:border-x-0">
            {lately.map(one => (
              <WorkRow key={one.id} work={one} depth={0} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function NowRow({ row }: { row: Row }) {
  return row.kind === 'work' ? <WorkRow work={row.work} depth={row.depth} /> : <CrewRow row={row} />
}

const INDENT = ['pl-3', 'pl-8', 'pl-13', 'pl-18', 'pl-23'] as const

function CrewRow({ row: { crew, runs, depth } }: { row: Extract<Row, { kind: 'crew' }> }) {
  const words = useOwnWords(crewWords)
  const { code } = useWords()
  const search = useSearch()
  const { started, ended, open, cost } = sumOf(runs)
  const stages = new Set(runs.map(({ stage }) => stage)).size
  return (
    <li data-crew={crew.crew_id}>
      <Link
        href={`/crews/${encodeURIComponent(crew.crew_id)}${search === '' ? '' : `?${search}`}`}
        className={`flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 bg-sunk py-2 pr-3 outline-offset-[-2px] hover:bg-ai-wash ${INDENT[Math.min(depth, 4)]}`}
      >
        <span className="line-clamp-any min-w-0 flex-1 truncate font-medium max-md:basis-full">
          <SafeText text={crew.description || crew.crew_id} />
        </span>
        <span className="flex shrink-0 flex-wrap items-center gap-x-3 text-sm text-soft max-md:w-full">
          <span>{crew.mode === 'sequential' ? words.stages(stages) : words.sideBySide}</span>
          <span>{words.crewLine(runs.length - open, runs.length)}</span>
          {started !== null && <Elapsed from={started} to={ended} />}
          <span className="tabular-nums">{costText(cost, code)}</span>
        </span>
      </Link>
    </li>
  )
}

function starterText(starter: string, words: CrewWords, name: NameOf): string {
  const { kind, name: id } = partsOf(starter)
  if (kind === 'operator') return words.startedBy.operator
  if (kind === 'runner') return words.startedBy.other(runnerText(id, words))
  return kind === 'agent' ? words.startedBy.agent(name(id)) : words.startedBy.other(id || kind)
}
