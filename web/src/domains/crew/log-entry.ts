// What a line of an engine's output says, for people. Engines write JSON lines of their own kinds; what is not known is shown as it is.
// Calls of our own server carry credentials: none is repeated.
import { withoutSecrets } from '#contract/secrets.ts'

export type LogEntry = {
  /** `json`: of a kind that is not known here; its name is that kind. */
  kind: 'say' | 'tool' | 'result' | 'error' | 'note' | 'end' | 'json' | 'raw'
  text: string
  name?: string
}

type Json = Record<string, unknown>

export function entriesOf(line: string): LogEntry[] {
  if (line.trim() === '') return []
  const json = parse(line)
  const type = String(json?.['type'])
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  if (!json) return [rawEntry(line)]
  if (!read)
    return [{ ...rawEntry(line), kind: 'json', name: withoutSecrets(text(json['type'])).slice(0, BRIEF_CHARS) }]
  return read(json).map(entry => ({
    ...entry,
    text: withoutSecrets(entry.text),
    ...(entry.name !== undefined && { name: withoutSecrets(entry.name) }),
  }))
}

/** The line as it was written. */
export function rawEntry(line: string): LogEntry {
  return { kind: 'raw', text: withoutSecrets(line) }
}

const READERS: Record<string, (json: Json) => LogEntry[]> = {
  // Claude and what speaks like it.
  system: json => (json['subtype'] === 'init' ? [{ kind: 'note', text: text(json['model']) }] : []),
  assistant: json => blocks(json).flatMap(block),
  user: json => blocks(json).flatMap(block),
  result: json => [{ kind: json['is_error'] === true ? 'error' : 'end', text: text(json['result']) }],
  // Codex.
  'thread.started': () => [{ kind: 'note', text: '' }],
  'turn.started': () => [],
  'turn.completed': () => [],
  'item.started': () => [],
  'item.completed': json => item(object(json['item'])),
  error: json => [{ kind: 'error', text: text(json['message'] ?? json['error']) }],
  // Gemini and opencode.
  message: json => (json['role'] === 'assistant' ? [{ kind: 'say', text: text(json['content']) }] : []),
  text: json => [{ kind: 'say', text: text(object(json['part'])['text']) }],
  tool_use: json => {
    const part = object(json['part'])
    const name = text(json['tool_name'] ?? part['tool'])
    return [{ kind: 'tool', name, text: brief(object(json['parameters'] ?? object(part['state'])['input'])) }]
  },
  tool_result: json => [{ kind: json['status'] === 'error' ? 'error' : 'result', text: text(json['output']) }],
}

function block(one: Json): LogEntry[] {
  switch (one['type']) {
    case 'text':
      return [{ kind: 'say', text: text(one['text']) }]
    case 'tool_use':
      return [{ kind: 'tool', name: text(one['name']), text: brief(object(one['input'])) }]
    case 'tool_result':
      return [{ kind: one['is_error'] === true ? 'error' : 'result', text: said(one['content']) }]
    default:
      return []
  }
}

function item(one: Json): LogEntry[] {
  switch (one['type']) {
    case 'agent_message':
      return [{ kind: 'say', text: text(one['text']) }]
    case 'command_execution':
      return [
        { kind: 'tool', name: 'shell', text: text(one['command']) },
        { kind: one['exit_code'] === 0 ? 'result' : 'error', text: text(one['aggregated_output']) },
      ]
    case 'mcp_tool_call':
      return [{ kind: 'tool', name: text(one['tool']), text: brief(object(one['arguments'])) }]
    case 'file_change':
      return [
        {
          kind: 'tool',
          name: 'edit',
          text: list(one['changes'])
            .map(change => text(change['path']))
            .join(', '),
        },
      ]
    case 'reasoning':
      return [{ kind: 'note', text: text(one['text']) }]
    default:
      return []
  }
}

/** The argument that says most. */
const TELLING = ['file_path', 'path', 'command', 'pattern', 'query', 'url', 'prompt', 'summary', 'description']
const BRIEF_CHARS = 200

function brief(input: Json): string {
  const key = TELLING.find(one => typeof input[one] === 'string')
  const told = key === undefined ? JSON.stringify(input) : text(input[key])
  // Half a credential would not be known as one.
  return told === '{}' ? '' : withoutSecrets(told).slice(0, BRIEF_CHARS)
}

function blocks(json: Json): Json[] {
  const content = object(json['message'])['content']
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)
}

function said(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map(one => text(one['text']))
    .join('\n')
}

function parse(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Json
  } catch {
    // Cut in the middle, or no JSON at all.
    return undefined
  }
}

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
