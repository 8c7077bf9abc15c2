import { ArrowLeft, Plus, Scale } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { AddDialog, type Wish } from './add-dialog.tsx'
import { DecisionDetail } from './decision-detail.tsx'
import { DecisionRow } from './decision-row.tsx'
import { FoundList } from './found-list.tsx'
import { KindsChoice } from './kinds-choice.tsx'
import { useMemoryCommands } from './memory-keys.ts'
import { placeOf, replacing, useTopicHere } from './place.ts'
import { useDecision, useNewest, useRecall, useTree } from './queries.ts'
import { SearchField, useKinds, useQueryText } from './search-field.tsx'
import { TopicDetail } from './topic-detail.tsx'
import { TopicTree } from './topic-tree.tsx'
import { TransferButtons } from './transfer-buttons.tsx'
import { words as own } from './words.ts'

export function Memory({ project }: { project: string }) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const isDesktop = useDesktop()
  const search = useSearch()
  const [path] = useLocation()
  const [query, setQuery] = useQueryText(search)
  const tree = useTree(project)
  const [kinds, setKinds] = useKinds(search)
  const found = useRecall(project, query, kinds)
  const [wish, setWish] = useState<Wish>()
  const place = placeOf(path)
  const topics = tree.data?.topics ?? []
  const hrefOf = (to: string) => `${to}${search === '' ? '' : `?${search}`}`
  const topic = useTopicHere(place, topics)
  useMemoryCommands(place, topic, setWish)
  if (tree.isError && !tree.data) return <Failure error={tree.error} again={() => void tree.refetch()} />
  const isSearching = query.trim() !== ''
  const isEmpty = tree.data && topics.length === 0 && !place && !isSearching
  const dialog = wish && <AddDialog wish={wish} project={project} close={() => setWish(undefined)} />
  const nothing = (
    <Empty title={words.emptyTitle} hint={words.emptyHint} cli={words.cli}>
      <Button look="main" disabled={cutOff !== undefined} title={cutOff} onClick={() => setWish({ kind: 'topic' })}>
        <Plus size={14} aria-hidden="true" /> {words.newTopic}
      </Button>
    </Empty>
  )
  const buttons = (
    <>
      <Button disabled={cutOff !== undefined} title={cutOff} onClick={() => setWish({ kind: 'topic', parent: topic })}>
        <Plus size={14} aria-hidden="true" /> {words.addTopic} <KeyHint keys="t" />
      </Button>
      {topic && (
        <Button disabled={cutOff !== undefined} title={cutOff} onClick={() => setWish({ kind: 'entry', topic })}>
          <Plus size={14} aria-hidden="true" /> {words.addEntry} <KeyHint keys="n" />
        </Button>
      )}
      <Button
        look="main"
        disabled={cutOff !== undefined}
        title={cutOff}
        onClick={() => setWish({ kind: 'decision', topic })}
      >
        <Scale size={14} aria-hidden="true" /> {words.addDecision} <KeyHint keys="d" />
      </Button>
      {place?.kind === 'decision' && <Supersede id={place.id} setWish={setWish} />}
    </>
  )
  return (
    <div className="flex h-full min-h-0">
      {(isDesktop || !place) && (
        <div className="flex h-full w-full min-w-0 flex-col border-line md:w-64 md:shrink-0 lg:w-88 md:border-r">
          <div className="flex flex-col gap-2 p-3">
            <SearchField query={query} change={setQuery} />
            {isSearching && <KindsChoice kinds={kinds} change={setKinds} />}
            {!isDesktop && <div className="flex flex-wrap gap-2">{buttons}</div>}
          </div>
          {isSearching ? (
            found.data ? (
              <FoundList answer={found.data} query={query} topics={topics} hrefOf={hrefOf} path={path} />
            ) : found.isError ? (
              <Failure error={found.error} again={() => void found.refetch()} />
            ) : (
              <Bars count={5} height={52} />
            )
          ) : isEmpty && !isDesktop ? (
            nothing
          ) : tree.data ? (
            <TopicTree
              topics={topics}
              isCut={tree.data.truncated === true}
              chosen={place?.kind === 'topic' ? place.id : undefined}
              hrefOf={hrefOf}
            />
          ) : (
            <Bars count={8} height={24} />
          )}
        </div>
      )}
      {(isDesktop || place) && (
        <div className="flex h-full min-w-0 flex-1 flex-col">
          <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-3 max-md:px-4">
            {!isDesktop && (
              <Link href={hrefOf('/memory')} className="mr-auto inline-flex h-11 items-center gap-1.5 text-soft">
                <ArrowLeft size={16} aria-hidden="true" /> {words.back}
              </Link>
            )}
            {isDesktop && <TransferButtons project={project} />}
            <div className="ml-auto flex flex-wrap gap-2">{buttons}</div>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-8 py-6 max-md:px-4 max-md:py-4">
            <div className="max-w-3xl">
              {place?.kind === 'topic' && <TopicDetail id={place.id} topics={topics} hrefOf={hrefOf} />}
              {place?.kind === 'decision' && <DecisionDetail id={place.id} hrefOf={hrefOf} />}
              {!place && !isEmpty && <Newest project={project} hrefOf={hrefOf} />}
            </div>
            {isEmpty && nothing}
          </div>
        </div>
      )}
      {dialog}
    </div>
  )
}

function Newest({ project, hrefOf }: { project: string; hrefOf: (path: string) => string }) {
  const words = useOwnWords(own)
  const decisions = useNewest(project).data
  if (!decisions) return <Bars count={4} height={56} />
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{words.newest}</h2>
      {decisions.length === 0 && <p className="text-soft">{words.noDecisions}</p>}
      <ul className="flex flex-col gap-2">
        {decisions.map(decision => (
          <DecisionRow key={decision.id} decision={decision} hrefOf={hrefOf} />
        ))}
      </ul>
    </section>
  )
}

function Supersede({ id, setWish }: { id: number; setWish: (wish: Wish) => void }) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const decision = useDecision(id).data
  if (!decision) return null
  const newer = decision.superseded_by
  const why = newer === undefined ? cutOff : words.isReplaced(newer)
  return (
    <Button disabled={why !== undefined} title={why} onClick={() => setWish(replacing(decision))}>
      {words.supersede} <KeyHint keys="S" />
    </Button>
  )
}
