import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Play } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import { PRIORITIES, TASK_STATUSES } from '#contract/task-values.ts'
import { write } from '../../hub/call.ts'
import { AnswerForm } from '../../parts/answer-form.tsx'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GiveBack } from '../../parts/give-back.tsx'
import { Moment, Since } from '../../parts/live-time.tsx'
import { PriorityMark, StatusMark } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { Select } from '../../parts/select.tsx'
import { SheetHandle } from '../../parts/sheet-handle.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { ActButtons, ActQuestion } from './act-buttons.tsx'
import { HandOver } from './hand-over.tsx'
import { isClosed, TOLD_STAGES } from './model.ts'
import { editTask } from './editing.ts'
import { assign, move, reopening, start } from './moving.ts'
import { keys, type TaskDetail, useAgents, useMembers, useTask } from './queries.ts'
import { useProjects } from './project-list.ts'
import { usedBy, usedText, usedWords } from '../../parts/used.ts'
import { Description, Labels, Title } from './task-fields.tsx'
import { TaskPlan } from './task-plan.tsx'
import { TaskPlace, TaskThread } from './task-thread.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { later } from '../../parts/later.tsx'
import { useReviewWords } from '../../parts/review-words.ts'
import { taskWords } from './task-words.ts'
import { AnotherLikeIt } from './waits-for-agent.tsx'

const ReopenDialog = later(async () => (await import('./reopen-dialog.tsx')).ReopenDialog)

type Parts = {
  /** Another domain draws reported work. */
  review: (taskId: string) => ReactNode
  /** And what happened to it; `version` changes with the task. */
  events: (taskId: string, version: string) => ReactNode
}

/** Over the board. */
export function TaskSheet({ id, close, ...parts }: { id: string; close: () => void } & Parts) {
  const words = useWords()
  const said = useOwnWords(taskWords)
  const task = useTask(id)
  return (
    <Dialog label={task.data?.title ?? words.task} close={close} closeLabel={said.close} shape="sheet">
      <SheetHandle label={said.width} />
      <Content answer={task} {...parts} />
    </Dialog>
  )
}

/** A page of its own; `back`: the board. */
export function TaskPage({ id, back, ...parts }: { id: string; back: string } & Parts) {
  const words = useWords()
  const task = useTask(id)
  const isReopening = useStore(reopening) !== undefined
  return (
    <section aria-label={task.data?.title ?? words.task} data-task-page className="h-full overflow-y-auto bg-sheet">
      <div className="mx-auto max-w-3xl pt-3">
        <Link
          href={back}
          className="mx-4 inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-soft hover:bg-ai-wash hover:text-ink max-md:h-11"
        >
          <ArrowLeft size={14} aria-hidden="true" />
          {words.nav.views.board}
        </Link>
        <Content answer={task} {...parts} />
      </div>
      <ActQuestion />
      {isReopening && (
        <Suspense>
          <ReopenDialog />
        </Suspense>
      )}
    </section>
  )
}

function Content({ answer, ...parts }: { answer: ReturnType<typeof useTask> } & Parts) {
  if (answer.data) return <Task task={answer.data} {...parts} />
  if (answer.isError) return <Failure error={answer.error} again={() => void answer.refetch()} />
  return <Bars count={5} height={48} />
}

