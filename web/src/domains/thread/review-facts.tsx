// What a report says in numbers, and what checks said before the work was as it is now.
import { Disclosure } from '../../parts/disclosure.tsx'
import { Counts } from '../../parts/diff/counts.tsx'
import { EvidenceList } from '../../parts/evidence-list.tsx'
import { usedBy, usedText, usedWords } from '../../parts/used.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { EvidenceLog } from './evidence-log.tsx'
import { earlierEvidence } from './model.ts'
import { type Review, useShownTask } from './queries.ts'
import { threadWords } from './words.ts'
import { useReviewWords } from '../../parts/review-words.ts'

/** How much changed, what it took, and which decisions it was given and cites. */
export function ReviewFacts({ review: { task_id, files, decisions } }: { review: Review }) {
  const words = useWords()
  const texts = useReviewWords()
  const own = useOwnWords(threadWords)
  const used = useOwnWords(usedWords)
  const runs = useShownTask(task_id).data?.executions ?? []
  const took = runs.length === 0 ? [] : [usedText(usedBy(runs), used, words.code)]
  const told = decisions.filter(({ told_at }) => told_at !== null).map(({ decision_id }) => `#${decision_id}`)
  const cited = decisions.filter(one => one.cited).map(({ decision_id }) => `#${decision_id}`)
  const sum = (name: 'added' | 'removed') => files.reduce((all, file) => all + (file[name] ?? 0), 0)
  const said = [
    ...took,
    ...(told.length > 0 ? [own.told(told.join(', '))] : []),
    ...(cited.length > 0 ? [own.cites(cited.join(', '))] : []),
  ]
  if (files.length === 0 && said.length === 0) return null
  return (
    <p data-facts className="text-sm text-soft">
      {files.length > 0 && (
        <>
          {texts.files(files.length)} <Counts added={sum('added')} removed={sum('removed')} />
        </>
      )}
      {said.map((text, at) => (
        // The sign stays with what is before it when the line breaks.
        <span key={text}>
          {(at > 0 || files.length > 0) && '\u00A0· '}
          {text}
        </span>
      ))}
    </p>
  )
}

/** A check that failed on a snapshot before is what a reviewer looks for twice. */
export function EarlierChecks({ review: { task_id, snapshots, snapshot } }: { review: Review }) {
  const words = useOwnWords(threadWords)
  const evidence = useShownTask(task_id).data?.evidence ?? []
  const earlier = earlierEvidence(evidence, snapshots, snapshot?.snapshot_id)
  if (earlier.length === 0) return null
  const numbers = new Map(earlier.map(one => [one.evidence.evidence_id, one.number]))
  return (
    <details className="group/fold" data-earlier-checks>
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 text-sm text-soft max-md:min-h-11">
        <Disclosure /> {words.earlierChecks(earlier.length)}
      </summary>
      <EvidenceList
        evidence={earlier.map(one => one.evidence)}
        isQuiet
        note={one => words.snapshot(numbers.get(one.evidence_id) ?? 0)}
        log={one => <EvidenceLog evidence={one} />}
      />
    </details>
  )
}
