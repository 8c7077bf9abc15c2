// OpenAI Responses, as Codex speaks it. The model's name decides how it may use tools; see `dialectOf`.
import { COST, endNamed, json, list, MCP_NAME, newId, sse, Turns, words } from './conversation.ts'
import type { Json, Protocol, Request, Spoken, Use } from './conversation.ts'

export const responses: Protocol = {
  hear({ path, headers, body }) {
    if (!path.endsWith('/responses')) return undefined
    const turns = new Turns()
    for (const { type, role, content, output } of list(body['input'])) {
      if (type === 'function_call_output' || type === 'custom_tool_call_output') turns.answer(words(output))
      if (type !== 'message' || role !== 'user') continue
      const text = words(content).trim()
      // What it adds automatically is in tags, in a message of its own.
      if (!/^<\w+>/.test(text) && !text.startsWith('# AGENTS.md')) turns.say(text)
    }
    return {
      protocol: 'responses',
      model: String(body['model']),
      key: String(headers.authorization ?? '').replace(/^Bearer /, ''),
      ...turns.heard,
      tools: offered(body),
    }
  },
  answer(response, step, request) {
    if ('refuse' in step) {
      const error = { error: { message: step.message, type: 'scripted', code: 'scripted' } }
      return json(response, step.refuse, step.body ?? error, step.headers)
    }
    const id = newId('resp')
    const about = { id, object: 'response', created_at: Math.floor(Date.now() / 1000), model: request.body['model'] }
    const item = itemOf(step, request)
    sse(response, [{ type: 'response.created', response: { ...about, status: 'in_progress', output: [] } }], true)
    if ('cut' in step) return void response.destroy()
    const usage = {
      input_tokens: COST.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: COST.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: COST.input + COST.output,
    }
    const rest: Json[] = [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...about, status: 'completed', output: [item], usage } },
    ]
    endNamed(response, rest)
  },
}

type Dialect = 'code' | 'classic' | 'plain'

/** Newer models write programs that call tools; older ones call them; of unknown ones it is not assumed that they can patch. */
function dialectOf(body: Json): Dialect {
  if (extra(body).length > 0 || offered(body).includes('exec')) return 'code'
  return offered(body).includes('apply_patch') ? 'classic' : 'plain'
}

function extra(body: Json): Json[] {
  return list(body['input']).filter(item => item['type'] === 'additional_tools')
}

function offered(body: Json): string[] {
  const tools = [...list(body['tools']), ...extra(body).flatMap(item => list(item['tools']))]
  return tools.map(tool => String(tool['name'] ?? tool['type']))
}

function itemOf(step: Spoken, request: Request): Json {
  if ('say' in step || 'cut' in step) {
    const text = 'say' in step ? step.say : step.cut
    return {
      type: 'message',
      id: newId('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    }
  }
  const dialect = dialectOf(request.body)
  if (dialect === 'code') return custom('exec', program(step))
  if ('listTools' in step) throw new Error('only a model that writes programs can ask for all tools')
  if ('call' in step) return called(step.call, step.args, `mcp__${step.server ?? MCP_NAME}`)
  if ('shell' in step) return called('exec_command', { cmd: step.shell })
  if (dialect === 'classic') return custom('apply_patch', patch(step))
  return called('exec_command', { cmd: byShell(step) })
}

function called(name: string, args: Json, namespace?: string): Json {
  const call = { type: 'function_call', id: newId('fc'), call_id: newId('call'), name, arguments: JSON.stringify(args) }
  return { ...call, status: 'completed', ...(namespace !== undefined && { namespace }) }
}

function custom(name: string, input: string): Json {
  return { type: 'custom_tool_call', id: newId('ctc'), call_id: newId('call'), name, input, status: 'completed' }
}

/** It spells a server's name as a JavaScript name. */
function program(step: Use): string {
  if ('listTools' in step) return "text(ALL_TOOLS.map(({ name }) => name).join('\\n'))"
  if ('call' in step) {
    const name = `mcp__${(step.server ?? MCP_NAME).replaceAll('-', '_')}__${step.call}`
    return `text(await tools.${name}(${JSON.stringify(step.args)}))`
  }
  if ('shell' in step) return `text(await tools.exec_command(${JSON.stringify({ cmd: step.shell })}))`
  return `text(await tools.apply_patch(${JSON.stringify(patch(step))}))`
}

function patch(step: Extract<Use, { write: string } | { edit: string }>): string {
  const body =
    'write' in step
      ? [
          `*** Add File: ${step.write}`,
          ...step.content
            .replace(/\n$/, '')
            .split('\n')
            .map(line => `+${line}`),
        ]
      : [`*** Update File: ${step.edit}`, '@@', `-${step.from}`, `+${step.to}`]
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n')
}

function byShell(step: Extract<Use, { write: string } | { edit: string }>): string {
  if ('write' in step)
    return `cat > '${step.write}' <<'END'\n${step.content}${step.content.endsWith('\n') ? '' : '\n'}END`
  return `sed -i 's/${step.from}/${step.to}/' '${step.edit}'`
}
