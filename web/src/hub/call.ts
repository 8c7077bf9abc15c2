// The one way to ask the hub for something: typed by its contract, and the same call sent again has no second effect.
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import { PAGE_HEADER, SEQ_HEADER } from '#contract/limits.ts'
import { line } from './event-line.ts'
import { pageToken, signedOut } from './sign-in.ts'
import { createStore } from './store.ts'

/** The hub's refusal, in the language of the page. */
export class Refused extends Error {
  readonly code: string
  readonly kind: string
  readonly retryable: boolean

  constructor(error: { code: string; message: string; kind: string; retryable: boolean }) {
    super(error.message)
    this.name = 'Refused'
    this.code = error.code
    this.kind = error.kind
    this.retryable = error.retryable
  }
}

/** The hub was not reached: whether it did what was asked is not known. */
export class Unreached extends Error {}

export type Answered<O extends Operation> = { value: ApiOutput<O>; seq: number }

export type CallOptions = {
  /** The same for every try of one and the same wish. */
  key?: string
  signal?: AbortSignal | undefined
}

export async function call<O extends Operation>(
  operation: O,
  input: ApiInput<O>,
  options: CallOptions = {},
): Promise<Answered<O>> {
  const token = pageToken()
  const response = await send(operation, input, token, options)
  const body = (await response.json().catch(() => undefined)) as unknown
  if (response.ok && body !== undefined)
    return { value: body as ApiOutput<O>, seq: Number(response.headers.get(SEQ_HEADER) ?? 0) }
  const error = (body as { error?: ConstructorParameters<typeof Refused>[0] } | undefined)?.error
  if (response.status === 401) signedOut(token)
  if (error) throw new Refused(error)
  throw new Unreached(String(response.status))
}

async function send(
  operation: string,
  input: unknown,
  token: string | null,
  { key, signal }: CallOptions,
): Promise<Response> {
  try {
    return await fetch(`/api/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': document.documentElement.lang,
        [PAGE_HEADER]: token ?? '',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(input),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreached(String(error))
  }
}

/** Another person changed the same while the hub was away: our change, which may or may not have arrived, was not sent again. */
export class Overtaken extends Error {}

const VERBS = [
  'launch',
  'run',
  'repeat',
  'take',
  'start',
  'retry',
  'stop',
  'trust',
  'remove',
  'revoke',
  'advance',
] as const
export type Verb = (typeof VERBS)[number]
/** Under way, of what is never shown before it happened. */
export const asked = createStore<readonly { key: string; verb: Verb; at: number }[]>([])

/**
 * A write: sent again with the same key when the hub was away, so that it happens once. While the line is cut it waits for it.
 * `isOvertaken`: whether another changed the same meanwhile.
 */
export async function write<O extends Operation>(
  operation: O,
  input: ApiInput<O>,
  isOvertaken?: () => Promise<boolean>,
): Promise<Answered<O>> {
  const key = crypto.randomUUID()
  const verb = VERBS.find(one => operation.endsWith(`.${one}`))
  const at = Date.now()
  if (verb) asked.set(before => [...before, { key, verb, at }])
  try {
    for (let attempt = 0, isUnsure = false; ; attempt++, isUnsure = true) {
      try {
        if (isUnsure && (await isOvertaken?.())) throw new Overtaken()
        return await call(operation, input, { key })
      } catch (error) {
        const isCut = line.get().kind === 'cut'
        if (!(error instanceof Unreached) || (!isCut && attempt >= RETRIES.length)) throw error
        if (!isCut) await new Promise(resolve => setTimeout(resolve, RETRIES[attempt]))
        else {
          await lineIsBack()
          attempt = -1
        }
        if (Date.now() - at >= KEY_MS) throw error
      }
    }
  } finally {
    if (verb) asked.set(before => before.filter(one => one.key !== key))
  }
}

const RETRIES = [500, 1000, 2000, 4000]
/** A little less than the hub keeps a key: after that, the same call would be another one. */
const KEY_MS = 23 * 3_600_000

/** The next time that it is live. */
export function lineIsBack(): Promise<void> {
  return new Promise(resolve => {
    const stop = line.subscribe(() => {
      if (line.get().kind !== 'live') return
      stop()
      resolve()
    })
  })
}