function Task({ task, review, events }: { task: TaskDetail } & Parts) {
  const words = useWords()
  const own = useOwnWords(taskWords)
  const texts = useReviewWords()
  const queries = useQueryClient()
  const agents = useAgents().data
  const project = useProjects().data?.find(({ project_id }) => project_id === task.project_id)
  const name = (agentId: string | null) => (agentId === null ? own.you : (agents?.get(agentId)?.name ?? agentId))
  return (
    <article data-task-detail={task.task_id} className="flex flex-col gap-5 px-6 pt-4 pb-10 max-md:px-4">
      <header className="flex flex-col gap-2 pr-10">
        <p className="flex items-center gap-2 text-sm text-soft">
          <span className="font-mono">{task.handle}</span>
          {task.pending && <span data-sending>{words.board.sending}</span>}
          {project && (
            <span className="truncate">
              <SafeText text={project.name} />
            </span>
          )}
        </p>
        <Title key={task.task_id} task={task} />
      </header>
      <Facts task={task} />
      <TaskPlace task={task} name={name} />
      <ActButtons task={task} />
      {task.status === 'blocked' && (
        <section className="flex flex-col gap-3 rounded-lg border border-kohaku bg-kohaku-wash p-4">
          <p className="line-clamp-any whitespace-pre-wrap">
            <Markdown text={task.blocked_reason ?? words.needs.noReason} />
          </p>
          <AnswerForm
            about={task.task_id}
            hint={task.assignee_id === null ? words.needs.answerHintNobody : words.needs.answerHint}
            send={async text => {
              await write('task.answer', { task_id: task.task_id, answer: text })
              await queries.invalidateQueries({ queryKey: keys.task(task.task_id) })
            }}
          />
        </section>
      )}
      {task.status === 'blocked' &&
        task.assignee_id !== null &&
        task.merge?.kind === 'merge' &&
        (task.merge.outcome === 'conflict' || task.merge.outcome === 'failed') && (
          <GiveBack taskId={task.task_id} handle={task.handle} who={name(task.assignee_id)} why={task.merge.outcome} />
        )}
      {task.stage === 'review' && (
        <section aria-label={texts.title} className="rounded-lg border border-ai p-4">
          {review(task.task_id)}
        </section>
      )}
      {task.failure && <Told tone="border-shu bg-shu-wash" title={own.failure} text={task.failure.reason} />}
      {task.not_started !== null && (
        <Told tone="border-kohaku bg-kohaku-wash" title={own.notStarted} text={task.not_started}>
          <AnotherLikeIt task={task} />
        </Told>
      )}
      <Section title={own.description}>
        <Description key={task.task_id} task={task} />
      </Section>
      <TaskPlan key={`plan ${task.task_id}`} task={task} />
      <TaskThread task={task} name={name} />
      <Section title={own.notes}>
        <Thread task={task} name={name} />
      </Section>
      <Section title={own.runs}>
        <Runs task={task} name={name} />
      </Section>
      {events(task.task_id, task.updated_at)}
    </article>
  )
}

function Facts({ task }: { task: TaskDetail }) {
  const words = useWords()
  const own = useOwnWords(taskWords)
  const queries = useQueryClient()
  const agents = useAgents().data
  const cutOff = useCutOff()
  const members = useMembers(task.project_id).data ?? []
  const choices = [...new Set([...members, ...(task.assignee_id === null ? [] : [task.assignee_id])])]
  const change = (done: Promise<void>) =>
    void done.then(() => queries.invalidateQueries({ queryKey: keys.task(task.task_id) }))
  return (
    <dl className="grid grid-cols-[7rem_1fr] items-center gap-x-3 gap-y-2 text-sm">
      <dt className="text-soft">{own.statusLabel}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <StatusMark status={task.status} size={16} />
        <Select
          label={own.statusLabel}
          value={task.status}
          disabled={cutOff !== undefined}
          title={cutOff}
          onChange={event => change(move(queries, task.task_id, event.target.value as TaskStatus))}
        >
          {TASK_STATUSES.map(status => (
            <option key={status} value={status}>
              {words.status[status]}
            </option>
          ))}
        </Select>
        {isStartable(task) && (
          <Button
            small
            look="main"
            disabled={cutOff !== undefined}
            title={cutOff}
            onClick={() => change(start(queries, task.task_id))}
          >
            <Play size={14} aria-hidden="true" /> {own.start}
          </Button>
        )}
        {TOLD_STAGES.has(task.stage) && (
          <span data-stage={task.stage} className="inline-flex items-center gap-1">
            <StatusMark status={task.stage} />
            {words.stage[task.stage]}
          </span>
        )}
      </dd>
      <dt className="text-soft">{own.assignee}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <Select
          label={own.assignee}
          value={task.assignee_id ?? ''}
          disabled={cutOff !== undefined}
          title={cutOff}
          className="max-w-full"
          onChange={event => change(assign(queries, task.task_id, event.target.value || null))}
        >
          <option value="">{own.unassigned}</option>
          {choices.map(id => (
            <option key={id} value={id}>
              {agents?.get(id)?.name ?? id}
            </option>
          ))}
        </Select>
        {task.assignee_id !== null && !isClosed(task.status) && (
          <HandOver
            task={task}
            from={task.assignee_id}
            others={members
              .filter(id => id !== task.assignee_id)
              .map(id => ({ id, name: agents?.get(id)?.name ?? id }))}
          />
        )}
      </dd>
      <dt className="text-soft">{own.priority}</dt>
      <dd className="flex items-center gap-1.5">
        <PriorityMark priority={task.priority} label="" />
        <Select
          label={own.priority}
          value={task.priority}
          disabled={cutOff !== undefined}
          title={cutOff}
          onChange={event =>
            void editTask(queries, task.task_id, { field: 'priority', value: event.target.value as Priority })
          }
        >
          {PRIORITIES.map(priority => (
            <option key={priority} value={priority}>
              {words.priority[priority]}
            </option>
          ))}
        </Select>
      </dd>
      <dt className="text-soft">{own.labels}</dt>
      <dd>
        <Labels task={task} />
      </dd>
      <dt className="text-soft">{own.updated}</dt>
      <dd>
        <Since at={task.updated_at} />
      </dd>
    </dl>
  )
}

