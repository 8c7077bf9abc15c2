// Pure: Markdown as a tree of what we draw. Whatever else it may mean, such as HTML or images, is text or a link.
import { lexer, type Token, type Tokens } from 'marked'

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; parts: Inline[] }
  | { kind: 'em'; parts: Inline[] }
  | { kind: 'del'; parts: Inline[] }
  /** `host`: where it leads, unless its text says so. */
  | { kind: 'link'; href: string; host: string | undefined; parts: Inline[] }

export type Block =
  | { kind: 'paragraph' | 'heading'; parts: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | undefined; items: { isDone: boolean | undefined; blocks: Block[] }[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

/** Deeper than a person nests anything. */
const DEEPEST = 12

/** Undefined where it cannot be read: then the text stands as it is. */
export function readMarkdown(text: string): Block[] | undefined {
  try {
    return blocksOf(lexer(text, { gfm: true, breaks: true }), 0)
  } catch {
    return undefined // Nested so deeply that the parser has no room left.
  }
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap(token => blockOf(token, depth))
}

function blockOf(token: Token, depth: number): Block[] {
  if (token.type === 'space' || token.type === 'def') return token.type === 'def' ? [asWritten(token)] : []
  if (depth > DEEPEST) return [asWritten(token)]
  if (token.type === 'code') return [{ kind: 'code', text: (token as Tokens.Code).text }]
  if (token.type === 'hr') return [{ kind: 'rule' }]
  if (token.type === 'blockquote')
    return [{ kind: 'quote', blocks: blocksOf((token as Tokens.Blockquote).tokens, depth + 1) }]
  if (token.type === 'list') return [listOf(token as Tokens.List, depth)]
  if (token.type === 'table') return [tableOf(token as Tokens.Table, depth)]
  if (token.type === 'heading') return [{ kind: 'heading', parts: partsOf(token, depth) }]
  if (token.type === 'paragraph' || token.type === 'text') return [{ kind: 'paragraph', parts: partsOf(token, depth) }]
  // HTML, and whatever a later version of the parser may know.
  return [asWritten(token)]
}

function asWritten({ raw }: Token): Block {
  return { kind: 'paragraph', parts: [{ kind: 'text', text: raw.replace(/\n+$/, '') }] }
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): Block {
  return {
    kind: 'list',
    start: ordered ? Number(start) || 1 : undefined,
    items: items.map(({ task, checked, tokens }) => ({
      isDone: task ? checked === true : undefined,
      blocks: blocksOf(
        tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      ),
    })),
  }
}

function tableOf({ header, rows }: Tokens.Table, depth: number): Block {
  const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => inlinesOf(tokens, depth + 1))
  return { kind: 'table', head: cells(header), rows: rows.map(cells) }
}

function partsOf(token: Token, depth: number): Inline[] {
  const { tokens, text, raw } = token as { tokens?: Token[]; text?: string; raw: string }
  return tokens ? inlinesOf(tokens, depth + 1) : [{ kind: 'text', text: text ?? raw }]
}

function inlinesOf(tokens: readonly Token[], depth: number): Inline[] {
  return tokens.flatMap(token => inlineOf(token, depth))
}

function inlineOf(token: Token, depth: number): Inline[] {
  const { type, raw } = token
  if (depth > DEEPEST) return [{ kind: 'text', text: raw }]
  if (type === 'br') return [{ kind: 'text', text: '\n' }]
  if (type === 'codespan') return [{ kind: 'code', text: (token as Tokens.Codespan).text }]
  if (type === 'escape') return [{ kind: 'text', text: (token as Tokens.Escape).text }]
  if (type === 'strong' || type === 'em' || type === 'del') return [{ kind: type, parts: partsOf(token, depth) }]
  if (type === 'link') return linkOf(token as Tokens.Link, partsOf(token, depth))
  if (type === 'image') {
    const { href, text } = token as Tokens.Image
    return linkOf({ href, raw }, [{ kind: 'text', text: text === '' ? href : text }])
  }
  if (type === 'text') return partsOf(token, depth)
  return [{ kind: 'text', text: raw }]
}

/** Only what a person can follow without harm. Of anything else the source is shown. */
function linkOf({ href, raw }: { href: string; raw: string }, parts: Inline[]): Inline[] {
  const url = URL.canParse(href) ? new URL(href) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    return [{ kind: 'text', text: raw }]
  const says = textOf(parts)
  const isSaid = says === href || says === url.href || says === url.host
  return [{ kind: 'link', href: url.href, host: isSaid ? undefined : url.host, parts }]
}

function textOf(parts: readonly Inline[]): string {
  return parts.map(part => ('text' in part ? part.text : textOf(part.parts))).join('')
}
