// Where an input may have the short name of a thing in place of its id, and how ids are put there. Which things have short names,
// and their form, stands at the contract's ids; whose they are, the hub knows.
import type { z } from 'zod'
import { shortNames } from '#contract/id-types.ts'

/** The id of what has this name. A text that is an id already is its own; undefined: it names nothing. */
export type IdOf = (of: string, name: string) => Promise<string | undefined>

type Mark = { readonly of: string; readonly form: Pick<RegExp, 'test'> }
type Plan =
  | { readonly mark: Mark }
  | { readonly fields: readonly (readonly [string, Plan])[] }
  | { readonly items: Plan }

/** Made once for each schema: what has no such field, or no value of that form, costs next to nothing. */
const plans = new WeakMap<z.core.$ZodType, { readonly plan: Plan | undefined }>()

/** The same input with ids. What names nothing stays as it was given, for the verb to refuse in its own words. */
export function withIds<T>(schema: z.core.$ZodType, input: T, idOf: IdOf): T | Promise<T> {
  let known = plans.get(schema)
  if (!known) plans.set(schema, (known = { plan: planOf(schema) }))
  const { plan } = known
  return plan && hasName(plan, input) ? (filled(plan, input, idOf) as Promise<T>) : input
}

function planOf(schema: z.core.$ZodType): Plan | undefined {
  const mark = shortNames.get(schema)
  if (mark) return { mark }
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return planOf(def.innerType)
    case 'array': {
      const items = planOf(def.element)
      return items && { items }
    }
    case 'object': {
      const fields = Object.entries(def.shape).flatMap(([name, field]) => {
        const plan = planOf(field)
        return plan ? [[name, plan] as const] : []
      })
      return fields.length > 0 ? { fields } : undefined
    }
    default:
      return undefined
  }
}

function hasName(plan: Plan, value: unknown): boolean {
  if ('mark' in plan) return typeof value === 'string' && plan.mark.form.test(value)
  if ('items' in plan) return Array.isArray(value) && value.some(item => hasName(plan.items, item))
  return isRecord(value) && plan.fields.some(([name, field]) => hasName(field, value[name]))
}

async function filled(plan: Plan, value: unknown, idOf: IdOf): Promise<unknown> {
  if (!hasName(plan, value)) return value
  if ('mark' in plan) return (await idOf(plan.mark.of, value as string)) ?? value
  if ('items' in plan) {
    const items: unknown[] = []
    for (const item of value as unknown[]) items.push(await filled(plan.items, item, idOf))
    return items
  }
  const copy = { ...(value as Record<string, unknown>) }
  for (const [name, field] of plan.fields) if (name in copy) copy[name] = await filled(field, copy[name], idOf)
  return copy
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
