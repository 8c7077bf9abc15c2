// What a tool is: data in one file. Transports, permission, storage of answers and error shapes are the job of other parts.
import { z } from 'zod'
import type { Caller, CallerKind } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { ToolsetName, Work } from '#contract/toolsets.ts'

/** `api`: what the CLI and the dashboard call; never offered to models. */
export type Toolset = ToolsetName | 'api'

/** The facts of one call beside its arguments. */
export type Call = {
  readonly caller: Caller
  readonly lang: Lang
  readonly signal: AbortSignal
  /** The link the call came over, when it has one that lasts. */
  readonly connection?: Connection | undefined
  /** The same call sent again carries the same key. This one only its own connection can know. */
  readonly key?: string | undefined
  /** The same, chosen by the client: it belongs to the caller. */
  readonly clientKey?: string | undefined
  /** The account whose quota it uses. Undefined: none, as for the operator's own commands and pages. */
  readonly account?: string | undefined
  progress(done: number, total?: number, message?: string): void
}

/** One MCP or WebSocket link. `secret` survives its reconnects and is never stored, only its digest. */
export type Connection = {
  readonly secret: string
  /** The caller that its credential names, whatever signed in on it since. */
  readonly opener: Caller
  /** Where the client was started. */
  readonly directory?: string
  /** Takes a new identity, or goes back to the one its credential gives. */
  identifyAs(caller: Caller | undefined): void
}

/** A call inside its transaction. What must wait for the commit, and be dropped without it, goes to `afterCommit`. */
export type Running<P> = Call & { readonly prepared: P; afterCommit(effect: () => void): void }

type Shape = z.ZodObject

export type Tool<S = never, I extends Shape = Shape, O extends Shape = Shape, P = unknown> = {
  readonly name: string
  readonly toolset: Toolset
  readonly title: string
  readonly description: string
  /** read: runs on a reading connection. write, destroy: one transaction with its events and its stored answer. */
  readonly effect: 'read' | 'write' | 'destroy'
  /** Calling it twice is the same as calling it once. */
  readonly idempotent?: boolean
  /** It may reach beyond this hub. */
  readonly openWorld?: boolean
  readonly callers: readonly CallerKind[]
  /** Whose own work needs it: they have it without being given its toolset. At most 20 tools for each. */
  readonly offeredTo?: readonly Work[]
  /** Also for a caller whose place a newer one has taken: it may sign in again or out, nothing else. */
  readonly evenFenced?: boolean
  /**
   * What it is for connections that have other toolsets, with this one's or without: the last of these forms whose toolsets a
   * connection has takes its place. Errors have the shape of the chosen one's own toolset.
   */
  readonly also?: readonly Form<S>[]
  readonly input: I
  readonly output: O
  /** Work that must not hold the transaction (hashing, files, other machines). Its value is `call.prepared` of `run`. */
  readonly prepare?: (services: S, input: z.output<I>, call: Call) => Promise<P>
  /** The answer of a write that has nothing to write this time; undefined: `run` must. Costs no commit, and its answer is not stored. */
  readonly readFirst?: (
    services: S,
    input: z.output<I>,
    call: Call & { readonly prepared: P },
  ) => Promise<z.input<O> | undefined>
  readonly run: (services: S, input: z.output<I>, call: Running<P>) => Promise<z.input<O>>
  /**
   * Waits for what the write has set going, after its commit, and completes the answer; also when a stored answer is given
   * again. What it throws is the answer of this call alone.
   */
  readonly after?: (services: S, output: z.output<O>, call: Call) => Promise<z.input<O>>
  /** The text for models where it is not the JSON of the result. */
  readonly text?: (output: z.output<O>) => string
  /** The text is the whole value: no structured result, which several clients would show in its place. */
  readonly prose?: boolean
  /** What stands beside `content` in the result itself. */
  readonly topLevel?: (output: z.output<O>) => Record<string, unknown>
}

