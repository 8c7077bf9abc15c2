import { useMemo, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { Refusal } from '../../parts/failure.tsx'
import { TextArea } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { onSendKey } from '../../parts/send-key.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { ChangedSince } from './changed-since.tsx'
import { useGiving } from './giving.ts'
import type { Review } from './queries.ts'
import { threadWords } from './words.ts'
import { reviewWords, useReviewWords } from '../../parts/review-words.ts'

export function VerdictForm({ review }: { review: Review }) {
  const texts = useReviewWords()
  const own = useOwnWords(threadWords)
  const cutOff = useCutOff()
  const { text, edit, asked, error, give } = useGiving(review)
  const field = useRef<HTMLTextAreaElement>(null)
  // Its comments may say it all.
  const drafts = review.comments.filter(({ draft }) => draft).length
  const saysWhat = text.trim() !== '' || drafts > 0
  const into = review.merges_into
  const changed = review.changed_since
  const isOff = asked !== undefined || cutOff !== undefined
  const now = useRef({ accept: () => {} })
  // On this work: newer work is asked about again.
  const commit = review.snapshot?.commit ?? null
  const [warned, setWarned] = useState<string>()
  const isWarned = warned !== undefined && warned === commit
  const accept = () => {
    const isDoubtful = changed.length > 0 || (into !== null && into.conflicts.length > 0)
    if (isDoubtful && !isWarned && commit !== null) setWarned(commit)
    else void give('accept')
  }
  now.current = { accept: () => void (isOff || isWarned || accept()) }
  const commands = useMemo(
    (): Command[] => [
      {
        id: 'review.accept',
        title: w => reviewWords[w.code].accept,
        keys: ['a'],
        inDialog: true,
        run: () => now.current.accept(),
      },
      {
        id: 'review.changes',
        title: w => reviewWords[w.code].changes,
        keys: ['r'],
        inDialog: true,
        run: () => field.current?.focus(),
      },
    ],
    [],
  )
  useCommands(commands)
  const onKey = onSendKey(() => saysWhat && !isOff && give('changes'))
  return (
    <form className="flex flex-col gap-2" onSubmit={event => event.preventDefault()} onKeyDown={onKey}>
      <TextArea
        ref={field}
        label={texts.say}
        placeholder={texts.say}
        data-verdict
        rows={2}
        value={text}
        onChange={event => edit(event.target.value)}
      />
      <Refusal text={error} className="line-clamp-any" />
      <ChangedSince review={review} />
      {isWarned && changed.length > 0 && (
        <p role="alert" className="text-shu">
          {own.leavesOut}
        </p>
      )}
      {isWarned && into && into.conflicts.length > 0 && (
        <p role="alert" data-warned className="line-clamp-any text-shu">
          <SafeText text={own.wouldComeBack(into.base, into.conflicts.map(({ path }) => path).join(', '))} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="main" disabled={isOff} title={cutOff} onClick={accept}>
          {asked === 'accept' ? texts.asking : isWarned ? own.acceptAnyway : texts.accept} <KeyHint keys="a" />
        </Button>
        <Button
          disabled={isOff || !saysWhat}
          title={cutOff ?? (saysWhat ? undefined : texts.sayFirst)}
          onClick={() => void give('changes')}
        >
          {asked === 'changes' ? texts.asking : texts.changes} <KeyHint keys="r" />
        </Button>
      </div>
      <p className="line-clamp-any text-sm text-soft">
        {into === null && own.acceptsOnly}
        {into?.conflicts.length === 0 && own.accepts(into.base, into.checks.join(', '))}
        {into && into.conflicts.length > 0 && !isWarned && own.comesBack(into.base)}
        {drafts > 0 && ` ${own.sends(drafts)}`}
      </p>
    </form>
  )
}
