// What an admitted request is answered with. Loaded with the first one: with Hono comes Node's whole fetch, which the bridges that
// most hubs serve never need.
import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Caller, callerKey } from '#contract/caller.ts'
import { CoreError, HubError, type Lang, type Text } from '#contract/errors.ts'
import { FRAME_BYTES, SEQ_HEADER } from '#contract/limits.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Call } from '#kernel/tool.ts'
import { accountOf } from './account.ts'
import { errorBody, httpStatus, retryAfterMs } from './errors.ts'
import { forPeople } from './callers.ts'
import { bearer } from './guard.ts'
import { type HttpOptions, langOfHeader } from './http.ts'

type Bindings = { Bindings: { incoming: IncomingMessage } }
type CallerOf = (request: IncomingMessage) => Caller | undefined

const API: Offer = { toolsets: ['api'] }
const IMPORT_BYTES = 512 * 1024 * 1024

export type Listener = ReturnType<typeof getRequestListener>

export function listener<S>(options: HttpOptions<S>, callerOf: CallerOf): Listener {
  return getRequestListener(routes(options, callerOf).fetch)
}

export function routes<S>(options: HttpOptions<S>, callerOf: CallerOf): Hono<Bindings> {
  const { hub } = options
  const app = new Hono<Bindings>()
  app.all('/mcp', async c => {
    const caller = callerOf(c.env.incoming)
    if (!caller) return refuse(CoreError.UNAUTHENTICATED(), langOf(c.req.raw.headers, hub.lang))
    // A session belongs to the caller that opened it: the token alone does not identify it.
    return options.streamable.handle(c.req.raw, `${bearer(c.env.incoming)} ${callerKey(caller)}`, caller)
  })
  app.get('/api/export', c => {
    const refusal = unlessOperator(callerOf(c.env.incoming), WHOLE_DATABASE)
    if (refusal) return refuse(refusal, langOf(c.req.raw.headers, hub.lang))
    // An error on the way cuts the connection: half an export must not look like a whole one.
    const secrets = c.req.query('secrets') !== 'no'
    const lines = ReadableStream.from(options.exportLines({ secrets })).pipeThrough(new TextEncoderStream())
    return c.body(lines, 200, {
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': 'attachment; filename="toryo-export.jsonl"',
    })
  })
  app.post('/api/import', bodyLimit({ maxSize: IMPORT_BYTES, onError: tooLarge }), async c => {
    const refusal = unlessOperator(callerOf(c.env.incoming), WHOLE_DATABASE)
    if (refusal) return refuse(refusal, langOf(c.req.raw.headers, hub.lang))
    const text = await c.req.text()
    return c.json(await options.importLines(text.split('\n').filter(line => line !== '')))
  })
  app.post('/api/:operation', bodyLimit({ maxSize: FRAME_BYTES, onError: tooLarge }), async c => {
    const lang = langOf(c.req.raw.headers, hub.lang)
    const tool = (await hub.operations()).find(c.req.param('operation'), API)
    if (!tool) return refuse(CoreError.INVALID_ARGUMENT({ reason: NO_OPERATION }), lang, 404)
    if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
      return refuse(CoreError.INVALID_ARGUMENT({ reason: NOT_JSON }), lang, 415)
    const body = parseJson(await c.req.text())
    if (!body) return refuse(CoreError.INVALID_ARGUMENT({ reason: NOT_JSON }), lang)
    const key = c.req.header('idempotency-key')
    const caller = callerOf(c.env.incoming)
    if (!caller) return refuse(CoreError.UNAUTHENTICATED(), lang)
    const call: Call = {
      caller,
      lang,
      signal: c.req.raw.signal,
      // Not by the token, which changes with each start: the same call sent to the next hub is still the same call.
      ...(key !== undefined && { clientKey: `api:${key}` }),
      // The operator's own commands and pages are for setting things right: no quota shuts them out.
      ...(caller.kind !== 'operator' && { account: accountOf(caller, undefined) }),
      progress: () => {},
    }
    // Asked before: what comes in meanwhile may or may not be in the answer.
    const seq = String(hub.events.seen)
    const outcome = await hub.invoker.invoke(tool, body.value, call)
    const response = outcome.ok ? c.json(outcome.value as object) : refuse(outcome.error, lang)
    response.headers.set(SEQ_HEADER, seq)
    return response
  })
  // The hub as a source of prompts for others: its own ones, never what it was itself given.
  app.get('/prompts/:phase', async c => {
    const lang = langOf(c.req.raw.headers, hub.lang)
    const tool = (await hub.operations()).find('phase.prompt.show', API)
    if (!tool) return c.notFound()
    const caller = callerOf(c.env.incoming)
    if (!caller) return refuse(CoreError.UNAUTHENTICATED(), lang)
    const call: Call = { caller, lang, signal: c.req.raw.signal, progress: () => {} }
    const outcome = await hub.invoker.invoke(tool, { phase: c.req.param('phase') }, call)
    return outcome.ok ? c.json(outcome.value as object) : refuse(outcome.error, lang)
  })
  app.notFound(c => c.text('Nothing is served here.', 404))
  app.onError((error, c) => {
    if (error instanceof HubError) return refuse(error, langOf(c.req.raw.headers, hub.lang))
    // The client hung up in the middle of its body. No answer would be read.
    if (c.env.incoming.readableAborted) {
      hub.log.debug({ path: c.req.path }, 'a request broke off')
      return refuse(CoreError.INVALID_ARGUMENT({ reason: BROKEN_OFF }), langOf(c.req.raw.headers, hub.lang))
    }
    hub.log.error({ err: error, path: c.req.path }, 'a request failed')
    return refuse(CoreError.INTERNAL_ERROR({ ref: 'http' }, error), langOf(c.req.raw.headers, hub.lang))
  })
  return app
}

const NO_OPERATION = { en: 'Operation not found.', ja: 'そのような操作はありません。' }
const NOT_JSON = {
  en: 'Send a JSON object as application/json.',
  ja: 'application/json で JSON オブジェクトを送ってください。',
}
const BROKEN_OFF = { en: 'The body broke off before its end.', ja: '本文が途中で途切れました。' }
const TOO_LARGE = { en: 'The body is too large.', ja: '本文が大きすぎます。' }

function tooLarge(): Response {
  const response = refuse(CoreError.INVALID_ARGUMENT({ reason: TOO_LARGE }), 'en', 413)
  // The rest of the body is not read, so nothing can follow it.
  response.headers.set('connection', 'close')
  return response
}

function refuse(error: HubError, lang: Lang, status: number = httpStatus(error)): Response {
  const ms = retryAfterMs(error)
  const headers: Record<string, string> = ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / 1000)) }
  return Response.json(errorBody('api', error, lang), { status, headers })
}

function unlessOperator(caller: Caller | undefined, what: Text): HubError | undefined {
  if (!caller) return CoreError.UNAUTHENTICATED()
  return caller.kind === 'operator' ? undefined : forPeople(what, caller)
}

const WHOLE_DATABASE: Text = { en: 'The whole database is', ja: 'データベース全体の読み書きは' }

function langOf(headers: Headers, fallback: Lang): Lang {
  return langOfHeader(headers.get('accept-language'), fallback)
}

function parseJson(text: string): { value: unknown } | undefined {
  if (text === '') return { value: {} }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
