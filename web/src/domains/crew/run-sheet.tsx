import { RotateCcw, SquareTerminal } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { beside } from '../../parts/beside.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Failure } from '../../parts/failure.tsx'
import { InterruptButtons } from '../../parts/interrupt-buttons.tsx'
import { stopWork } from '../../parts/interrupt.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { Moment } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { costShown, tokensShown, usedBy } from '../../parts/used.ts'
import { repeatRun, takeRun } from './actions.ts'
import type { NameOf } from './crew.tsx'
import { Elapsed } from './elapsed.tsx'
import { WorkMark } from './mark.tsx'
import { partsOf, starterOf } from './model.ts'
import { type RunShown, useRun } from './queries.ts'
import { RunLog } from './run-log.tsx'
import { runnerText } from './runner-text.ts'
import { crewWords, type CrewWords } from './words.ts'
import { engineText } from './work-row.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'

type Props = { id: string; name: NameOf; close: () => void; go: (path: string) => void }

export function RunSheet({ id, name, close, go }: Props) {
  const words = useOwnWords(crewWords)
  const run = useRun(id)
  return (
    <Dialog label={run.data?.title ?? id} close={close} closeLabel={words.sheet.close} shape="wide">
      {run.data ? (
        <Sheet run={run.data} name={name} go={go} />
      ) : run.isError ? (
        <Failure error={run.error} again={() => void run.refetch()} />
      ) : (
        <Bars count={5} height={48} />
      )}
    </Dialog>
  )
}

function Sheet({ run, name, go }: { run: RunShown; name: NameOf; go: Props['go'] }) {
  const words = useOwnWords(crewWords)
  useSheetCommands(run, go)
  const title = run.agentId === null ? run.title : name(run.agentId)
  return (
    <article className="flex flex-col gap-5 px-6 pt-4 pb-10 max-md:px-4" data-run={run.id} data-status={run.status}>
      <header className="flex flex-col gap-1.5 pr-10">
        <p className="line-clamp-any font-mono text-sm text-soft">{run.id}</p>
        <h2 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-lg font-semibold">
          <WorkMark status={run.status} size={18} />
          <span className="line-clamp-any min-w-0">
            <SafeText text={title} />
          </span>
          <span className="text-base font-normal">{words.status[run.status]}</span>
        </h2>
        <Steps run={run} go={go} />
      </header>
      <Facts run={run} name={name} />
      <Outcome run={run} />
      <RunLog id={run.id} />
      {run.files.length > 0 && <Files run={run} />}
      {run.denied.length > 0 && (
        <Section title={words.sheet.denied}>
          <p className="line-clamp-any font-mono text-sm">
            <SafeText text={run.denied.join(', ')} />
          </p>
        </Section>
      )}
      {run.prompt !== null && (
        <details className="group/fold rounded-lg border border-line">
          <summary className="flex cursor-pointer items-center gap-2 rounded-lg px-3 py-2 text-sm font-semibold hover:bg-ai-wash">
            <Disclosure /> {words.sheet.prompt}
          </summary>
          <pre className="line-clamp-any border-t border-line bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap">
            <SafeText text={run.prompt} />
          </pre>
        </details>
      )}
    </article>
  )
}

function Steps({ run, go }: { run: RunShown; go: Props['go'] }) {
  const words = useOwnWords(crewWords)
  const cutOff = useCutOff()
  const link =
    'inline-flex h-7 items-center rounded-md border border-rule bg-sheet px-2 text-sm hover:bg-ai-wash max-md:h-9'
  const again = async () => {
    const crew = await repeatRun(run.id)
    if (crew !== undefined) go(`/crews/${crew}`)
  }
  const take = async () => {
    const terminal = await takeRun(run.id)
    if (terminal !== undefined) go(terminal)
  }
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      {run.endedAt === null && <InterruptButtons id={run.id} />}
      {run.crewId !== null && run.endedAt !== null && (
        <Button small look="main" disabled={cutOff !== undefined} title={cutOff} onClick={() => void again()}>
          <RotateCcw size={14} aria-hidden="true" /> {words.repeat} <KeyHint keys="R" />
        </Button>
      )}
      {run.endedAt !== null && (
        <Button small disabled={cutOff !== undefined} title={cutOff ?? words.takeHint} onClick={() => void take()}>
          <SquareTerminal size={14} aria-hidden="true" /> {words.take} <KeyHint keys="T" />
        </Button>
      )}
      {run.crewId !== null && (
        <Link href={`/crews/${run.crewId}`} className={link}>
          {words.openCrew}
        </Link>
      )}
      {run.taskId !== null && (
        <Link href={`/tasks/${run.taskId}`} className={link}>
          {words.openTask}
        </Link>
      )}
      {run.agentId !== null && (
        <Link href={`/agents/${run.agentId}`} className={link}>
          {words.openAgent}
        </Link>
      )}
    </div>
  )
}

