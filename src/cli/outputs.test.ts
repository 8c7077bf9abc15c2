// `--json` has one casing and one word per thing, and every command says what it prints.
import { expect, test } from 'vitest'
import { toJSONSchema } from 'zod'
import { catalogue } from './catalogue.gen.ts'
import { schemasOf } from './outputs.ts'

const commands = await Promise.all(
  catalogue.flatMap(({ path, load }) => (load ? [load().then(loaded => ({ path, spec: loaded.default }))] : [])),
)

type Json = { properties?: Record<string, Json>; enum?: unknown[]; [key: string]: unknown }

/** Every field, and every word that a field can have, however deep. */
function wordsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, enum: values = [], ...rest } = schema as Json
  const below = [...Object.values(properties), ...Object.values(rest)]
  return [
    ...Object.keys(properties),
    ...values.filter(value => typeof value === 'string'),
    ...below.flatMap(part => (Array.isArray(part) ? part.flatMap(wordsIn) : wordsIn(part))),
  ]
}

test.each(commands)('`toryo $path` says what it prints with --json', ({ spec }) => {
  expect(spec.output, 'state `output`: an operation, a form in outputs.ts, or null').not.toBeUndefined()
  expect(spec.output === null || schemasOf(spec).length > 0).toBe(true)
})

test.each(commands)('`toryo $path` has fields and words in snake_case', ({ spec }) => {
  const words = schemasOf(spec).flatMap(schema => wordsIn(toJSONSchema(schema, { unrepresentable: 'any' })))
  expect(words.filter(word => !/^[a-z][a-z0-9_]*$/.test(word))).toEqual([])
})

/** What is said in one word, and the words that tools of other designs have for it. */
const ONE_WORD = { engine: ['ai_type', 'agent_type', 'cli'], crew_id: ['group_id'], tool_calls: ['tool_call_count'] }

test.each(commands)('`toryo $path` calls a thing by its one name', ({ spec }) => {
  const words = new Set(schemasOf(spec).flatMap(schema => wordsIn(toJSONSchema(schema, { unrepresentable: 'any' }))))
  for (const others of Object.values(ONE_WORD)) expect(others.filter(word => words.has(word))).toEqual([])
})
