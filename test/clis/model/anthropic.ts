// Anthropic Messages, as Claude Code speaks it.
import type { ServerResponse } from 'node:http'
import { COST, endNamed, json, list, MCP_NAME, newId, pieces, sse, Turns, words } from './conversation.ts'
import type { Json, Protocol, Request, Spoken, Use } from './conversation.ts'

export const anthropic: Protocol = {
  hear({ path, headers, body }) {
    if (!path.endsWith('/v1/messages')) return undefined
    const turns = new Turns()
    for (const { role, content } of list(body['messages'])) {
      if (role !== 'user') continue
      for (const part of typeof content === 'string' ? [{ text: content }] : list(content)) {
        if (part['type'] === 'tool_result') turns.answer(words(part['content']))
        else turns.person([part])
      }
    }
    return {
      protocol: 'anthropic',
      model: String(body['model']),
      key: String(headers['x-api-key'] ?? headers.authorization ?? ''),
      ...turns.heard,
      tools: list(body['tools']).map(tool => String(tool['name'])),
    }
  },
  answer(response, step, request) {
    if ('refuse' in step) {
      const body = { type: 'error', error: { type: errorType(step.refuse), message: step.message } }
      return json(response, step.refuse, step.body ?? body, { 'request-id': newId('req'), ...step.headers })
    }
    if (request.body['stream'] !== true) return json(response, 200, message(request, [block(step)], stopOf(step)))
    stream(response, step, request)
  },
}

function stream(response: ServerResponse, step: Spoken, request: Request): void {
  const content = block(step)
  const start = {
    type: 'message_start',
    message: { ...message(request, [], null), usage: { input_tokens: COST.input, output_tokens: 1 } },
  }
  const deltas =
    content['type'] === 'text'
      ? pieces(String(content['text'])).map(text => ({ type: 'text_delta', text }))
      : pieces(JSON.stringify(content['input'])).map(partial_json => ({ type: 'input_json_delta', partial_json }))
  const empty = content['type'] === 'text' ? { type: 'text', text: '' } : { ...content, input: {} }
  sse(response, [start, { type: 'content_block_start', index: 0, content_block: empty }], true)
  if ('cut' in step) return void response.destroy()
  const rest: Json[] = [
    ...deltas.map(delta => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopOf(step), stop_sequence: null },
      usage: { output_tokens: COST.output },
    },
    { type: 'message_stop' },
  ]
  endNamed(response, rest)
}

function message(request: Request, content: Json[], stop: string | null): Json {
  const usage = { input_tokens: COST.input, output_tokens: COST.output }
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: request.body['model'],
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage,
  }
}

function stopOf(step: Spoken): string {
  return 'say' in step || 'cut' in step ? 'end_turn' : 'tool_use'
}

function block(step: Spoken): Json {
  if ('say' in step) return { type: 'text', text: step.say }
  if ('cut' in step) return { type: 'text', text: step.cut }
  return { type: 'tool_use', id: newId('toolu'), ...use(step) }
}

function use(step: Use): Json {
  if ('listTools' in step) throw new Error('the request names them all')
  if ('call' in step) return { name: `mcp__${step.server ?? MCP_NAME}__${step.call}`, input: step.args }
  if ('write' in step) return { name: 'Write', input: { file_path: step.write, content: step.content } }
  if ('edit' in step)
    return { name: 'Edit', input: { file_path: step.edit, old_string: step.from, new_string: step.to } }
  return { name: 'Bash', input: { command: step.shell, description: 'Does it' } }
}

function errorType(status: number): string {
  const types: Record<number, string> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    429: 'rate_limit_error',
  }
  return types[status] ?? 'api_error'
}