function Facts({ run, name }: { run: RunShown; name: NameOf }) {
  const words = useOwnWords(crewWords)
  const { sheet } = words
  const { code } = useWords()
  const used = usedBy([{ tool_calls: run.calls, usage: run.tokens, cost_usd: run.cost }])
  const unknown = <span className="text-soft">{sheet.unknown}</span>
  const facts: [string, ReactNode][] = [
    [sheet.engine, <SafeText key="e" text={engineText(run) || sheet.unknown} />],
    [sheet.startedBy, byText(run.startedBy, words, name)],
    [sheet.started, run.startedAt === null ? sheet.queued : <Moment key="s" at={run.startedAt} />],
    [sheet.took, run.startedAt === null ? '–' : <Elapsed key="t" from={run.startedAt} to={run.endedAt} />],
    [sheet.calls, run.calls ?? unknown],
    [sheet.tokens, tokensShown(used.tokens, code)],
    [sheet.cost, costShown(used.cost, code)],
    ...(run.stage === null ? [] : [[sheet.stage, run.stage + 1] as [string, ReactNode]]),
    ...(run.exitCode === null ? [] : [[sheet.exit, run.exitCode] as [string, ReactNode]]),
    ...(run.directory === null
      ? []
      : [[sheet.directory, <SafeText key="d" text={run.directory} />] as [string, ReactNode]]),
  ]
  return (
    <dl className="grid grid-cols-[max-content_1fr_max-content_1fr] gap-x-4 gap-y-1.5 text-sm max-md:grid-cols-[max-content_1fr]">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className={`text-soft ${label === sheet.directory ? 'md:col-start-1' : ''}`}>{label}</dt>
          <dd className={`line-clamp-any min-w-0 tabular-nums ${label === sheet.directory ? 'md:col-span-3' : ''}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Outcome({ run }: { run: RunShown }) {
  const words = useOwnWords(crewWords)
  const { result, reason } = run
  if (result === null && reason === null) return null
  const isBad = result !== null && !result.isGood
  const by = result && { self: words.sheet.bySelf, hub: words.sheet.byHub, agent: words.sheet.byAgent }[result.by]
  return (
    <section
      data-result
      className={`flex flex-col gap-2 rounded-lg border p-4 ${isBad || reason !== null ? 'border-shu bg-shu-wash' : 'border-matsu bg-matsu-wash'}`}
    >
      {result !== null && (
        <>
          <h3 className="text-sm font-semibold">
            {words.sheet.result} <span className="font-normal">· {by}</span>
          </h3>
          <p className="line-clamp-any max-h-72 overflow-y-auto whitespace-pre-wrap" tabIndex={0}>
            <Markdown text={result.text} />
          </p>
        </>
      )}
      {reason !== null && (
        <>
          <h3 className="text-sm font-semibold">{words.sheet.reason}</h3>
          <p className="line-clamp-any">
            <SafeText text={reason} />
          </p>
        </>
      )}
    </section>
  )
}

function Files({ run }: { run: RunShown }) {
  const words = useOwnWords(crewWords)
  return (
    <Section title={words.sheet.files(run.files.length)}>
      <ul className="flex flex-col gap-0.5 font-mono text-xs">
        {run.files.map(({ path, how }) => (
          <li key={path} className="flex gap-2">
            <span className="w-14 shrink-0 font-sans text-soft">{words.sheet[how]}</span>
            <span className="line-clamp-any min-w-0">
              <SafeText text={path} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function byText(startedBy: string, words: CrewWords, name: NameOf): ReactNode {
  const { kind, name: id } = partsOf(starterOf(startedBy))
  if (kind === 'operator') return words.by.operator
  if (kind === 'runner') return runnerText(id, words)
  const link = 'underline underline-offset-2'
  if (kind === 'run')
    return (
      <Link href={`/runs/${id}`} className={link}>
        {words.by.run}
      </Link>
    )
  if (kind === 'tab')
    return (
      <Link href={`/terminals?show=${id}`} className={link}>
        {words.by.tab}
      </Link>
    )
  return kind === 'agent' ? name(id) : id || kind
}

function idsBelow(): string[] {
  const found = (name: 'work' | 'bar') =>
    [...document.querySelectorAll<HTMLElement>(`[data-crew-body] [data-${name}]`)].map(one => one.dataset[name] ?? '')
  const rows = found('work')
  return (rows.length > 0 ? rows : found('bar')).filter(id => /^(?:run|exec)_/.test(id))
}

function useSheetCommands(run: RunShown, go: Props['go']): void {
  const now = useRef({ run, go })
  now.current = { run, go }
  const commands = useMemo((): Command[] => {
    const title =
      (key: 'stop' | 'repeat' | 'log' | 'take'): Command['title'] =>
      w =>
        crewWords[w.code].keys[key]
    const stop = () => {
      const { run } = now.current
      if (run.endedAt === null) void stopWork(run.id)
    }
    const repeat = async () => {
      const { run, go } = now.current
      if (run.crewId === null || run.endedAt === null) return
      const crew = await repeatRun(run.id)
      if (crew !== undefined) go(`/crews/${crew}`)
    }
    const take = async () => {
      const { run, go } = now.current
      if (run.endedAt === null) return
      const terminal = await takeRun(run.id)
      if (terminal !== undefined) go(terminal)
    }
    /** To the run before or after it in the view below: its rows, or the bars of a timeline. */
    const leaf = (by: 1 | -1) => {
      const { run, go } = now.current
      const next = beside(idsBelow(), run.id, by)
      if (next !== undefined) go(`/runs/${encodeURIComponent(next)}`)
    }
    const log = () => document.querySelector<HTMLElement>('dialog[open] [data-log-list]')?.focus()
    const inDialog = { onlyKeys: true, inDialog: true }
    return [
      { id: 'run.stop', title: title('stop'), keys: ['s'], run: stop, ...inDialog },
      { id: 'run.repeat', title: title('repeat'), keys: ['R'], run: () => void repeat(), ...inDialog },
      { id: 'run.take', title: title('take'), keys: ['T'], run: () => void take(), ...inDialog },
      { id: 'run.log', title: title('log'), keys: ['o'], run: log, ...inDialog },
      { id: 'run.next', title: w => w.command.nextItem, keys: [']'], run: () => leaf(1), ...inDialog },
      { id: 'run.previous', title: w => w.command.previousItem, keys: ['['], run: () => leaf(-1), ...inDialog },
    ]
  }, [])
  useCommands(commands)
}