/** Nothing works on it, and nothing will before a person says so. */
const isStartable = ({ status, stage, assignee_id }: TaskDetail): boolean =>
  ['backlog', 'todo'].includes(status) || (stage === 'working' && assignee_id === null)

type Entry = { at: string; who: string; lines: [label: string, text: string][] }

/** Notes, answers and the handoff, newest first. */
function Thread({ task, name }: { task: TaskDetail; name: (id: string | null) => string }) {
  const own = useOwnWords(taskWords)
  const entries: Entry[] = [
    ...task.notes.map(note => ({
      at: note.saved_at,
      who: name(note.agent_id),
      lines: [
        [own.progress, note.progress],
        [own.findings, note.findings],
        [own.blockers, note.blockers],
        [own.next, note.next_steps],
      ].filter((line): line is [string, string] => line[1] !== null),
    })),
    ...task.answers.map(({ answered_at, question, answer }) => ({
      at: answered_at,
      who: own.you,
      lines: [...(question === null ? [] : [['?', question] as [string, string]]), ['→', answer] as [string, string]],
    })),
    ...(task.handoff
      ? [
          {
            at: task.handoff.created_at,
            who: name(task.handoff.from_agent_id),
            lines: [[own.handoff, task.handoff.summary] as [string, string]],
          },
        ]
      : []),
  ].sort((a, b) => (a.at < b.at ? 1 : -1))
  if (entries.length === 0) return <p className="text-soft">{own.noNotes}</p>
  return (
    <ol className="flex flex-col gap-3">
      {entries.map(({ at, who, lines }) => (
        <li key={`${at}${who}${lines[0]?.[1]}`} className="border-l-2 border-hinoki pl-3">
          <p className="flex gap-2 text-sm">
            <span className="font-medium">
              <SafeText text={who} />
            </span>
            <Moment at={at} className="text-soft" />
          </p>
          {lines.map(([label, text]) => (
            <p key={label} className="line-clamp-any whitespace-pre-wrap">
              <span className="text-soft">{label} </span>
              <Markdown text={text} />
            </p>
          ))}
        </li>
      ))}
    </ol>
  )
}

const RUN_MARKS = { running: 'in_progress', completed: 'done', failed: 'blocked', error: 'blocked' } as const

function Runs({ task, name }: { task: TaskDetail; name: (id: string) => string }) {
  const own = useOwnWords(taskWords)
  if (task.executions.length === 0) return <p className="text-soft">{own.noRuns}</p>
  return (
    <ul className="flex flex-col gap-2">
      {task.executions.map(run => (
        <li key={run.execution_id} className="flex flex-col gap-0.5 rounded-lg border border-line px-3 py-2 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <StatusMark status={RUN_MARKS[run.status]} />
            <Link href={`/runs/${run.execution_id}`} className="font-medium text-ai hover:underline">
              {run.result === 'blocked' ? own.runAsked : own.run[run.status]}
            </Link>
            <SafeText text={name(run.agent_id)} />
            <Moment at={run.started_at} className="ml-auto text-soft" />
          </p>
          <Used runs={[run]} />
          {run.reason !== null && <p className="line-clamp-any text-soft">{run.reason}</p>}
        </li>
      ))}
      {task.executions.length > 1 && <Used runs={task.executions} isSum />}
    </ul>
  )
}

/** What engines reported; what they did not is unknown. */
function Used({ runs, isSum = false }: { runs: TaskDetail['executions']; isSum?: boolean }) {
  const { code } = useWords()
  const words = useOwnWords(usedWords)
  const text = usedText(usedBy(runs), words, code)
  const Element = isSum ? 'li' : 'p'
  return (
    <Element data-used={isSum ? 'all' : 'one'} className={`text-soft ${isSum ? 'px-3 text-sm' : ''}`}>
      {isSum ? words.all(text) : text}
    </Element>
  )
}

function Told({ tone, title, text, children }: { tone: string; title: string; text: string; children?: ReactNode }) {
  return (
    <section className={`flex flex-col gap-1 rounded-lg border p-4 ${tone}`}>
      <h3 className="font-semibold">{title}</h3>
      <p className="line-clamp-any">{text}</p>
      {children}
    </section>
  )
}
