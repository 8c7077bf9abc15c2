import { Link } from 'wouter'
import { write } from '../../hub/call.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { Sure } from '../../parts/sure.tsx'
import { useProject } from '../../parts/use-project.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { type Review, useNextReview, useShownTask } from './queries.ts'
import { threadWords } from './words.ts'

/** What became of work that needs no verdict any more: its commit, a way back, and the next one to look at. */
export function AfterAccept({ review: { task_id, stage } }: { review: Review }) {
  const words = useWords()
  const own = useOwnWords(threadWords)
  const [project] = useProject()
  const merge = useShownTask(task_id).data?.merge
  const next = useNextReview(task_id, project, stage).data
  const done = stage === 'merged' && merge?.kind === 'merge' && merge.outcome === 'merged' ? merge : undefined
  const undo = () => write('task.undo_merge', { task_id })
  return (
    <div data-after-accept className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-soft">
      <p>
        {done ? <SafeText text={own.mergedInto(done.base)} /> : own.notUp(words.stage[stage])}
        {done?.commit && (
          <>
            {' '}
            <code className="font-mono text-xs" title={own.commit(done.commit)}>
              {done.commit.slice(0, 8)}
            </code>
          </>
        )}
      </p>
      {done && <Sure label={own.undoMerge.label} question={own.undoMerge.sure} done={own.undoMerge.done} act={undo} />}
      {next && (
        <Link
          href={`/tasks/${next.task_id}/review${project === null ? '' : `?project=${encodeURIComponent(project)}`}`}
          title={next.title}
          className="text-ai hover:underline max-md:min-h-11"
        >
          {own.nextReview(next.handle)}
        </Link>
      )}
    </div>
  )
}
