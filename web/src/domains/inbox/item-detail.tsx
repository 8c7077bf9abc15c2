import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { AnswerForm } from '../../parts/answer-form.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { CountDown, Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { answer, keepAsDecision } from './actions.ts'
import { headline, KindMark } from './item-words.tsx'
import { questionOf } from './model.ts'
import { stepWords } from './step-words.ts'
import { type Helpers, Steps } from './steps.tsx'
import { useItemCommands } from './use-item-commands.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'

/** What other domains draw of an item. */
export type DetailParts = {
  /** Reported work. */
  review: (taskId: string) => ReactNode
  /** All that a check wrote. */
  checkLog: (evidence: { evidence_id: string; check: string }) => ReactNode
  /** What was changed in its workspace after the report. */
  changedSince: (taskId: string) => ReactNode
  /** The screen of a tab. */
  terminal: (item: InboxItem) => ReactNode
  /** What was decided about such questions before. */
  decisions: (projectId: string, question: string) => ReactNode
  helpers: Helpers
}

type Props = { item: InboxItem; back: string; next: (() => void) | undefined } & DetailParts

export function ItemDetail({ item, back, next, review, checkLog, changedSince, terminal, decisions, helpers }: Props) {
  const words = useWords()
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  useItemCommands(item)
  const question = item.kind === 'blocked' ? (item.detail ?? item.title) : questionOf(item.detail)
  return (
    <article className="flex w-full max-w-3xl flex-col gap-4 px-8 py-6 max-md:px-4 max-md:py-2" key={item.item_id}>
      <Link href={back} className="inline-flex h-11 items-center gap-1.5 text-soft md:hidden">
        <ArrowLeft size={16} aria-hidden="true" /> {words.needs.back}
      </Link>
      <header className="flex flex-col gap-1.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
          {[item.project_name, item.handle, item.agent_name, item.engine]
            .filter(part => part !== null)
            .map((part, index) => (
              <span key={part} className="flex gap-2">
                {index > 0 && <span aria-hidden="true">·</span>}
                <SafeText text={part} />
              </span>
            ))}
          <span className="ml-auto flex gap-2">
            {item.since !== null && <Since at={item.since} />}
            {item.since !== null && item.until !== null && <span aria-hidden="true">·</span>}
            {item.until !== null && <CountDown until={item.until} />}
          </span>
        </p>
        <h2 className="flex items-start gap-2.5 text-lg font-semibold">
          <span className="mt-1">
            <KindMark item={item} size={18} />
          </span>
          <span className="line-clamp-any min-w-0">
            <SafeText text={headline(item, words)} />
          </span>
        </h2>
        {!SAID_IN_HEAD.has(item.kind) && (
          <p className="line-clamp-any">
            <SafeText text={item.title} />
          </p>
        )}
        {item.held_up > 0 && <p className="text-sm text-kohaku">{words.needs.heldUp(item.held_up)}</p>}
      </header>
      {item.kind !== 'tab_waits' && <Said item={item} />}
      {item.check !== null && (
        <section data-check={item.check.name} className="rounded-lg border border-line">
          <pre
            tabIndex={0}
            aria-label={own.output(item.check.name)}
            className="overflow-x-auto rounded-t-lg bg-sunk px-3 py-2 font-mono text-xs"
          >
            <SafeText text={item.check.tail} />
          </pre>
          {checkLog({ evidence_id: item.check.evidence_id, check: item.check.name })}
        </section>
      )}
      {((item.kind === 'blocked' && item.check === null) || item.kind === 'tab_waits') &&
        item.project_id !== null &&
        question !== undefined &&
        decisions(item.project_id, question)}
      {item.kind === 'tab_waits' && terminal(item)}
      {item.kind === 'review' && item.task_id !== null && review(item.task_id)}
      {item.check !== null && item.task_id !== null && changedSince(item.task_id)}
      {item.kind === 'blocked' && (
        <AnswerForm
          about={item.task_id ?? ''}
          {...(item.check !== null && { label: own.sayWhat })}
          hint={item.agent_id === null ? words.needs.answerHintNobody : words.needs.answerHint}
          send={text => answer(queries, item, text)}
          keep={{ label: own.keep, run: text => keepAsDecision(item, text) }}
        />
      )}
      <Steps {...{ item, helpers, next }} />
      {item.command !== null && (
        <div className="flex flex-col gap-1 pt-2">
          <h3 className="text-xs text-soft">{own.commandLabel}</h3>
          <CommandLine text={item.kind === 'blocked' ? `${item.command} "…"` : item.command} />
        </div>
      )}
    </article>
  )
}

/** The headline has their title in it. */
const SAID_IN_HEAD: ReadonlySet<string> = new Set([
  ...[
    'run_failed',
    'command',
    'engine_paused',
    'not_startable',
    'no_runner',
    'disk_low',
    'message_failed',
    'overlap',
    'phase_ended',
  ],
])

/** What the agent or the hub says. */
function Said({ item }: { item: InboxItem }) {
  const words = useWords()
  const own = useOwnWords(stepWords)
  if (item.kind === 'untrusted')
    return (
      <section className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold text-soft">{own.unchecked}</h3>
        <ul className="line-clamp-any rounded-lg border border-line bg-sunk px-4 py-3 font-mono text-sm">
          {item.files.map(file => (
            <li key={file}>
              <SafeText text={file} />
            </li>
          ))}
        </ul>
        <p className="text-sm text-soft">{own.trustHint}</p>
      </section>
    )
  if (item.allows !== null)
    return (
      <section className="flex flex-col gap-2">
        <pre
          data-allows
          tabIndex={0}
          className="overflow-x-auto rounded-lg border border-line bg-sunk px-4 py-3 font-mono text-sm"
        >
          <SafeText text={JSON.stringify(item.allows.command)} />
        </pre>
        <p className="text-sm text-soft">{own.allowHint}</p>
      </section>
    )
  const text = item.detail ?? (item.kind === 'blocked' ? words.needs.noReason : null)
  if (text === null) return null
  return (
    <blockquote className="line-clamp-any border-l-3 border-hinoki bg-sheet py-2 pr-3 pl-4 whitespace-pre-wrap">
      <Markdown text={text} />
    </blockquote>
  )
}
