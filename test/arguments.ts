// Arguments that a tool's listed schema allows: programs that check them first let these pass.

export type InputSchema = {
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly InputSchema[]
  properties?: Readonly<Record<string, InputSchema>>
  required?: readonly string[]
  items?: InputSchema
}

/** What must be given, and nothing else. */
export function argumentsFor({ properties = {}, required = [] }: InputSchema): Record<string, unknown> {
  return Object.fromEntries(required.map(name => [name, valueFor(properties[name] ?? {})]))
}

function valueFor(schema: InputSchema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return valueFor(schema.anyOf[0] ?? {})
  switch (schema.type) {
    case 'object':
      return argumentsFor(schema)
    case 'array':
      return [valueFor(schema.items ?? {})]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return 1
    default:
      return 'nothing'
  }
}

/** Text for the arguments that are nothing but text. */
export const WORDS = { title: 't', content: 'c', decision: 'd', reason: 'r', keyword: 'k', query: 'q' }

/** By tool: what `result` is where it is not the one word that most tools take. */
export const RESULTS: Readonly<Record<string, Record<string, unknown>>> = {
  save_phase_result: { result: { checkpoint: 'c', data: {} } },
  transition_to_next_phase: { result: { status: 'completed' } },
}
