// What strict clients make of our answers: every answer and every refusal fits the schema that its tool is listed with, as a real
// validator reads it; and the lists stay small.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CoreError, type HubError } from '#contract/errors.ts'
import { TOOLSETS } from '#contract/toolsets.ts'
import { tools } from '#hub/tools.gen.ts'
import { formsOf, listed, type Tool } from '#kernel/tool.ts'
import { errorBody } from '#transports/errors.ts'
import { argumentsFor, type InputSchema } from './arguments.ts'
import { TestClock, testHub } from './hub.ts'

const all = (tools as Tool<never>[]).flatMap(formsOf)
const structured = all.filter(tool => !tool.prose).map(tool => [`${tool.name} (${tool.toolset})`, tool] as const)

const validator = new AjvJsonSchemaValidator()
const validate = (schema: unknown, value: unknown) =>
  validator.getValidator(schema as Parameters<typeof validator.getValidator>[0])(value)
const FITS = expect.objectContaining({ valid: true })

const REFUSALS: HubError[] = [
  CoreError.INVALID_ARGUMENT({ reason: { en: 'Wrong arguments.', ja: '引数が正しくありません。' } }),
  CoreError.NOT_ALLOWED({ what: { en: 'Not for you.', ja: '使えません。' } }),
  CoreError.QUOTA_EXCEEDED({ quota: 'calls', limit: 1, retryAfterMs: 1000 }),
  CoreError.DB_UNAVAILABLE(),
  CoreError.INTERNAL_ERROR({ ref: 'ref_1' }),
]

test.each(structured)('%s: its fullest answer, its barest answer and its refusals fit its schema', (_, tool) => {
  const { outputSchema } = listed(tool)
  const strict = z.toJSONSchema(tool.output, { io: 'output' }) as Sampled
  for (const whole of [true, false]) {
    const answer = tool.output.parse(sampleOf(strict, whole))
    expect(validate(outputSchema, answer)).toEqual(FITS)
  }
  for (const refusal of REFUSALS)
    expect(validate(outputSchema, errorBody(tool.toolset, refusal, 'en')), refusal.code).toEqual(FITS)
})

test.each(structured)('%s: its schema names lists and records of its answer, and closes nothing', (_, tool) => {
  const { type, properties = {}, ...rest }: Record<string, unknown> = listed(tool).outputSchema ?? {}
  expect([type, rest]).toEqual(['object', {}])
  for (const [name, field] of Object.entries(properties as object)) {
    expect(Object.keys(tool.output.shape)).toContain(name)
    expect([{ type: 'array' }, { type: 'object' }]).toContainEqual(field)
  }
})

test('a client that reads errors as structured answers, and checks them, gets the refusal of every tool', async () => {
  await using hub = await testHub({ clock: new TestClock(), config: { limits: { callsPerMinute: 1 } } })
  const { client } = await hub.connect({ toolsets: TOOLSETS.join() })
  const { tools: shown } = await client.listTools()
  await client.callTool({ name: 'list_projects' })
  expect(shown.length).toBeGreaterThan(50)
  for (const { name, inputSchema, outputSchema } of shown) {
    const result = await client.callTool({ name, arguments: argumentsFor(inputSchema as InputSchema) })
    const [content] = result.content as { text: string }[]
    expect(result.isError, name).toBe(true)
    expect(content?.text, name).toContain('This client made more than 1 calls within a minute')
    // As Gemini CLI does with what looks like JSON.
    if (outputSchema) expect(validate(outputSchema, JSON.parse(content?.text ?? '')), name).toEqual(FITS)
  }
})

test('what an operator’s client is listed without asking for toolsets is under 40 kB', async () => {
  await using hub = await testHub()
  const { client } = await hub.connect({ toolsets: '' })
  const { tools: shown } = await client.listTools()
  expect(shown.length).toBeGreaterThanOrEqual(54)
  expect(Buffer.byteLength(JSON.stringify({ tools: shown }))).toBeLessThan(40_000)
})

test('schemas of answers cost at most 60 bytes a tool on average', () => {
  const bytes = structured.map(([, tool]) => Buffer.byteLength(JSON.stringify(listed(tool).outputSchema)))
  expect(bytes.reduce((sum, one) => sum + one, 0) / bytes.length).toBeLessThanOrEqual(60)
})

type Sampled = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Sampled[]
  allOf?: Sampled[]
  $ref?: string
  $defs?: Record<string, Sampled>
  properties?: Record<string, Sampled>
  additionalProperties?: Sampled | boolean
  required?: string[]
  items?: Sampled
}

/** A value that the strict schema allows: with all that may be there, or only what must be. */
function sampleOf(schema: Sampled, whole: boolean, defs = schema.$defs ?? {}): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.$ref) return sampleOf(defs[schema.$ref.replace('#/$defs/', '')] ?? {}, false, defs)
  const alternatives = schema.anyOf ?? schema.allOf
  if (alternatives) return sampleOf((whole ? alternatives[0] : alternatives.at(-1)) ?? {}, whole, defs)
  const [type] = [schema.type].flat()
  switch (type) {
    case 'object': {
      const wanted = Object.entries(schema.properties ?? {}).filter(
        ([name]) => whole || schema.required?.includes(name),
      )
      return Object.fromEntries(wanted.map(([name, value]) => [name, sampleOf(value, whole, defs)]))
    }
    case 'array':
      return whole ? [sampleOf(schema.items ?? {}, whole, defs)] : []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return 1
    case 'null':
      return null
    default:
      return 'some text'
  }
}
