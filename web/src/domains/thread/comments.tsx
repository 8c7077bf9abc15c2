import type { CommentView } from '#contract/thread.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useWords } from '../../parts/use-words.ts'

export function Comments({ comments }: { comments: readonly CommentView[] }) {
  const words = useWords()
  return (
    <ul className="flex flex-col gap-2">
      {comments.map(comment => (
        <li key={comment.comment_id} className="border-l-2 border-hinoki pl-3 text-sm">
          <p className="line-clamp-any flex flex-wrap gap-x-2 text-soft">
            {comment.path !== null && (
              <span className="font-mono">
                <SafeText text={`${comment.path}${linesOf(comment)}`} />
              </span>
            )}
            <SafeText text={comment.by} />
            {comment.draft && <span className="text-kohaku">{words.review.draft}</span>}
          </p>
          <p className="line-clamp-any whitespace-pre-wrap">
            <SafeText text={comment.text} />
          </p>
          {comment.answer !== null && (
            <p className="line-clamp-any whitespace-pre-wrap">
              <span className="text-soft">→ </span>
              <SafeText text={comment.answer} />
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function linesOf({ from_line, to_line }: CommentView): string {
  if (from_line === null) return ''
  return to_line === null || to_line === from_line ? `:${from_line}` : `:${from_line}–${to_line}`
}
