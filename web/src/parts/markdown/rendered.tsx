import { Fragment, type ReactNode, useMemo } from 'react'
import { SafeText } from '../safe-text.tsx'
import { useOwnWords } from '../use-words.ts'
import { type Block, type Inline, readMarkdown } from './read.ts'

const words = { en: { done: 'done', open: 'to do' }, ja: { done: '完了', open: '未完了' } }

/** Elements and text, nothing else: no HTML is ever made of it. */
export function Rendered({ text }: { text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text])
  if (!blocks)
    return (
      <span className="whitespace-pre-wrap">
        <SafeText text={text} />
      </span>
    )
  return (
    <span data-markdown className="line-clamp-any flex flex-col gap-2 whitespace-pre-wrap">
      <Blocks blocks={blocks} />
    </span>
  )
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => <One key={index} block={block} />)
}

/** Spans: a text stands in paragraphs and quotes of the views, in which HTML has no blocks. */
function One({ block }: { block: Block }) {
  if (block.kind === 'rule') return <span className="block border-t border-line" />
  if (block.kind === 'code')
    return (
      <code className="block rounded-md border border-line bg-sunk px-3 py-2 font-mono text-xs">
        <SafeText text={block.text} />
      </code>
    )
  if (block.kind === 'quote')
    return (
      <span className="flex flex-col gap-2 border-l-3 border-line pl-3 text-soft">
        <Blocks blocks={block.blocks} />
      </span>
    )
  if (block.kind === 'list') return <Items block={block} />
  if (block.kind === 'table') return <Table block={block} />
  return (
    <span className={`block ${block.kind === 'heading' ? 'font-semibold' : ''}`}>
      <Inlines parts={block.parts} />
    </span>
  )
}

function Items({ block: { start, items } }: { block: Extract<Block, { kind: 'list' }> }) {
  const own = useOwnWords(words)
  return (
    <span role="list" className="flex flex-col gap-1">
      {items.map(({ isDone, blocks }, index) => (
        <span key={index} role="listitem" className="flex gap-2">
          <span className="shrink-0 text-soft tabular-nums">
            {isDone === undefined ? start === undefined ? '•' : `${start + index}.` : <Box isDone={isDone} own={own} />}
          </span>
          <span className="flex min-w-0 flex-col gap-1">
            <Blocks blocks={blocks} />
          </span>
        </span>
      ))}
    </span>
  )
}

function Box({ isDone, own }: { isDone: boolean; own: (typeof words)['en'] }) {
  return (
    <>
      <span aria-hidden="true">{isDone ? '☑' : '☐'}</span>
      <span className="sr-only">{isDone ? own.done : own.open}</span>
    </>
  )
}

function Table({ block: { head, rows } }: { block: Extract<Block, { kind: 'table' }> }) {
  const cell = 'table-cell border border-line px-2 py-1 align-top'
  return (
    <span role="table" className="table border-collapse text-sm">
      <span role="row" className="table-row bg-sunk font-medium">
        {head.map((parts, index) => (
          <span key={index} role="columnheader" className={cell}>
            <Inlines parts={parts} />
          </span>
        ))}
      </span>
      {rows.map((row, at) => (
        <span key={at} role="row" className="table-row">
          {row.map((parts, index) => (
            <span key={index} role="cell" className={cell}>
              <Inlines parts={parts} />
            </span>
          ))}
        </span>
      ))}
    </span>
  )
}

function Inlines({ parts }: { parts: readonly Inline[] }): ReactNode {
  return parts.map((part, index) => <Fragment key={index}>{inline(part)}</Fragment>)
}

function inline(part: Inline): ReactNode {
  if (part.kind === 'text') return <SafeText text={part.text} />
  if ('text' in part)
    return (
      <code className="rounded-[3px] bg-sunk px-1 font-mono text-[0.92em]">
        <SafeText text={part.text} />
      </code>
    )
  const inner = <Inlines parts={part.parts} />
  if (part.kind === 'strong') return <strong className="font-semibold">{inner}</strong>
  if (part.kind === 'em') return <em>{inner}</em>
  if (part.kind === 'del') return <del>{inner}</del>
  return (
    <>
      <a
        href={part.href}
        target="_blank"
        rel="noopener noreferrer"
        title={part.href}
        className="text-ai underline underline-offset-2"
      >
        {inner}
      </a>
      {part.host !== undefined && <span className="text-soft"> ({part.host})</span>}
    </>
  )
}
