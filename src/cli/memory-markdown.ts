// Memory as Markdown that people read and edit, and that can be read back. What a reader must not lose (ids, times, who
// replaces whom) stands in a comment behind each heading; texts stand in quotes, so that their own headings are not ours.
import type { MemoryRecord } from '#contract/memory.ts'
import { inOrder } from '#contract/memory-import.ts'

type Of<T extends MemoryRecord['type']> = Extract<MemoryRecord, { type: T }>
type Facts = Record<string, unknown>
type Heading = { title: string; type: string; facts: Facts }

const HEADING = /^#{2,6} /
const MARK = /<!-- (topic|log|decision) \{/
const MARK_END = '} -->'
const REASON = '**Reason**'

export function toMarkdown(records: readonly MemoryRecord[], name: string): string {
  const topics = records.filter(record => record.type === 'topic')
  const below = new Map<number | null, string[]>()
  for (const record of records) {
    if (record.type === 'topic') continue
    const texts = below.get(record.topic_id) ?? []
    texts.push(record.type === 'log' ? logText(record) : decisionText(record))
    below.set(record.topic_id, texts)
  }
  const whole = topics.flatMap(topic => [topicText(topic), ...(below.get(topic.id ?? 0) ?? [])])
  return `${[`# ${oneLine(name)}`, ...whole, ...(below.get(null) ?? [])].join('\n\n')}\n`
}

/** Records in an order in which each comes after those it names. Undefined when the text has none. */
export function fromMarkdown(text: string): MemoryRecord[] | undefined {
  const records: MemoryRecord[] = []
  let heading: Heading | undefined
  let blocks: string[][] = []
  const end = () => {
    if (heading)
      records.push(
        recordOf(
          heading,
          blocks.map(block => block.join('\n')),
        ),
      )
  }
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const mark = headingIn(line)
    if (mark) {
      end()
      heading = mark
      blocks = [[]]
    } else if (line === REASON) blocks.push([])
    else if (/^> ?/.test(line)) blocks.at(-1)?.push(line.replace(/^> ?/, ''))
  }
  end()
  return records.length > 0 ? inOrder(records) : undefined
}

/** In steps, each of which looks at the line once: people may have put anything between a title and its mark. */
function headingIn(line: string): Heading | undefined {
  if (!HEADING.test(line)) return undefined
  const text = line.trimEnd()
  const mark = MARK.exec(text)
  if (!mark || !text.endsWith(MARK_END)) return undefined
  const title = text.slice(text.indexOf(' ') + 1, mark.index).trimEnd()
  const facts = JSON.parse(text.slice(mark.index + mark[0].length - 1, 1 - MARK_END.length)) as Facts
  return { title, type: mark[1] ?? '', facts }
}

function topicText({ id, title, description, parent_topic_id, created_at }: Of<'topic'>): string {
  const shown = oneLine(title)
  const facts = { id, parent: parent_topic_id, at: created_at, ...(shown !== title && { title }) }
  return [`## ${shown} ${comment('topic', facts)}`, ...(description === null ? [] : [quote(description)])].join('\n\n')
}

function logText({ id, topic_id, content, created_at }: Of<'log'>): string {
  return `### Log ${id ?? ''} ${comment('log', { id, topic: topic_id, at: created_at })}\n\n${quote(content)}`
}

function decisionText({ id, topic_id, decision, reason, supersedes, created_at }: Of<'decision'>): string {
  const facts = { id, topic: topic_id, at: created_at, ...(typeof supersedes === 'number' && { supersedes }) }
  const head = `### Decision ${id} ${comment('decision', facts)}`
  return [head, quote(decision), REASON, quote(reason)].join('\n\n')
}

function recordOf({ title, type, facts }: Heading, blocks: string[]): MemoryRecord {
  const [first = '', second = ''] = blocks
  const common = { id: facts['id'] as number, ...(facts['at'] !== undefined && { created_at: facts['at'] as string }) }
  const topic = (facts['topic'] ?? null) as number | null
  if (type === 'topic') {
    const parent = (facts['parent'] ?? null) as number | null
    const whole = (facts['title'] as string | undefined) ?? title
    const description = first === '' ? null : first
    return { type: 'topic', ...common, parent_topic_id: parent, title: whole, description }
  }
  if (type === 'log') return { type: 'log', ...common, topic_id: topic as number, content: first }
  const supersedes = (facts['supersedes'] ?? null) as number | null
  return { type: 'decision', ...common, topic_id: topic, decision: first, reason: second, supersedes }
}

const quote = (text: string) => text.replaceAll(/^/gm, '> ')
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('<!--', '<! --').trim()

/** Two dashes would end the comment. */
function comment(type: string, facts: Facts): string {
  return `<!-- ${type} ${JSON.stringify(facts).replaceAll('--', String.raw`-\u002d`)} -->`
}
