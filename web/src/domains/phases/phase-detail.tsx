import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Failure } from '../../parts/failure.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { type PhaseDetail as Detail, usePhase } from './queries.ts'
import { words as own } from './words.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'

type Props = { project: string; phase: string }

/** What came of a phase: result, files, checkpoints, and what its agents were told. */
export function PhaseDetail({ project, phase }: Props) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const found = usePhase(project, phase, code)
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  const detail = found.data
  if (!detail) return <Bars count={4} height={56} />
  const number = Number(phase.slice('phase'.length))
  return (
    <article className="flex flex-col gap-5" data-shown={phase}>
      <h2 className="text-lg font-semibold">
        {words.phase(number)} · {words.names[number]}
        {detail.round > 1 && <span className="font-normal text-soft"> · {words.round(detail.round)}</span>}
      </h2>
      <Result detail={detail} />
      <Files detail={detail} />
      <Section title={words.checkpoints}>
        {detail.saved.length === 0 && <p className="text-soft">{words.noCheckpoints}</p>}
        <ul className="flex flex-col gap-1">
          {detail.saved.map(({ name, at, content }) => (
            <li key={`${at} ${name}`}>
              <Fold
                title={
                  <>
                    <time dateTime={at} className="text-soft">
                      {clockTime(at, code)}
                    </time>{' '}
                    <SafeText text={name} />
                  </>
                }
                text={content}
                label={name}
              />
            </li>
          ))}
        </ul>
      </Section>
      {detail.told !== null && (
        <Section title={words.told}>
          <Fold title={words.toldHint} text={detail.told} label={words.told} canCopy />
        </Section>
      )}
    </article>
  )
}

function Result({ detail }: { detail: Detail }) {
  const words = useOwnWords(own)
  const { outcome, summary, reason, status } = detail
  return (
    <Section title={words.result}>
      {reason !== null && (
        <p className="line-clamp-any text-kohaku">
          {words.reason}: <SafeText text={reason} />
        </p>
      )}
      {outcome === null && <p className="text-soft">{status === 'pending' ? words.notBegun : words.noResult}</p>}
      {outcome !== null && <p className="font-medium">{words.outcome[outcome]}</p>}
      {summary !== null && (
        <blockquote className="line-clamp-any border-l-3 border-hinoki py-1 pl-4 whitespace-pre-wrap">
          <Markdown text={summary} />
        </blockquote>
      )}
    </Section>
  )
}

function Files({ detail: { output_files, required, missing } }: { detail: Detail }) {
  const words = useOwnWords(own)
  const left = output_files.map(({ path }) => path)
  const others = required.filter(path => !left.includes(path)).map(path => ({ path, there: !missing.includes(path) }))
  const files = [...output_files, ...others]
  return (
    <Section title={words.files}>
      {files.length === 0 && <p className="text-soft">{words.noFiles}</p>}
      <ul className="flex flex-col gap-1">
        {files.map(({ path, there }) => (
          <li key={path} className="flex flex-wrap items-center gap-x-2">
            {there ? (
              <Check size={14} aria-hidden="true" className="text-matsu" />
            ) : (
              <TriangleAlert size={14} aria-hidden="true" className="text-kohaku" />
            )}
            <code className="line-clamp-any min-w-0 font-mono text-sm">
              <SafeText text={path} />
            </code>
            <span className={`text-sm ${there ? 'sr-only' : 'text-kohaku'}`}>{there ? words.there : words.gone}</span>
            {required.includes(path) && <span className="text-xs text-soft">{words.required}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

type FoldProps = { title: React.ReactNode; text: string; label: string; canCopy?: boolean }

function Fold({ title, text, label, canCopy = false }: FoldProps) {
  return (
    <details className="group/fold">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 max-md:min-h-11">
        <Disclosure /> <span className="line-clamp-any min-w-0">{title}</span>
      </summary>
      <pre
        tabIndex={0}
        aria-label={label}
        className="mt-1 max-h-96 overflow-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <SafeText text={text} />
      </pre>
      {canCopy && <CopyText text={text} />}
    </details>
  )
}

function CopyText({ text }: { text: string }) {
  const words = useOwnWords(own)
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    })
  const Icon = copied ? Check : Copy
  return (
    <Button small look="quiet" className="mt-1" data-copy-told onClick={copy}>
      <Icon size={14} aria-hidden="true" /> {copied ? words.copied : words.copy}
    </Button>
  )
}
