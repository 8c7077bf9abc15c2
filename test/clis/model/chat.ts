// OpenAI Chat Completions, as opencode speaks it to a provider of the user's own.
import { COST, json, list, MCP_NAME, newId, pieces, sse, Turns, words } from './conversation.ts'
import type { Json, Protocol, Spoken, Use } from './conversation.ts'

export const chat: Protocol = {
  hear({ path, headers, body }) {
    if (!path.endsWith('/chat/completions')) return undefined
    const turns = new Turns()
    for (const { role, content } of list(body['messages'])) {
      if (role === 'tool') turns.answer(words(content))
      if (role === 'user') turns.person(content)
    }
    return {
      protocol: 'chat',
      model: String(body['model']),
      key: String(headers.authorization ?? '').replace(/^Bearer /, ''),
      ...turns.heard,
      tools: list(body['tools']).map(({ function: offered }) => String((offered as Json)['name'])),
    }
  },
  answer(response, step, { body }) {
    if ('refuse' in step) {
      const error = { error: { message: step.message, type: 'scripted', code: 'scripted' } }
      return json(response, step.refuse, step.body ?? error, step.headers)
    }
    const about = { id: newId('chatcmpl'), created: Math.floor(Date.now() / 1000), model: body['model'] }
    const finish = 'say' in step || 'cut' in step ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: COST.input, completion_tokens: COST.output, total_tokens: COST.input + COST.output }
    if (body['stream'] !== true) {
      const message = { role: 'assistant', ...whole(step) }
      const choices = [{ index: 0, message, finish_reason: finish }]
      return json(response, 200, { ...about, object: 'chat.completion', choices, usage })
    }
    const chunk = (delta: Json, reason: string | null = null): Json => ({
      ...about,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
    const deltas = 'say' in step ? pieces(step.say).map(content => ({ content })) : [whole(step)]
    sse(response, [chunk({ role: 'assistant', content: '' }), ...deltas.map(delta => chunk(delta))])
    if ('cut' in step) return void response.destroy()
    for (const event of [chunk({}, finish), { ...chunk({}), choices: [], usage }])
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end('data: [DONE]\n\n')
  },
}

function whole(step: Spoken): Json {
  if ('say' in step) return { content: step.say }
  if ('cut' in step) return { content: step.cut }
  const { name, input } = use(step)
  const call = { index: 0, id: newId('call'), type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return { tool_calls: [call] }
}

function use(step: Use): { name: string; input: Json } {
  if ('listTools' in step) throw new Error('the request names them all')
  if ('call' in step) return { name: `${step.server ?? MCP_NAME}_${step.call}`, input: step.args }
  if ('write' in step) return { name: 'write', input: { filePath: step.write, content: step.content } }
  if ('edit' in step) return { name: 'edit', input: { filePath: step.edit, oldString: step.from, newString: step.to } }
  return { name: 'bash', input: { command: step.shell, description: 'Does it' } }
}
