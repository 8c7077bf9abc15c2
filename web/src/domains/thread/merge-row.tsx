// One entry of the merge queue, or one that has ended: where it stands, why, and what can be done about it.
import { GitMerge, Hourglass, type LucideIcon, ShieldQuestion, TriangleAlert, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { MergeView } from '#contract/thread.ts'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { EvidenceList } from '../../parts/evidence-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GiveBack } from '../../parts/give-back.tsx'
import { Since } from '../../parts/live-time.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { Sides } from './conflicts.tsx'
import { type MergeDetail, useMerge } from './queries.ts'
import { threadWords } from './words.ts'

const MARKS: Record<string, [LucideIcon, string]> = {
  behind: [Hourglass, 'text-soft'],
  waiting: [TriangleAlert, 'text-kohaku'],
  merging: [GitMerge, 'text-ai'],
  checking: [ShieldQuestion, 'text-ai'],
  merged: [GitMerge, 'text-matsu'],
  conflict: [X, 'text-shu'],
  failed: [X, 'text-shu'],
  withdrawn: [Undo2, 'text-soft'],
}

type Names = { /** What an agent is called. */ agentName: (id: string) => string }

export function MergeRow({ merge, agentName }: Names & { merge: MergeView }) {
  const words = useOwnWords(threadWords)
  const { handle, title, task_id, position, step, outcome, waits, commit } = merge
  const [open, setOpen] = useState(false)
  const [Icon, tone] = MARKS[outcome ?? step ?? 'behind'] ?? [Hourglass, 'text-soft']
  const ended = merge.kind === 'merge' ? words.outcome : words.undo[merge.kind]
  const state = outcome ? ended[outcome] : words.step[step ?? 'behind']
  return (
    <li data-merge={handle} data-step={outcome ?? step} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {position !== null && (
          <span
            aria-label={words.place(position)}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded-full border border-line text-sm text-soft"
          >
            {position}
          </span>
        )}
        <Icon size={16} aria-hidden="true" className={`shrink-0 ${tone}`} />
        <Link href={`/tasks/${task_id}/review`} className="line-clamp-any min-w-0 grow basis-48 hover:underline">
          <span className="mr-2 font-mono text-sm text-soft">{handle}</span>
          <SafeText text={title} />
        </Link>
        {outcome === null && merge.kind !== 'merge' && (
          <span className="rounded-md bg-sunk px-1.5 text-sm">{words.undo[merge.kind].name}</span>
        )}
        <span className="text-sm">{state}</span>
        {merge.merged_on && (
          <span className="text-sm">
            <SafeText text={words.mergedOn(merge.merged_on.machine, merge.merged_on.folder)} />
          </span>
        )}
        {outcome === 'merged' && commit !== null && (
          <code className="font-mono text-xs text-soft" title={words.commit(commit)}>
            {commit.slice(0, 8)}
          </code>
        )}
        <span className="text-sm text-soft">
          <Since at={merge.ended_at ?? merge.queued_at} />
        </span>
        {step === 'waiting' && <Retry merge={merge} />}
      </div>
      {waits !== null && step !== 'behind' && (
        <p className="line-clamp-any rounded-lg border border-kohaku bg-kohaku-wash px-3 py-2 text-sm">
          <SafeText text={waits} />
        </p>
      )}
      {(outcome === 'conflict' || outcome === 'failed' || step === 'checking') && (
        <details className="group/fold" onToggle={event => setOpen(event.currentTarget.open)}>
          <summary className="inline-flex min-h-8 cursor-pointer items-center gap-1 text-sm text-ai max-md:min-h-11">
            <Disclosure /> {words.details}
          </summary>
          {open && <Details mergeId={merge.merge_id} agentName={agentName} />}
        </details>
      )}
    </li>
  )
}

function Retry({ merge: { task_id, handle } }: { merge: MergeView }) {
  const words = useOwnWords(threadWords)
  const all = useWords()
  const cutOff = useCutOff()
  const [asked, setAsked] = useState(false)
  const retry = async () => {
    setAsked(true)
    try {
      await write('task.merge', { task_id })
      notify({ kind: 'done', text: words.retried(handle) })
    } catch (error) {
      notify({ kind: 'failed', text: handle, detail: error instanceof Refused ? error.message : all.error.unreached })
    }
    setAsked(false)
  }
  return (
    <Button small disabled={asked || cutOff !== undefined} title={cutOff} onClick={() => void retry()}>
      {words.retry}
    </Button>
  )
}

function Details({ mergeId, agentName }: Names & { mergeId: string }) {
  const words = useOwnWords(threadWords)
  const merge = useMerge(mergeId)
  if (merge.isError) return <Failure error={merge.error} again={() => void merge.refetch()} />
  if (!merge.data) return <Bars count={1} height={80} />
  const { evidence, conflicts } = merge.data
  const theirs = ({ agent_id, handle }: MergeDetail) =>
    agent_id === null ? words.theirs : words.theirsBy(handle, agentName(agent_id))
  if (evidence.length === 0 && conflicts.length === 0) return <p className="text-sm text-soft">{words.noDetails}</p>
  return (
    <div className="flex flex-col gap-4 pt-2">
      {conflicts.map(conflict => (
        <Sides key={conflict.path} conflict={conflict} base={merge.data.base} theirs={theirs(merge.data)} />
      ))}
      {conflicts.length > 0 && <Makers merge={merge.data} agentName={agentName} />}
      {evidence.length > 0 && (
        <Section title={words.mergedChecks}>
          <EvidenceList evidence={evidence} />
        </Section>
      )}
    </div>
  )
}

/** Whose work changed the base meanwhile; and the way back to the agent, where the hub does not take it automatically any more. */
function Makers({ merge, agentName }: Names & { merge: MergeDetail }) {
  const words = useOwnWords(threadWords)
  const { base_changed_by: others, agent_id, stage } = merge
  return (
    <>
      {others.length > 0 && (
        <section className="flex flex-col gap-1 text-sm" data-changed-by>
          <h3 className="text-soft">{words.changedBy(merge.base)}</h3>
          <ul className="flex flex-col gap-1">
            {others.map(({ task_id, handle, title, agent_id: by }) => (
              <li key={task_id} className="line-clamp-any">
                <Link href={`/tasks/${task_id}`} className="hover:underline">
                  <span className="mr-2 font-mono text-soft">{handle}</span>
                  <SafeText text={title} />
                </Link>
                {by !== null && (
                  <span className="text-soft">
                    {' · '}
                    <SafeText text={agentName(by)} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {stage === 'blocked' && agent_id !== null && (
        <GiveBack taskId={merge.task_id} handle={merge.handle} who={agentName(agent_id)} />
      )}
    </>
  )
}
