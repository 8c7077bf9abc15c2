// Gemini generateContent, as Gemini CLI speaks it.
import { COST, type Json, json, list, MCP_NAME, ofPerson, pieces, type Protocol, sse, words } from './conversation.ts'
import type { Step } from './conversation.ts'

export const gemini: Protocol = {
  hear({ path, headers, body }) {
    const [, model] = /\/models\/([^/:]+):(?:streamG|g)enerateContent$/.exec(path) ?? []
    if (model === undefined) return undefined
    const said: string[] = []
    let results: string[] = []
    for (const { role, parts } of list(body['contents'])) {
      if (role === 'model') continue
      for (const part of list(parts)) {
        const text = ofPerson(words([part]))
        if ('functionResponse' in part) results.push(told(part['functionResponse'] as Json))
        else if (text !== '') {
          said.push(text)
          results = []
        }
      }
    }
    return {
      protocol: 'gemini',
      model,
      key: String(headers['x-goog-api-key'] ?? ''),
      said,
      prompt: said.at(-1) ?? '',
      results,
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

function part(step: Exclude<Step, { silence: true } | { refuse: number } | { say: string }>): Json {
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
