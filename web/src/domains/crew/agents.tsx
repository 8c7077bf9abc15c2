import { UserPlus } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import type { AgentRecord } from '#contract/records.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Empty } from '../../parts/empty.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { Elapsed } from './elapsed.tsx'
import { WorkMark } from './mark.tsx'
import { isOpen } from './model.ts'
import { useWork } from './queries.ts'
import { crewWords } from './words.ts'

type Props = {
  agents: ReadonlyMap<string, AgentRecord> | undefined
  members: readonly string[] | undefined
  add: () => void
}

/** Who there is, and what each of them does now. */
export function Agents({ agents, members, add }: Props) {
  const words = useOwnWords(crewWords)
  const search = useSearch()
  const work = useWork().data?.work
  const now = useMemo(
    () =>
      new Map(
        (work ?? []).filter(isOpen).flatMap(one => (one.agent_id === null ? [] : [[one.agent_id, one] as const])),
      ),
    [work],
  )
  if (!agents) return <Bars count={5} height={52} />
  const shown = [...agents.values()].filter(({ agent_id }) => !members || members.includes(agent_id))
  const button = <Add add={add} isMain={shown.length === 0} />
  if (shown.length === 0)
    return (
      <Empty title={words.agents.empty} hint={words.agents.emptyHint} cli={words.agents.cli}>
        {button}
      </Empty>
    )
  return (
    <>
      <ul className="mx-auto my-4 max-w-6xl divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet max-md:my-2 max-md:rounded-none max-md:border-x-0 md:w-[calc(100%-2rem)]">
        {shown.map(agent => {
          const at = now.get(agent.agent_id)
          return (
            <li key={agent.agent_id} data-agent={agent.agent_id}>
              <Link
                href={`/agents/${agent.agent_id}${search === '' ? '' : `?${search}`}`}
                className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2 outline-offset-[-2px] hover:bg-ai-wash"
              >
                <span className="font-medium">
                  <SafeText text={agent.name} />
                </span>
                <span className="text-sm text-soft">
                  <SafeText text={[agent.engine, agent.role].filter(Boolean).join(' · ')} />
                </span>
                <span className="ml-auto flex min-w-0 items-center gap-2 text-sm max-md:ml-0 max-md:w-full">
                  {at ? (
                    <>
                      <WorkMark status={at.status} />
                      <span className="line-clamp-any min-w-0 truncate">
                        <SafeText text={at.task ? `${at.task.handle} ${at.task.title}` : words.status[at.status]} />
                      </span>
                      {at.started_at !== null && <Elapsed from={at.started_at} to={null} />}
                    </>
                  ) : (
                    <span className="text-soft">
                      {agent.status === 'disabled' ? words.agents.disabled : words.agents.free}
                    </span>
                  )}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      <p className="mx-auto mb-6 max-w-6xl max-md:px-4 md:w-[calc(100%-2rem)]">{button}</p>
    </>
  )
}

function Add({ add, isMain }: { add: () => void; isMain: boolean }) {
  const words = useOwnWords(crewWords)
  const cutOff = useCutOff()
  return (
    <Button look={isMain ? 'main' : 'plain'} disabled={cutOff !== undefined} title={cutOff} onClick={add}>
      <UserPlus size={16} aria-hidden="true" /> {words.agents.add}
    </Button>
  )
}
