import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { CommentView } from '#contract/thread.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { TextArea } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import type { Commenting } from './commenting.ts'
import { nameIn } from '../../parts/name-in.ts'
import { threadWords } from './words.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'

type ListProps = {
  comments: readonly CommentView[]
  commenting: Commenting
  /** What agents are called. */
  names: Readonly<Record<string, string>>
  /** With the file that each is on. */
  isFar?: boolean
  show?: ((path: string) => void) | undefined
}

export function Comments({ comments, commenting, names, isFar = false, show }: ListProps) {
  return (
    <ul className="flex flex-col gap-3">
      {comments.map(comment => (
        <li key={comment.comment_id}>
          <Comment comment={comment} commenting={commenting} names={names} isFar={isFar} show={show} />
        </li>
      ))}
    </ul>
  )
}

type Props = Omit<ListProps, 'comments'> & { comment: CommentView }

function Comment({ comment, commenting, names, isFar, show }: Props) {
  const words = useOwnWords(threadWords)
  const { path, from_line: from, to_line: to, draft, answer, by } = comment
  const line = from === null ? undefined : words.line(from, to ?? from)
  return (
    <div data-comment={comment.comment_id} className="flex flex-col gap-1 border-l-2 border-hinoki pl-3 text-sm">
      <p className="line-clamp-any flex flex-wrap items-center gap-x-2 text-soft">
        <span className="font-medium text-ink">
          <SafeText text={nameIn(by, id => names[id] ?? id, words.you)} />
        </span>
        {isFar && path !== null && (
          <button
            type="button"
            className="min-w-0 text-left font-mono text-xs hover:underline"
            onClick={() => show?.(path)}
          >
            <SafeText text={path} />
          </button>
        )}
        {line !== undefined && <span>{line}</span>}
        {draft && <span className="rounded-[4px] bg-kohaku-wash px-1 text-kohaku">{words.draft}</span>}
        {draft && (
          <span className="ml-auto flex gap-1">
            {path !== null && (
              <Button
                small
                look="quiet"
                disabled={commenting.isBusy}
                onClick={() => void commenting.drop(comment, true)}
              >
                {words.edit}
              </Button>
            )}
            <Button small look="quiet" disabled={commenting.isBusy} onClick={() => void commenting.drop(comment)}>
              {words.drop}
            </Button>
          </span>
        )}
      </p>
      <p className="line-clamp-any whitespace-pre-wrap">
        <Markdown text={comment.text} />
      </p>
      {answer !== null && (
        <p className="line-clamp-any rounded-md bg-ai-wash px-2 py-1 whitespace-pre-wrap">
          <span className="text-soft">↳ </span>
          <Markdown text={answer} />
        </p>
      )}
    </div>
  )
}

export function CommentField({ commenting }: { commenting: Commenting }) {
  const words = useOwnWords(threadWords)
  const cutOff = useCutOff()
  const field = useRef<HTMLTextAreaElement>(null)
  const { writing, edit, keep, cancel, isBusy } = commenting
  const place = writing && JSON.stringify(writing.place)
  useEffect(() => field.current?.focus({ preventScroll: true }), [place])
  if (!writing) return null
  const { from, to } = writing.place
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void keep()
    else if (event.key === 'Escape') cancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form className="flex flex-col gap-2 py-1" onSubmit={event => event.preventDefault()} onKeyDown={onKey}>
      <TextArea
        ref={field}
        label={words.commentLabel(from === null ? words.wholeFile : words.line(from, to ?? from))}
        placeholder={words.commentLabel(from === null ? words.wholeFile : words.line(from, to ?? from))}
        data-comment-field
        rows={3}
        value={writing.text}
        onChange={event => edit(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          small
          look="main"
          disabled={isBusy || cutOff !== undefined || writing.text.trim() === ''}
          title={cutOff}
          onClick={() => void keep()}
        >
          {words.keep} <KeyHint keys="Ctrl ⏎" />
        </Button>
        <Button small onClick={cancel}>
          {words.cancel}
        </Button>
        <span className="text-soft">{words.commentHint}</span>
      </div>
    </form>
  )
}
