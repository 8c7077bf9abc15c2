// The view: who works now, when they worked, who they are. A run opens as a sheet over whatever was there.
import { Play } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { AgentRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { AgentPage } from './agent-page.tsx'
import { Agents } from './agents.tsx'
import { CrewPage } from './crew-page.tsx'
import { Now } from './now.tsx'
import { runCrew } from './run-crew-store.ts'
import { Roles } from './roles.tsx'
import { RunSheet } from './run-sheet.tsx'
import { RecentTimeline } from './timeline.tsx'
import { crewWords } from './words.ts'
import { decoded } from '../../parts/decoded.ts'

export type CrewProps = {
  project: string | null
  agents: ReadonlyMap<string, AgentRecord> | undefined
  /** The agents of the project that was chosen; undefined: all. */
  members: readonly string[] | undefined
  /** Another domain draws the tasks of an agent. */
  tasksOf: (agentId: string) => ReactNode
  /** And what can be changed about it. */
  settingsOf: (agentId: string) => ReactNode
  addAgent: () => void
}

const TABS = ['now', 'timeline', 'agents', 'roles'] as const
type Tab = (typeof TABS)[number]

export function Crew(props: CrewProps) {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const query = search === '' ? '' : `?${search}`
  const run = /^\/runs\/([^/]+)$/.exec(path)?.[1]
  // A sheet stands over what was there before; opened by its address, over what is at work now.
  const behind = useRef('/crew')
  useEffect(() => {
    if (run === undefined) behind.current = path
  }, [run, path])
  const shown = run === undefined ? path : behind.current
  const name = useMemo(() => nameOf(props.agents), [props.agents])
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Bar path={shown} query={query} project={props.project} />
      <div className="min-h-0 flex-1 overflow-y-auto" data-crew-body>
        <Place {...props} path={shown} name={name} />
      </div>
      {run !== undefined && (
        <RunSheet
          key={run}
          id={decoded(run)}
          name={name}
          close={() => navigate(`${behind.current}${query}`)}
          go={to => navigate(to.includes('?') ? to : `${to}${query}`)}
        />
      )}
    </div>
  )
}

export type NameOf = (agentId: string) => string
const nameOf =
  (agents: CrewProps['agents']): NameOf =>
  id =>
    agents?.get(id)?.name ?? id

function Place({ path, name, ...props }: CrewProps & { path: string; name: NameOf }) {
  const { project, agents, members, addAgent } = props
  const crew = /^\/crews\/([^/]+)$/.exec(path)?.[1]
  if (crew !== undefined) return <CrewPage key={crew} id={decoded(crew)} />
  const agent = /^\/agents\/([^/]+)$/.exec(path)?.[1]
  if (agent !== undefined) return <AgentPage id={decoded(agent)} {...props} name={name} />
  switch (tabOf(path)) {
    case 'timeline':
      return <RecentTimeline project={project} />
    case 'agents':
      return <Agents agents={agents} members={members} add={addAgent} />
    case 'roles':
      return <Roles />
    default:
      return <Now project={project} name={name} />
  }
}

function tabOf(path: string): Tab | undefined {
  if (path.startsWith('/agents/')) return 'agents'
  if (path === '/crew') return 'now'
  return TABS.find(tab => path === `/crew/${tab}`)
}

function Bar({ path, query, project }: { path: string; query: string; project: string | null }) {
  const words = useOwnWords(crewWords)
  const cutOff = useCutOff()
  const here = tabOf(path)
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line px-4 py-2 max-md:px-3">
      <nav aria-label={words.tabs.label} className="flex min-w-0 flex-1 gap-1 overflow-x-auto">
        {TABS.map(tab => (
          <Link
            key={tab}
            href={`${tab === 'now' ? '/crew' : `/crew/${tab}`}${query}`}
            aria-current={here === tab ? 'page' : undefined}
            className={`inline-flex h-8 shrink-0 items-center rounded-md px-3 max-md:h-11 max-md:px-1.5 max-md:text-[13px] ${here === tab ? 'bg-ai-wash font-medium' : 'text-soft hover:bg-ai-wash hover:text-ink'}`}
          >
            {words.tabs[tab]}
          </Link>
        ))}
      </nav>
      <Button disabled={cutOff !== undefined} title={cutOff} onClick={() => runCrew.set({ project })}>
        <Play size={14} aria-hidden="true" />
        <span className="max-md:sr-only">{words.run}</span>
        <KeyHint keys="r" />
      </Button>
    </div>
  )
}
