// Wrong parameters of a request are answered here, before the SDK sees them: it says -32603 and prints its whole complaint, or
// nothing at all, where the protocol has -32602.
import { specTypeSchemas } from '@modelcontextprotocol/server'
import { cut } from '#contract/errors.ts'
import { INVALID_PARAMS, INVALID_REQUEST, type RpcFailure, type RpcMessage } from '../json-rpc.ts'

const shared = {
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'completion/complete': specTypeSchemas.CompleteRequest,
}
/** The newer protocol answers these with "method not found", whatever their parameters. */
const older = {
  initialize: specTypeSchemas.InitializeRequest,
  'resources/subscribe': specTypeSchemas.SubscribeRequest,
  'resources/unsubscribe': specTypeSchemas.UnsubscribeRequest,
}
const SHAPES = new Map(Object.entries(shared))
const OLDER_SHAPES = new Map(Object.entries({ ...shared, ...older }))
const VERSION = 'io.modelcontextprotocol/protocolVersion'

export function wrongParams(message: RpcMessage): RpcFailure | undefined {
  const { id, method, params } = message
  if (id === undefined || method === undefined) return undefined
  const meta = params?.['_meta']
  const isModern = typeof meta === 'object' && meta !== null && VERSION in meta
  const shape = (isModern ? SHAPES : OLDER_SHAPES).get(method)
  // Whatever the method, a request that is not as JSON-RPC and MCP have it is dropped by the SDK without an answer.
  const issues = check(specTypeSchemas.JSONRPCRequest, message) ?? (shape && check(shape, message))
  if (!issues) return undefined
  const isAround = issues.some(({ path = [] }) => path[0] !== 'params')
  const problems = issues.slice(0, 5).map(({ path = [], message }) => {
    const where = path.slice(path[0] === 'params' ? 1 : 0).map(String)
    return `${cut(where.join('.') || 'params')}: ${cut(message.replace(/^Invalid input: /, ''))}`
  })
  const what = isAround ? 'Invalid message' : `Invalid params for ${cut(method)}`
  return { id, code: isAround ? INVALID_REQUEST : INVALID_PARAMS, message: `${what}: ${problems.join('; ')}` }
}

type Issues = readonly { message: string; path?: readonly PropertyKey[] }[]

function check(shape: { '~standard': { validate(value: unknown): unknown } }, message: RpcMessage): Issues | undefined {
  return (shape['~standard'].validate(message) as { issues?: Issues }).issues
}
