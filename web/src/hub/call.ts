// The one way to ask the hub for something: typed by its contract, and the same call sent again has no second effect.
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import { PAGE_HEADER, SEQ_HEADER } from '#contract/limits.ts'
import { pageToken, signedOut } from './sign-in.ts'

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
  const response = await send(operation, input, options)
  const body = (await response.json().catch(() => undefined)) as unknown
  if (response.ok && body !== undefined)
    return { value: body as ApiOutput<O>, seq: Number(response.headers.get(SEQ_HEADER) ?? 0) }
  const error = (body as { error?: ConstructorParameters<typeof Refused>[0] } | undefined)?.error
  if (response.status === 401) signedOut()
  if (error) throw new Refused(error)
  throw new Unreached(String(response.status))
}

async function send(operation: string, input: unknown, { key, signal }: CallOptions): Promise<Response> {
  try {
    return await fetch(`/api/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': document.documentElement.lang,
        [PAGE_HEADER]: pageToken() ?? '',
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

/** A write: sent again with the same key when the hub was away, so that it happens once. */
export async function write<O extends Operation>(operation: O, input: ApiInput<O>): Promise<Answered<O>> {
  const key = crypto.randomUUID()
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(operation, input, { key })
    } catch (error) {
      if (!(error instanceof Unreached) || attempt >= RETRIES.length) throw error
      await new Promise(resolve => setTimeout(resolve, RETRIES[attempt]))
    }
  }
}

const RETRIES = [500, 1000, 2000, 4000]
