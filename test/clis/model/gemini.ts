// Gemini generateContent, as Gemini CLI speaks it.
import { COST, json, list, MCP_NAME, pieces, sse, Turns } from './conversation.ts'
import type { Json, Protocol, Spoken } from './conversation.ts'

export const gemini: Protocol = {
  hear({ path, headers, body }) {
    const [, model] = /\/models\/([^/:]+):(?:streamG|g)enerateContent$/.exec(path) ?? []
    if (model === undefined) return undefined
    const turns = new Turns()
    for (const { role, parts } of list(body['contents'])) {
      if (role === 'model') continue
      for (const part of list(parts)) {
        if ('functionResponse' in part) turns.answer(told(part['functionResponse'] as Json))
        else turns.person([part])
      }
    }
    return {
      protocol: 'gemini',
      model,
      key: String(headers['x-goog-api-key'] ?? ''),
      ...turns.heard,
      tools: list(body['tools']).flatMap(({ functionDeclarations }) =>
        list(functionDeclarations).map(({ name }) => String(name)),
      ),
    }
  },
  answer(response, step, { path }) {
    if ('refuse' in step) {
      const error = { error: { code: step.refuse, message: step.message, status: STATUSES[step.refuse] ?? 'UNKNOWN' } }
      return json(response, step.refuse, step.body ?? error, step.headers)
    }
    const parts = 'say' in step ? pieces(step.say).map(text => ({ text })) : [part(step)]
    const piece = (some: Json[], last: boolean): Json => ({
      candidates: [{ content: { role: 'model', parts: some }, index: 0, ...(last && { finishReason: 'STOP' }) }],
      usageMetadata: {
        promptTokenCount: COST.input,
        candidatesTokenCount: COST.output,
        totalTokenCount: COST.input + COST.output,
      },
    })
    if (!path.includes('streamGenerateContent')) return json(response, 200, piece(parts, true))
    if ('cut' in step) {
      sse(response, [piece(parts, false)])
      return void response.destroy()
    }
    sse(
      response,
      parts.map((one, at) => piece([one], at === parts.length - 1)),
    )
    response.end()
  },
}

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

/** What the tool said; the program wraps it. */
function told({ response }: Json): string {
  const { output, error } = (response ?? {}) as Json
  return typeof output === 'string' ? output : typeof error === 'string' ? error : JSON.stringify(response)
}

function part(step: Exclude<Spoken, { say: string }>): Json {
  if ('cut' in step) return { text: step.cut }
  if ('listTools' in step) throw new Error('the request names them all')
  if ('call' in step) return { functionCall: { name: `mcp_${step.server ?? MCP_NAME}_${step.call}`, args: step.args } }
  if ('write' in step)
    return { functionCall: { name: 'write_file', args: { file_path: step.write, content: step.content } } }
  if ('edit' in step) {
    const args = { file_path: step.edit, old_string: step.from, new_string: step.to, instruction: 'Replace it' }
    return { functionCall: { name: 'replace', args } }
  }
  return { functionCall: { name: 'run_shell_command', args: { command: step.shell, description: 'Does it' } } }
}
