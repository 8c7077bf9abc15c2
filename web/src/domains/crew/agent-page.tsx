import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import type { AgentRecord } from '#contract/records.ts'
import type { WorkView } from './work.ts'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { InterruptButtons } from '../../parts/interrupt-buttons.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useRoving } from '../../parts/use-roving.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import type { NameOf } from './crew.tsx'
import { isOpen } from './model.ts'
import { useAgentWork } from './queries.ts'
import { ROWS, useRowCommands } from './row-commands.ts'
import { crewWords } from './words.ts'
import { WorkRow } from './work-row.tsx'

type Props = {
  id: string
  agents: ReadonlyMap<string, AgentRecord> | undefined
  tasksOf: (agentId: string) => ReactNode
  settingsOf: (agentId: string) => ReactNode
  name: NameOf
}

const NONE: readonly WorkView[] = []

/** What it does now, what it is to do, and how the last went. */
export function AgentPage({ id, agents, tasksOf, settingsOf, name }: Props) {
  const words = useOwnWords(crewWords)
  const search = useSearch()
  const answer = useAgentWork(id)
  const work = answer.data ?? NONE
  useRowCommands(work)
  const agent = agents?.get(id)
  if (answer.isError && !answer.data) return <Failure error={answer.error} again={() => void answer.refetch()} />
  if (!answer.data) return <Bars count={4} height={52} />
  return (
    <article className="mx-auto flex max-w-5xl flex-col gap-6 px-4 py-4" data-agent-page={id}>
      <header className="flex flex-col gap-1">
        <Link
          href={`/crew/agents${search === '' ? '' : `?${search}`}`}
          className="inline-flex items-center gap-1.5 self-start text-sm text-soft hover:text-ink max-md:h-11"
        >
          <ArrowLeft size={14} aria-hidden="true" /> {words.agents.back}
        </Link>
        <h2 className="text-xl font-semibold">
          <SafeText text={name(id)} />
        </h2>
        <p className="flex flex-wrap gap-x-2 text-sm text-soft">
          <span className="font-mono">{id}</span>
          {agent && (
            <span>
              <SafeText text={[agent.engine, agent.role].filter(Boolean).join(' · ')} />
            </span>
          )}
          {agent?.status === 'disabled' && <span className="text-kohaku">{words.agents.disabled}</span>}
        </p>
      </header>
      <Section title={words.agents.now}>
        <Rows work={work.filter(isOpen)} none={words.agents.free} />
        {work.filter(isOpen).map(({ id: run }) => (
          <InterruptButtons key={run} id={run} />
        ))}
      </Section>
      <Section title={words.agents.tasks}>{tasksOf(id)}</Section>
      <Section title={words.agents.runs}>
        <Rows work={work.filter(one => !isOpen(one))} none={words.agents.noRuns} />
      </Section>
      {settingsOf(id)}
    </article>
  )
}

function Rows({ work, none }: { work: readonly WorkView[]; none: string }) {
  const list = useRef<HTMLUListElement>(null)
  useRoving(list, ROWS)
  if (work.length === 0) return <p className="text-soft">{none}</p>
  return (
    <ul ref={list} className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet">
      {work.map(one => (
        <WorkRow key={one.id} work={{ ...one, title: one.task?.title ?? one.title, task: null }} depth={0} />
      ))}
    </ul>
  )
}
