// What happened to a task on its way from plan to merge: its order, workspace, snapshots with their checks, verdicts, merge, decisions.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { call } from '../../hub/call.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { EvidenceList } from '../../parts/evidence-list.tsx'
import { Moment } from '../../parts/live-time.tsx'
import { nameIn } from '../../parts/name-in.ts'
import { PlaceActs } from '../../parts/place-acts.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import type { TaskDetail } from './queries.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { useReviewWords } from '../../parts/review-words.ts'
import { taskWords } from './task-words.ts'

type Props = { task: TaskDetail; name: (id: string | null) => string }

/** Where its work is. */
export function TaskPlace({ task, name }: Props) {
  const { workspace, merge } = task
  if (!workspace && !merge) return null
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-sm">
      {workspace && <Workspace workspace={workspace} name={name} />}
      {merge && <Merge merge={merge} />}
    </dl>
  )
}

export function TaskThread({ task, name }: Props) {
  const own = useOwnWords(taskWords)
  const { snapshots, verdicts, decisions } = task
  return (
    <>
      {snapshots.length > 0 && (
        <Section title={own.snapshots}>
          <Snapshots task={task} />
        </Section>
      )}
      {verdicts.length > 0 && (
        <Section title={own.verdicts}>
          <ol className="flex flex-col gap-2">
            {verdicts.map(({ verdict_id, decision, by, at, summary }) => (
              <li key={verdict_id} className="border-l-2 border-hinoki pl-3 text-sm">
                <p className="flex flex-wrap gap-x-2">
                  <span className={`font-medium ${decision === 'accept' ? 'text-matsu' : 'text-kohaku'}`}>
                    {own.verdict[decision]}
                  </span>
                  <SafeText text={nameIn(by, name, own.you)} />
                  <Moment at={at} className="text-soft" />
                </p>
                {summary !== null && (
                  <p className="line-clamp-any whitespace-pre-wrap">
                    <Markdown text={summary} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        </Section>
      )}
      {decisions.length > 0 && (
        <Section title={own.decisions}>
          <ul className="flex flex-col gap-1.5 text-sm">
            {decisions.map(({ decision_id, decision, cited, superseded_by }) => (
              <li key={decision_id} className="line-clamp-any border-l-2 border-fuji pl-3">
                <span className="font-mono text-fuji">#{decision_id}</span> <SafeText text={decision} />
                {cited && <span className="text-soft"> · {own.cited}</span>}
                {superseded_by !== undefined && <span className="text-kohaku"> · {own.superseded(superseded_by)}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{title}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function Workspace({ workspace, name }: { workspace: NonNullable<TaskDetail['workspace']>; name: Props['name'] }) {
  const own = useOwnWords(taskWords)
  const { branch, base, path, holder, released } = workspace
  return (
    <Row title={own.workspace}>
      <p className="line-clamp-any font-mono">
        <SafeText text={base === null ? branch : `${branch} → ${base}`} />
      </p>
      <p className="line-clamp-any font-mono text-xs text-soft">
        <SafeText text={path} />
      </p>
      {!released && <PlaceActs path={path} />}
      {!released && <Changed worktreeId={workspace.worktree_id} holder={holder} />}
      <p className="line-clamp-any text-soft">
        <SafeText text={released ? own.released : holder === null ? own.unheld : own.heldBy(name(holder))} />
      </p>
    </Row>
  )
}

/** What lies there now, against its base. Asked again when another works there. */
function Changed({ worktreeId, holder }: { worktreeId: string; holder: string | null }) {
  const own = useOwnWords(taskWords)
  const { data } = useQuery({
    queryKey: ['worktree-changed', worktreeId, holder],
    queryFn: async ({ signal }) =>
      (await call('worktree.files', { worktree_id: worktreeId, count: true }, { signal })).value.files,
    refetchOnMount: 'always',
  })
  if (!data || data.length === 0) return null
  const sum = (side: 'added' | 'removed') => data.reduce((all, file) => all + (file[side] ?? 0), 0)
  return (
    <p data-changed>
      <Link href={`/changes/${worktreeId}`} className="text-ai hover:underline">
        {own.changed(data.length, sum('added'), sum('removed'))}
      </Link>
    </p>
  )
}

function Merge({ merge }: { merge: NonNullable<TaskDetail['merge']> }) {
  const own = useOwnWords(taskWords)
  const { kind, position, base, outcome, commit, waits } = merge
  const queued = kind === 'merge' ? own.queued : own.undo[kind].queued
  const ended = kind === 'merge' ? own.mergeEnded : own.undo[kind]
  return (
    <Row title={own.merge}>
      <p className="line-clamp-any">
        <SafeText text={outcome === null ? queued(position ?? 1, base) : ended[outcome](base)} />
        {commit !== null && <span className="font-mono text-soft"> {commit.slice(0, 10)}</span>}
      </p>
      {waits !== null && (
        <p className="line-clamp-any text-kohaku">
          <SafeText text={waits} />
        </p>
      )}
    </Row>
  )
}

/** The newest is open; what came before is a line each. While it is reviewed, its checks stand there. */
function Snapshots({ task }: { task: TaskDetail }) {
  const said = useOwnWords(taskWords)
  const texts = useReviewWords()
  const { snapshots, evidence, stage } = task
  return (
    <ol className="flex flex-col gap-2">
      {snapshots.map(({ snapshot_id, at, changed_files, cause, error, summary }, index) => {
        const own = evidence.filter(one => one.snapshot_id === snapshot_id)
        return (
          <li key={snapshot_id}>
            <details open={index === 0 && stage !== 'review'} className="group/fold rounded-lg border border-line">
              <summary className="flex min-h-8 cursor-pointer flex-wrap items-center gap-x-2 rounded-lg px-3 py-1 text-sm hover:bg-ai-wash max-md:min-h-11">
                <span className="font-medium">{said.snapshot(snapshots.length - index)}</span>
                <span>{said.cause[cause]}</span>
                {changed_files !== null && <span className="text-soft">{texts.files(changed_files)}</span>}
                <Moment at={at} className="ml-auto text-soft" />
                <Disclosure />
              </summary>
              <div className="flex flex-col gap-2 border-t border-line px-3 py-2 text-sm">
                {error !== null && (
                  <p className="line-clamp-any text-shu">
                    <SafeText text={error} />
                  </p>
                )}
                {summary !== null && (
                  <p className="line-clamp-any whitespace-pre-wrap">
                    <Markdown text={summary} />
                  </p>
                )}
                {own.length > 0 ? <EvidenceList evidence={own} /> : <p className="text-soft">{said.noChecks}</p>}
              </div>
            </details>
          </li>
        )
      })}
    </ol>
  )
}
