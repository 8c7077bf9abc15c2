import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { VList } from 'virtua'
import { Link } from 'wouter'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type Node, type Topic, treeOf } from './model.ts'
import { words as own } from './words.ts'

type Props = { topics: readonly Topic[]; isCut: boolean; chosen: number | undefined; hrefOf: (path: string) => string }

export function TopicTree({ topics, isCut, chosen, hrefOf }: Props) {
  const words = useOwnWords(own)
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const nodes = useMemo(() => treeOf(topics, folded), [topics, folded])
  const isFlat = nodes.every(({ hasChildren }) => !hasChildren)
  const toggle = (id: number) => {
    const next = new Set(folded)
    if (!next.delete(id)) next.add(id)
    setFolded(next)
  }
  return (
    <nav aria-label={words.topics} className="min-h-0 flex-1">
      <VList className="h-full px-2 pb-4" bufferSize={300}>
        {nodes.map(node => (
          <Row
            key={node.topic.id}
            node={node}
            isFlat={isFlat}
            isFolded={folded.has(node.topic.id)}
            isCurrent={node.topic.id === chosen}
            href={hrefOf(`/memory/topics/${node.topic.id}`)}
            toggle={() => toggle(node.topic.id)}
          />
        ))}
        {isCut && <p className="px-2 py-3 text-sm text-soft">{words.cut}</p>}
      </VList>
    </nav>
  )
}

type RowProps = {
  node: Node
  /** No topic has others below it, so that nothing is to be folded. */
  isFlat: boolean
  isFolded: boolean
  isCurrent: boolean
  href: string
  toggle: () => void
}

const INDENTS = ['', 'pl-4', 'pl-8', 'pl-12', 'pl-16', 'pl-20']

function Row({ node: { topic, level, hasChildren, open }, isFlat, isFolded, isCurrent, href, toggle }: RowProps) {
  const words = useOwnWords(own)
  const isOpen = topic.decisions === 0
  const Icon = isOpen ? Circle : CircleCheck
  return (
    <div className={`flex items-center ${INDENTS[Math.min(level, INDENTS.length - 1)]}`}>
      {hasChildren ? (
        <button
          type="button"
          aria-label={isFolded ? words.unfold(topic.title) : words.fold(topic.title)}
          aria-expanded={!isFolded}
          className="grid size-6 shrink-0 place-items-center rounded-md text-soft hover:bg-ai-wash max-md:h-11"
          onClick={toggle}
        >
          <ChevronRight size={14} aria-hidden="true" className={isFolded ? '' : 'rotate-90'} />
        </button>
      ) : (
        !isFlat && <span className="w-6 shrink-0" />
      )}
      <Link
        href={href}
        data-topic={topic.id}
        aria-current={isCurrent ? 'page' : undefined}
        className={`flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 hover:bg-ai-wash max-md:min-h-11 ${isCurrent ? 'bg-ai-wash font-medium' : ''}`}
      >
        <Icon size={14} aria-hidden="true" className={`shrink-0 ${isOpen ? 'text-kohaku' : 'text-matsu'}`} />
        <span className="min-w-0 flex-1 truncate">
          <SafeText text={topic.title} />
          {isOpen && <span className="sr-only"> ({words.undecided})</span>}
        </span>
        {isFolded && open > 0 && <span className="shrink-0 text-xs text-kohaku">{words.openCount(open)}</span>}
        <span className="shrink-0 text-xs text-soft">{topic.logs + topic.decisions || ''}</span>
      </Link>
    </div>
  )
}
