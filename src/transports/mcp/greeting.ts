// The handshake of the protocol up to 2025-11-25, without the SDK: its schemas are over a quarter of all that a hub would make at its
// start, its server object most of what a connection holds. Says exactly what the SDK would; whatever is unusual is left to it.
import type { Hub } from '../hub.ts'
import type { RpcMessage } from '../json-rpc.ts'
import { instructions } from './instructions.ts'
import type { Peer } from './peer.ts'
import { hasResources } from './toolsets.ts'

/** As the SDK has them, newest first: a client that asks for another version gets the first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params'])
const CLIENT_TEXTS = new Set(['name', 'version', 'title', 'websiteUrl', 'description'])
/** What clients declare without more than empty objects and flags below it. */
const CAPABILITIES = new Set(['roots', 'sampling', 'elicitation'])

export function serverInfo<S>({ version }: Hub<S>) {
  return { name: 'toryo', title: 'Toryo', version }
}

export function capabilitiesOf(peer: Peer) {
  return {
    // Said in each case, or the SDK says yes. Without a connection there is no sign-in, and the list stays as it is.
    tools: { listChanged: peer.connection !== undefined },
    // What is listed of these never changes: resources are templates, prompts come with the program.
    ...(hasResources(peer.offer) && {
      resources: { subscribe: true, listChanged: false },
      prompts: { listChanged: false },
      completions: {},
    }),
  }
}

/** The result of a usual `initialize`; undefined: the message is the SDK's to handle. */
export function greeting<S>(hub: Hub<S>, peer: Peer, message: RpcMessage): Record<string, unknown> | undefined {
  const { method, params } = message
  if (method !== 'initialize' || !isPlain(message) || !params || !isUsual(params)) return undefined
  const asked = params['protocolVersion'] as string
  return {
    protocolVersion: HANDSHAKE_VERSIONS.includes(asked) ? asked : HANDSHAKE_VERSIONS[0],
    capabilities: capabilitiesOf(peer),
    serverInfo: serverInfo(hub),
    instructions: instructions(hub, peer),
  }
}

/** A request with nothing but what JSON-RPC has. */
export function isPlain(message: RpcMessage): boolean {
  return message.id !== undefined && Object.keys(message).every(key => ENVELOPE.has(key))
}

function isUsual({ protocolVersion, capabilities, clientInfo, ...more }: Record<string, unknown>): boolean {
  return (
    Object.keys(more).length === 0 &&
    typeof protocolVersion === 'string' &&
    isObject(clientInfo) &&
    typeof clientInfo['name'] === 'string' &&
    typeof clientInfo['version'] === 'string' &&
    Object.entries(clientInfo).every(([key, value]) => CLIENT_TEXTS.has(key) && typeof value === 'string') &&
    isObject(capabilities) &&
    Object.entries(capabilities).every(([key, value]) => CAPABILITIES.has(key) && isObject(value) && isBare(key, value))
  )
}

function isBare(capability: string, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([key, value]) =>
    capability === 'roots'
      ? key === 'listChanged' && typeof value === 'boolean'
      : isObject(value) && Object.keys(value).length === 0,
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