export type Form<S> = { readonly toolsets: readonly Toolset[]; readonly tool: Tool<S> }

export function tool<S, I extends Shape, O extends Shape, P = undefined>(definition: Tool<S, I, O, P>): Tool<S> {
  return definition as unknown as Tool<S>
}

/** A tool in each of the forms in which connections may have it. */
export function formsOf<S>(one: Tool<S>): Tool<S>[] {
  return [one, ...(one.also ?? []).map(({ tool }) => tool)]
}

/** A string that the listed schema shows as an enum, while the verb itself refuses the unknown with its own code. */
export function looseEnum(values: readonly string[]): z.ZodString {
  return z.string().meta({ enum: [...values] })
}

export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object' } & Record<string, unknown>
  outputSchema?: { type: 'object' } & Record<string, unknown>
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
}

/** As models see it. `schema`: its input schema as the build has made it, which takes a third of the time of a first list. */
export function listed(tool: Tool<never>, schema?: string): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schema === undefined ? inputSchema(tool.input) : (JSON.parse(schema) as ListedTool['inputSchema']),
    ...(tool.prose ? {} : { outputSchema: outputSchema(tool.output) }),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destroy',
      idempotentHint: tool.effect === 'read' || tool.idempotent === true,
      openWorldHint: tool.openWorld === true,
    },
  }
}

function inputSchema(shape: Shape): ListedTool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' })
  return tidied(schema) as ListedTool['inputSchema']
}

/**
 * The lists and records of an answer; all optional, and open. Some clients check errors against it, too, and would show the
 * model their own complaint in place of ours; others compile it at every start. The hub checks its answers against `output`.
 */
function outputSchema(shape: Shape): { type: 'object' } & Record<string, unknown> {
  const kept = Object.entries(shape.shape).flatMap(([name, field]) => {
    const type = structureOf(field)
    return type ? [[name, { type }] as const] : []
  })
  return { type: 'object', ...(kept.length > 0 && { properties: Object.fromEntries(kept) }) }
}

/** Looked up, since zod's own JSON Schema of a whole answer is a tenth of a hub's start, for two words of it. */
function structureOf(field: z.core.$ZodType): 'array' | 'object' | undefined {
  const { def } = (field as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'array':
    case 'tuple':
      return 'array'
    case 'object':
    case 'record':
      return 'object'
    case 'optional':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return structureOf(def.innerType)
    case 'pipe':
      return structureOf(def.out)
    case 'lazy':
      return structureOf(def.getter())
    default:
      return undefined
  }
}

/**
 * Leaves out what models pay for and learn nothing from: ±2^53 at every integer, limits that no caller reaches, that text must
 * not be empty. Clients that check arguments themselves then leave the refusal to us. And zod writes a list of types for what
 * may be null, which some clients' own schema languages cannot say; alternatives they can.
 */
function tidied(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidied)
  if (node === null || typeof node !== 'object') return node
  const kept = Object.entries(node).filter(([key, value]) => !isNoise(key, value))
  const tidy = Object.fromEntries(kept.map(([key, value]) => [key, tidied(value)]))
  if (!Array.isArray(tidy['type'])) return tidy
  const { type, description, ...rest } = tidy
  const said = description === undefined ? {} : { description }
  return { ...said, anyOf: type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...rest })) }
}

/** A field may have one of these names: then its value is a schema, never a number or a text. */
function isNoise(key: string, value: unknown): boolean {
  switch (key) {
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER
    case 'minLength':
    case 'maxLength':
      return typeof value === 'number'
    case 'maxItems':
      return typeof value === 'number' && value >= UNCOUNTED
    case 'pattern':
      return typeof value === 'string'
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}'
    case 'additionalProperties':
      return JSON.stringify(value) === '{}'
    default:
      return false
  }
}

/** No caller sends so many items by mistake. */
const UNCOUNTED = 100

/** How the toolsets that say `success` say it. */
export const SUCCESS = { success: true } as const
export const success = { success: z.literal(true) }
