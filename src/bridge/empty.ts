// What the registered bridge is below a run, an instance or a tab: an MCP server that offers nothing. The agent there has its own
// way to the hub, by its ticket. Here it would find every tool a second time, with the operator's rights.
import { LineSplitter } from '#system/line-splitter.ts'
import { type Lang, quoted } from '#contract/errors.ts'
import { decode, errorLine, type Message, readMessage } from './message.ts'

const LINE_BYTES = 16 * 1024 * 1024
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

/** Newest last. */
const LEGACY = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
/** Knows no handshake: each request names the version. */
const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol'

const serverInfo = { name: 'toryo', title: 'Toryo', version: '1' }
/** Servers must have some ability; a list of tools, which is empty, is the one that every client knows. */
const capabilities = { tools: {} }

const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

/** What each of these must bring, as text. */
const NEEDED: Readonly<Record<string, string>> = { initialize: 'protocolVersion', 'tools/call': 'name' }

/** Takes the client's bytes; gives one line for each answer. */
export function emptyServer(toClient: (line: string) => void, lang: Lang): (bytes: Buffer) => void {
  const hear = (message: Message) => {
    if (message.kind === 'invalid') toClient(errorLine(message.id, message.code, message.why[lang]))
    if (message.kind === 'request') toClient(answer(message))
  }
  const lines = new LineSplitter(LINE_BYTES, LINE_BYTES, {
    line: bytes => bytes.length > 0 && hear(readMessage(decode(bytes))),
    oversize: () => {}, // It could only be a call, and there is nothing to call.
  })
  return bytes => lines.push(bytes)
}

function answer({ id, method, params }: Extract<Message, { kind: 'request' }>): string {
  const modern = isModern(params)
  const list = LISTS[method]
  const answered = (result: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, result: modern ? { ...result, ...STAMP } : result })
  const needed = NEEDED[method]
  if (needed !== undefined && typeof params[needed] !== 'string')
    return errorLine(id, INVALID_PARAMS, `Invalid params for ${method}: ${needed}: expected string`)
  if (method === 'initialize') return answered({ protocolVersion: versionFor(params), capabilities, serverInfo })
  if (method === 'server/discover') return answered({ supportedVersions: [MODERN], capabilities })
  if (method === 'ping') return answered({})
  if (list !== undefined) return answered({ [list]: [], ...(modern && { ttlMs: 0, cacheScope: 'private' }) })
  if (method === 'tools/call') return errorLine(id, INVALID_PARAMS, `Unknown tool: ${quoted(String(params['name']))}`)
  return errorLine(id, METHOD_NOT_FOUND, 'Method not found')
}

const STAMP = { resultType: 'complete', _meta: { [`${META}/serverInfo`]: serverInfo } }

function isModern({ _meta: meta }: Readonly<Record<string, unknown>>): boolean {
  return typeof meta === 'object' && meta !== null && `${META}/protocolVersion` in meta
}

function versionFor({ protocolVersion }: Readonly<Record<string, unknown>>): string {
  return LEGACY.find(known => known === protocolVersion) ?? (LEGACY.at(-1) as string)
}
