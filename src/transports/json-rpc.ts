import { JSON_DEPTH, JSON_KEYS } from '#contract/limits.ts'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

export type RpcMessage = { jsonrpc: '2.0'; id?: string | number; method?: string; params?: Record<string, unknown> }
export type RpcFailure = { id: string | number | null; code: number; message: string }

/** One JSON-RPC message, or why it is none. The check runs before anything walks the value. */
export function parseRpc(text: string): { message: RpcMessage } | { failure: RpcFailure } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return failure(null, PARSE_ERROR, 'not JSON')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return failure(null, INVALID_REQUEST, 'one JSON-RPC message at a time')
  const message = value as Record<string, unknown>
  const id = typeof message['id'] === 'string' || Number.isSafeInteger(message['id']) ? (message['id'] as string) : null
  if (message['jsonrpc'] !== '2.0') return failure(id, INVALID_REQUEST, 'not JSON-RPC 2.0')
  if ('id' in message && id === null) return failure(null, INVALID_REQUEST, 'id must be a string or a whole number')
  const isRequest = typeof message['method'] === 'string'
  if (!isRequest && (id === null || 'result' in message === 'error' in message))
    return failure(id, INVALID_REQUEST, 'neither a request nor an answer')
  const params = message['params']
  if (params !== undefined && (params === null || typeof params !== 'object' || Array.isArray(params)))
    return failure(id, INVALID_REQUEST, 'params must be an object')
  if (isTooComplex(message))
    return failure(id, INVALID_REQUEST, `deeper than ${JSON_DEPTH} or more than ${JSON_KEYS} entries`)
  return { message: message as RpcMessage }
}

export function rpcError({ id, code, message }: RpcFailure): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

function failure(id: string | number | null, code: number, message: string): { failure: RpcFailure } {
  return { failure: { id, code, message: `Invalid message: ${message}` } }
}

/** Goes no deeper than what it allows, so it may call itself. */
function isTooComplex(root: object): boolean {
  let keys = 0
  const isTooDeep = (node: object, depth: number): boolean => {
    if (depth > JSON_DEPTH) return true
    // What was parsed has no properties but its own.
    for (const key in node) {
      if (++keys > JSON_KEYS) return true
      const child = (node as Record<string, unknown>)[key]
      if (child !== null && typeof child === 'object' && isTooDeep(child, depth + 1)) return true
    }
    return false
  }
  return isTooDeep(root, 0)
}
