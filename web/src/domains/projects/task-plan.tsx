// Where a task stands among others, and how that is changed: what it waits for, who waits for it, what it is a part of, its parts.
import { useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { TextField } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { isOwn } from './fresh.ts'
import { link, type Link as Wish } from './linking.ts'
import type { Card } from './model.ts'
import { PlanGraph } from './plan-graph.tsx'
import { dependents } from './plan-model.ts'
import { type Cards, keys, type TaskDetail, useCards } from './queries.ts'
import { later } from '../../parts/later.tsx'
import { taskWords } from './task-words.ts'

const TaskPicker = later(async () => (await import('./task-picker.tsx')).TaskPicker)

const NO_CARDS: Cards['byId'] = new Map()
type Ref = { task_id: string; handle: string; title: string; stage: string }

export function TaskPlan({ task }: { task: TaskDetail }) {
  const own = useOwnWords(taskWords)
  const { plan } = useOwnWords(boardWords)
  const queries = useQueryClient()
  const cards = useCards().data?.byId ?? NO_CARDS
  const cutOff = useCutOff()
  const [picks, setPicks] = useState<Wish['kind']>()
  usePlanCommands(setPicks)
  const { waits, after } = useLinked(task, cards)
  const { task_id: id, parent, children } = task
  const remove = (kind: Wish['kind'], other: string) => void link(queries, { kind, id, other, isGone: true })
  const unlink = (kind: Wish['kind']) => (cutOff === undefined ? (other: string) => remove(kind, other) : undefined)
  return (
    <Section title={plan.title}>
      <div className="flex flex-col gap-3" data-plan>
        <PlanGraph cards={cards} id={id} />
        <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-sm">
          {waits.length > 0 && <Refs title={plan.waitsFor} tasks={waits} remove={unlink('waits')} />}
          {after.length > 0 && <Refs title={plan.heldUp} tasks={after} />}
          {parent && <Refs title={own.parent} tasks={[parent]} remove={unlink('parent')} />}
          {children.length > 0 && <Refs title={own.children} tasks={children} />}
        </dl>
        {waits.length + after.length + children.length === 0 && !parent && (
          <p className="text-sm text-soft">{plan.none}</p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => setPicks('waits')}>
            <Plus size={14} aria-hidden="true" /> {plan.addWait} <KeyHint keys="w" />
          </Button>
          <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => setPicks('parent')}>
            {plan.setParent} <KeyHint keys="s" />
          </Button>
          <AddPart task={task} />
        </div>
      </div>
      {picks && (
        <Suspense>
          <Other kind={picks} task={task} cards={cards} close={() => setPicks(undefined)} />
        </Suspense>
      )}
    </Section>
  )
}

/** Of what it depends on, what is open is known by the hub, the rest by the board. */
function useLinked(task: TaskDetail, cards: Cards['byId']): { waits: Ref[]; after: Ref[] } {
  return useMemo(() => {
    const open = new Map(task.waits_for.map(ref => [String(ref.task_id), ref as Ref]))
    const find = (id: string): Ref[] => {
      const known = open.get(id) ?? cards.get(id)
      return known ? [known] : []
    }
    return {
      waits: (task.depends_on ?? []).flatMap(find),
      after: (dependents(cards).get(task.task_id) ?? []).flatMap(find),
    }
  }, [task, cards])
}

function usePlanCommands(pick: (kind: Wish['kind']) => void): void {
  const commands = useMemo((): Command[] => {
    const own =
      (of: (words: typeof boardWords.en) => string): Command['title'] =>
      w =>
        of(boardWords[w.code])
    const add = () => document.querySelector<HTMLElement>('[data-add-part]')?.focus()
    return [
      { id: 'task.waits', title: own(w => w.waits), keys: ['w'], run: () => pick('waits'), inDialog: true },
      { id: 'task.parent', title: own(w => w.parent), keys: ['s'], run: () => pick('parent'), inDialog: true },
      { id: 'task.addPart', title: own(w => w.addPart), keys: ['S'], run: add, inDialog: true },
    ]
  }, [pick])
  useCommands(commands)
}

type OtherProps = { kind: Wish['kind']; task: TaskDetail; cards: Cards['byId']; close: () => void }

function Other({ kind, task, cards, close }: OtherProps) {
  const own = useOwnWords(boardWords)
  const queries = useQueryClient()
  const { task_id: id, project_id, depends_on = [] } = task
  const known = new Set<string>([id, ...(kind === 'waits' ? depends_on : [])])
  const others = [...cards.values()].filter(
    (card: Card) => card.project_id === project_id && !known.has(card.task_id) && card.status !== 'cancelled',
  )
  const choose = (other: string) => void link(queries, { kind, id, other })
  return <TaskPicker label={own.pick[kind](1)} cards={others} choose={choose} close={close} />
}

/** Title, Enter, and the next one: a plan is typed, not clicked. */
function AddPart({ task: { task_id, project_id } }: { task: TaskDetail }) {
  const words = useWords()
  const { plan } = useOwnWords(boardWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const [title, setTitle] = useState('')
  const add = async () => {
    const wanted = title.trim()
    if (wanted === '') return
    setTitle('')
    try {
      const { value } = await write('task.add', { project_id, title: wanted, parent_id: task_id })
      isOwn(value.task_id)
      notify({ kind: 'done', text: plan.added(value.handle), detail: value.title })
      void queries.invalidateQueries({ queryKey: keys.task(task_id) })
    } catch (error) {
      // What was typed is not lost.
      setTitle(now => (now === '' ? wanted : now))
      notify({ kind: 'failed', text: wanted, detail: error instanceof Refused ? error.message : words.error.unreached })
    }
  }
  return (
    <TextField
      label={plan.addPart}
      placeholder={plan.addPart}
      data-add-part
      className="!h-8 basis-full max-md:!h-11"
      maxLength={500}
      value={title}
      disabled={cutOff !== undefined}
      onChange={event => setTitle(event.target.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        void add()
      }}
    />
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

type RefsProps = { title: string; tasks: readonly Ref[]; remove?: ((id: string) => void) | undefined }

function Refs({ title, tasks, remove }: RefsProps) {
  const words = useWords()
  const { plan } = useOwnWords(boardWords)
  const search = useSearch()
  return (
    <Row title={title}>
      <ul className="flex flex-col gap-1">
        {tasks.map(({ task_id, handle, title: name, stage }) => (
          <li key={task_id} className="flex items-center gap-1.5">
            <StatusMark status={stage} />
            <Link
              href={`/tasks/${task_id}${search === '' ? '' : `?${search}`}`}
              className="min-w-0 truncate text-ai hover:underline"
            >
              <span className="font-mono">{handle}</span> <SafeText text={name} />
            </Link>
            <span className="ml-auto shrink-0 text-soft">{words.stage[stage as keyof typeof words.stage]}</span>
            {remove && (
              <Button
                small
                look="quiet"
                className="!h-6 !px-1 max-md:!h-9"
                aria-label={plan.remove(handle)}
                title={plan.remove(handle)}
                onClick={() => remove(task_id)}
              >
                <X size={12} aria-hidden="true" />
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Row>
  )
}
