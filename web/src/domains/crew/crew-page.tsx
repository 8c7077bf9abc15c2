import { CircleStop, RotateCcw } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { statusOf, type WorkView } from './work.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { Moment } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useRoving } from '../../parts/use-roving.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { costText } from '../../parts/used.ts'
import { repeatCrew, stopCrew } from './actions.ts'
import { Elapsed } from './elapsed.tsx'
import { isOpen, sumOf } from './model.ts'
import { ROWS, useRowCommands } from './row-commands.ts'
import { barOf, type CrewShown, useCrew } from './queries.ts'
import { Timeline } from './timeline.tsx'
import { crewWords } from './words.ts'
import { WorkRow } from './work-row.tsx'

export function CrewPage({ id }: { id: string }) {
  const crew = useCrew(id)
  if (crew.isError && !crew.data) return <Failure error={crew.error} again={() => void crew.refetch()} />
  if (!crew.data) return <Bars count={4} height={52} />
  return <Page shown={crew.data} />
}

function Page({ shown: { crew, runs } }: { shown: CrewShown }) {
  const words = useOwnWords(crewWords)
  const { code } = useWords()
  const works = useMemo(() => runs.map(workOf), [runs])
  const bars = useMemo(() => works.map(barOf), [works])
  useRowCommands(works, false)
  const lists = useRef<HTMLDivElement>(null)
  useRoving(lists, ROWS)
  const { started, ended, open, cost } = sumOf(works)
  const stages = [...new Set(works.map(({ stage }) => stage))].sort((a, b) => (a ?? 0) - (b ?? 0))
  const failed = works.some(work => !isOpen(work) && work.status !== 'completed')
  const isPlan = crew.mode === 'sequential'
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-5 px-4 py-4 max-md:px-3" data-crew-page={crew.crew_id}>
      <header className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="line-clamp-any line-clamp-3 text-lg font-semibold">
            <SafeText text={crew.description || crew.crew_id} />
          </h2>
          <p className="flex flex-wrap gap-x-3 text-sm text-soft">
            <span>{isPlan ? words.stages(stages.length) : words.sideBySide}</span>
            {crew.on_failure !== null && <span data-on-failure>{words.onFailure[crew.on_failure]}</span>}
            <span data-progress>{words.crewLine(works.length - open, works.length)}</span>
            {started !== null && <Elapsed from={started} to={ended} />}
            {works.length > 0 && <span>{costText(cost, code)}</span>}
            <Moment at={crew.created_at} />
          </p>
        </div>
        <Steps id={crew.crew_id} isLive={open > 0} hasFailed={failed} />
      </header>
      {bars.length > 0 && <Timeline bars={bars} isPlan={isPlan} />}
      <div ref={lists} className="flex flex-col gap-5">
        {stages.map(stage => (
          <section key={stage} aria-label={isPlan ? words.stage((stage ?? 0) + 1) : undefined} data-stage={stage ?? ''}>
            {isPlan && <h3 className="px-3 pb-1.5 text-sm font-semibold text-soft">{words.stage((stage ?? 0) + 1)}</h3>}
            <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet">
              {works
                .filter(work => work.stage === stage)
                .map(work => (
                  <WorkRow key={work.id} work={work} depth={0} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

function Steps({ id, isLive, hasFailed }: { id: string; isLive: boolean; hasFailed: boolean }) {
  const words = useOwnWords(crewWords)
  const cutOff = useCutOff()
  const [, navigate] = useLocation()
  const again = async (onlyFailed: boolean) => {
    const crew = await repeatCrew(id, onlyFailed)
    if (crew !== undefined) navigate(`/crews/${crew}`)
  }
  const now = useRef({ isLive, hasFailed, again })
  now.current = { isLive, hasFailed, again }
  const commands = useMemo(
    (): Command[] => [
      {
        id: 'crew.stop-all',
        title: w => crewWords[w.code].keys.stop,
        keys: ['s'],
        run: () => void (now.current.isLive && stopCrew(id)),
      },
      {
        id: 'crew.repeat-all',
        title: w => crewWords[w.code].keys.repeat,
        keys: ['R'],
        run: () => void (now.current.isLive || now.current.again(now.current.hasFailed)),
      },
    ],
    [id],
  )
  useCommands(commands)
  const props = { disabled: cutOff !== undefined, title: cutOff }
  return (
    <div className="flex flex-wrap gap-2">
      {isLive && (
        <Button {...props} look="danger" onClick={() => void stopCrew(id)}>
          <CircleStop size={15} aria-hidden="true" /> {words.stopAll} <KeyHint keys="s" />
        </Button>
      )}
      {!isLive && hasFailed && (
        <Button {...props} look="main" onClick={() => void again(true)}>
          <RotateCcw size={15} aria-hidden="true" /> {words.repeatFailed} <KeyHint keys="R" />
        </Button>
      )}
      {!isLive && (
        <Button {...props} onClick={() => void again(false)}>
          {words.repeatAll} {!hasFailed && <KeyHint keys="R" />}
        </Button>
      )}
      <Link
        href={`/crews/${encodeURIComponent(id)}/replay`}
        className="inline-flex h-8 items-center rounded-md border border-rule bg-sheet px-3 hover:bg-ai-wash max-md:h-11"
      >
        {words.replay}
      </Link>
    </div>
  )
}

function workOf(run: CrewShown['runs'][number]): WorkView {
  return {
    ...{ id: run.run_id, kind: 'run', status: statusOf(run.status), title: run.role, started_by: '' },
    ...{
      crew_id: run.crew_id,
      stage: run.stage,
      project_id: null,
      agent_id: null,
      task: null,
    },
    ...{ engine: run.engine, model: run.model, created_at: run.created_at, started_at: run.started_at },
    ...{ ended_at: run.ended_at, stop_asked: false, tool_calls: run.tool_calls, cost_usd: run.cost_usd },
    last_message: run.result?.summary ?? run.last_message,
    tokens: run.usage,
  }
}
