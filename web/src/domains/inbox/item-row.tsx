import { Suspense } from 'react'
import { Link } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { later } from '../../parts/later.tsx'
import { Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useWords } from '../../parts/use-words.ts'
import { headline, KindMark } from './item-words.tsx'
import { linesOf } from './model.ts'
import type { Helpers } from './steps.tsx'

// With the detail, which has the same steps: the list is drawn without waiting for them.
const RowSteps = later(async () => (await import('./steps.tsx')).RowSteps)

type Props = {
  item: InboxItem
  href: string
  isCurrent: boolean
  /** Where the Tab key stops in the list: once. */
  isStop: boolean
  /** It was dealt with, and folds away. */
  isLeaving: boolean
  /** Enter on the one that is open. */
  enter: () => void
  /** There is room for its first steps: beside the detail, not on a phone. */
  showsSteps: boolean
  helpers: Helpers
}

export function ItemRow({ item, href, isCurrent, isStop, isLeaving, enter, showsSteps, helpers }: Props) {
  const words = useWords()
  const [line, question] = linesOf(item)
  return (
    <li
      {...(isLeaving && { inert: true, 'data-leaving': item.item_id })}
      className={`relative ${isLeaving ? 'anim-out' : ''}`}
    >
      <Link
        href={href}
        {...(!isLeaving && { 'data-item': item.item_id })}
        tabIndex={isStop ? 0 : -1}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !isCurrent || event.nativeEvent.isComposing) return
          event.preventDefault()
          enter()
        }}
        aria-current={isCurrent ? 'true' : undefined}
        className={`flex gap-3 border-l-3 px-4 py-3 outline-offset-[-2px] hover:bg-ai-wash ${isCurrent ? `border-ai bg-ai-wash ${showsSteps ? 'pb-12' : ''}` : 'border-transparent'}`}
      >
        <span className="mt-0.5">
          <KindMark item={item} />
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="flex items-baseline gap-2">
            <span className="line-clamp-any line-clamp-2 min-w-0 flex-1 font-medium">
              <SafeText text={headline(item, words)} />
            </span>
            <span className="shrink-0 text-xs text-soft">{item.since !== null && <Since at={item.since} />}</span>
          </span>
          {line !== undefined && (
            <span
              className={`line-clamp-any text-sm text-soft ${question === undefined ? 'line-clamp-2' : 'line-clamp-1'}`}
            >
              <SafeText text={line} />
            </span>
          )}
          {question !== undefined && (
            <span className="line-clamp-any line-clamp-2 text-sm" data-question>
              <SafeText text={question} />
            </span>
          )}
          {item.held_up > 0 && <span className="text-xs text-kohaku">{words.needs.heldUp(item.held_up)}</span>}
        </span>
      </Link>
      {showsSteps && isCurrent && !isLeaving && (
        <Suspense>
          <RowSteps {...{ item, helpers, enter }} />
        </Suspense>
      )}
    </li>
  )
}
