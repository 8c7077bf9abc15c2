// The typed client of the hub's HTTP API, for the CLI and the dashboard. Needs nothing of Node, and no schema at run time: the
// hub has checked what it answers.
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import { ClientError } from './errors.ts'
import { PERSON_HEADER } from '#contract/limits.ts'
import { personHeader } from '#contract/person.ts'
import { CoreError, type ErrorKind, error, errors, HubError, type Lang } from '#contract/errors.ts'

/** What we need of fetch; its own answers fit. */
export type Fetch = (url: string, init: FetchInit) => Promise<{ status: number; text(): Promise<string> }>
export type FetchInit = { method: string; headers: Record<string, string>; body: string; signal?: AbortSignal }

export type Endpoint = { url: string; token: string; fetch?: Fetch }

export type ClientOptions = Endpoint & {
  lang?: Lang
  /** What the operator is called. */
  person?: string | undefined
  /** Finds the hub again after its connection broke, before the one retry. */
  revive?: () => Promise<Endpoint>
}

export type CallOptions = {
  signal?: AbortSignal
  /** How long a hub may think; 0 for work that takes as long as it takes. */
  timeoutMs?: number
}

export type Client = {
  call<O extends Operation>(operation: O, input: ApiInput<O>, options?: CallOptions): Promise<ApiOutput<O>>
}

const ApiError = errors({
  HUB_UNREACHABLE: error('unavailable', (p: { url: string; reason: string }) => ({
    en: `The hub at ${p.url} does not answer: ${p.reason}.`,
    ja: `${p.url} のハブが応答しません: ${p.reason}`,
  })),
})

const TIMEOUT_MS = 60_000

export function createClient(options: ClientOptions): Client {
  let endpoint: Endpoint = options
  return {
    async call(operation, input, { signal, timeoutMs = TIMEOUT_MS } = {}) {
      const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
      if (options.lang) headers['accept-language'] = options.lang
      if (options.person !== undefined) headers[PERSON_HEADER] = personHeader(options.person)
      // The same key in both attempts: should the first have been heard, the hub answers the second with its result.
      if (!isRead(operation)) headers['idempotency-key'] = crypto.randomUUID()
      const attempt = () => {
        const limit = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined
        return send(endpoint, operation, JSON.stringify(input), headers, either(signal, limit))
      }
      try {
        return (await attempt()) as never
      } catch (problem) {
        signal?.throwIfAborted()
        const replaced = options.revive !== undefined && isUnproven(problem)
        if ((problem instanceof HubError && !replaced) || isTimeout(problem)) throw refused(endpoint, problem)
        if (!options.revive && !isReset(problem)) throw refused(endpoint, problem)
      }
      endpoint = (await options.revive?.()) ?? endpoint
      try {
        return (await attempt()) as never
      } catch (problem) {
        signal?.throwIfAborted()
        throw refused(endpoint, problem)
      }
    },
  }
}

/** To say again that something is held, or how far it is, changes nothing either. */
function isRead(operation: Operation): boolean {
  return /\.(list|show|status|whoami|logs|hold|progress|startable)$/.test(operation)
}

async function send(
  { url, token, fetch = globalThis.fetch }: Endpoint,
  operation: Operation,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const answer = await fetch(new URL(`api/${operation}`, url.endsWith('/') ? url : `${url}/`).href, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body,
    ...(signal ? { signal } : {}),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw readError(text, answer.status, url)
  const value = parseJson(text)
  if (value === undefined) throw ClientError.NOT_A_HUB({ url, status: answer.status })
  return value
}

/** The error in an answer. Its sentence comes in the language that was asked for. */
export function readError(text: string, status: number, url: string): HubError {
  const body = parseJson(text) as { error?: Record<string, unknown> } | null | undefined
  const { code, message, kind, details } = body?.error ?? {}
  if (typeof code === 'string' && typeof message === 'string' && typeof kind === 'string') {
    const more = typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {}
    return new HubError(code, kind as ErrorKind, { en: message, ja: message }, more)
  }
  // The hub's guard comes before everything else and speaks in plain text.
  if (status === 401) return CoreError.UNAUTHENTICATED()
  if (status === 403) return CoreError.NOT_ALLOWED({ what: { en: text.slice(0, 200), ja: text.slice(0, 200) } })
  return ClientError.NOT_A_HUB({ url, status })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not written by one of our hubs.
  }
}

/** The error as a caller should see it. */
export function refused({ url }: Pick<Endpoint, 'url'>, problem: unknown): HubError {
  if (problem instanceof HubError) return problem
  return ApiError.HUB_UNREACHABLE({ url, reason: reasonOf(problem) }, problem)
}

/** fetch hides what happened in `cause`, and a host with two addresses hides it in `errors`. */
function reasonOf(problem: unknown): string {
  const inner = innermost(problem)
  return inner.message || inner.code || inner.name
}

function isReset(problem: unknown): boolean {
  return /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(innermost(problem).code ?? '')
}

/** Of a hub that was found by its state file: another one may have taken over since. */
function isUnproven(problem: unknown): boolean {
  const codes = ['HUB_NOT_PROVEN', 'HOST_NOT_ALLOWED', 'TOKEN_UNKNOWN', 'NOT_A_HUB']
  return problem instanceof HubError && codes.includes(problem.code)
}

function isTimeout(problem: unknown): boolean {
  return innermost(problem).name === 'TimeoutError'
}

function innermost(problem: unknown): Error & { code?: string } {
  const { cause, errors: several } = problem as { cause?: unknown; errors?: unknown[] }
  if (several?.[0] instanceof Error) return innermost(several[0])
  return cause instanceof Error ? innermost(cause) : (problem as Error)
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other)
}
