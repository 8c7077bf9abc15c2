import { Link } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useWords } from '../../parts/use-words.ts'
import { headline, KindMark } from './item-words.tsx'

type Props = { item: InboxItem; href: string; isCurrent: boolean }

export function ItemRow({ item, href, isCurrent }: Props) {
  const words = useWords()
  const detail = ['engine_paused', 'run_failed', 'phase_ended'].includes(item.kind) ? item.detail : item.title
  return (
    <li>
      <Link
        href={href}
        data-item={item.item_id}
        aria-current={isCurrent ? 'true' : undefined}
        className={`flex gap-3 border-l-3 px-4 py-3 outline-offset-[-2px] hover:bg-ai-wash ${isCurrent ? 'border-ai bg-ai-wash' : 'border-transparent'}`}
      >
        <span className="mt-0.5">
          <KindMark kind={item.kind} />
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="flex items-baseline gap-2">
            <span className="line-clamp-any min-w-0 flex-1 truncate font-medium">
              <SafeText text={headline(item, words)} />
            </span>
            <span className="shrink-0 text-xs text-soft">{item.since !== null && <Since at={item.since} />}</span>
          </span>
          {detail !== null && (
            <span className="line-clamp-any line-clamp-2 text-sm text-soft">
              <SafeText text={detail} />
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
