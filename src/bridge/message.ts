// What the bridge must know of a JSON-RPC message to relay it, and the few answers that it gives on its own.
import { isUtf8 } from 'node:buffer'
import type { Text } from '#contract/errors.ts'

export type Id = string | number

export type Message =
  | { kind: 'request'; id: Id; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'response'; id: Id | null; failed: boolean }
  | { kind: 'invalid'; id: Id | null; code: typeof PARSE_ERROR | typeof INVALID_REQUEST; why: Text }

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const HUB_ABSENT = -32001

/** The line as text, or undefined when it is not UTF-8: a guess would change what the client meant. */
export function decode(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

export function readMessage(line: string | undefined): Message {
  const value = parse(line)
  if (value === undefined) return invalid(null, PARSE_ERROR, 'The line is not JSON.', 'JSON として解釈できない行です。')
  if (Array.isArray(value))
    return invalid(null, INVALID_REQUEST, 'Batches are not supported.', 'バッチには対応していません。')
  if (!isObject(value)) return invalid(null, INVALID_REQUEST, NOT_RPC.en, NOT_RPC.ja)
  const id = isId(value['id']) ? value['id'] : null
  const { method } = value
  if (value['jsonrpc'] !== '2.0') return invalid(id, INVALID_REQUEST, NOT_RPC.en, NOT_RPC.ja)
  if (typeof method === 'string') {
    const params = isObject(value['params']) ? value['params'] : {}
    if (!('id' in value)) return { kind: 'notification', method, params }
    if (id !== null) return { kind: 'request', id, method, params }
    return invalid(null, INVALID_REQUEST, 'An id is a string or a whole number.', 'id は文字列か整数です。')
  }
  if (method === undefined && 'id' in value && 'result' in value !== 'error' in value)
    return { kind: 'response', id, failed: 'error' in value }
  return invalid(id, INVALID_REQUEST, NOT_RPC.en, NOT_RPC.ja)
}

/** What the hub sends is JSON. Of a result, which may be long, the beginning says all that we must know. */
export function readHubMessage(text: string): Message {
  const id = RESULT.exec(text)?.[1]
  return id === undefined ? readMessage(text) : { kind: 'response', id: JSON.parse(id) as Id, failed: false }
}

/** The id of a result, as JSON, from a line's first bytes; undefined where the line must be looked at more closely. */
export function idOfResult(line: Buffer): string | undefined {
  return PLAIN_RESULT.exec(line.toString('latin1', 0, HEAD))?.[1]
}

const HEAD = 160
/** Ids that JSON has only one way to write. */
const PLAIN_RESULT = /^\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}|"[\w.:-]{1,100}"),"result":\{/

/** As the hub writes them: it puts the id first. */
const RESULT = /^\{"jsonrpc":"2\.0","id":(-?\d{1,15}|"[^"\\]{0,200}"),"result":\{/

/** `1` and `"1"` are two ids. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? ''
}

export function errorLine(id: Id | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** The result of a call that failed. */
export function refusalLine(id: Id, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true } })
}

export function notificationLine(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })
}

export function cancelLine(requestId: Id, reason: string): string {
  return notificationLine('notifications/cancelled', { requestId, reason })
}

const NOT_RPC: Text = {
  en: 'The line is not a JSON-RPC 2.0 message.',
  ja: 'JSON-RPC 2.0 のメッセージではありません。',
}

function invalid(id: Id | null, code: typeof PARSE_ERROR | typeof INVALID_REQUEST, en: string, ja: string): Message {
  return { kind: 'invalid', id, code, why: { en, ja } }
}

function parse(line: string | undefined): unknown {
  if (line === undefined) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined // JSON has no undefined, so this cannot be mistaken for a value.
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As MCP has it: text, or a whole number that survives being read. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
