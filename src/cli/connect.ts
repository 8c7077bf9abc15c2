// The way to the hub: of this database, or the one that `--url` names.
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { type Client, createClient } from '#client/api.ts'
import type { FollowOptions } from '#client/follow-events.ts'
import { HubLink, type LinkRequest } from '#client/hub-link.ts'
import { otherDatabase } from '#client/last-database.ts'
import type { Target } from '#client/locate.ts'
import { findPerson } from '#client/person.ts'
import { ensureHub, findHub } from '#client/start-hub.ts'
import { type HubState, isHubUrl } from '#client/state-file.ts'
import { readSecretFile } from '#client/trusted-path.ts'
import type { StoredEvent } from '#contract/events.ts'
import { PERSON_HEADER } from '#contract/limits.ts'
import { personHeader } from '#contract/person.ts'
import { byName } from './by-name.ts'
import type { GlobalOptions } from './context.ts'
import { CliError } from './errors.ts'
import type { Io } from './io.ts'
import { slowly } from './slowly.ts'
import { texts } from './texts.ts'
import { fitted } from './wrap.ts'

export type Connection = Client & {
  readonly url: string
  /** For what is too large for one message. */
  stream(pathname: string, request: LinkRequest): Promise<IncomingMessage>
  /** What happens after the event with that number; see followEvents(). */
  events(since: number | undefined, signal: AbortSignal): AsyncIterable<StoredEvent | undefined>
  dispose(): void
}

export async function connectAndStart(target: Target, io: Io, program: string, quiet: boolean): Promise<Connection> {
  const find = () => ensureWithProgress(target, io, program, quiet)
  return connection(await find(), io, personAt(io), find)
}

export async function connectIfRunning(target: Target, io: Io): Promise<Connection> {
  const state = await findHub(target)
  if (!state) throw CliError.HUB_NOT_RUNNING({ db: target.shownDb })
  return connection(state, io, personAt(io))
}

/** The token never crosses a network in clear text, and comes from a file, not from argv. */
export function tokenFor({ url, tokenFile }: GlobalOptions, io: Io): { url: string; token: string } {
  if (url === undefined || !isHubUrl(url)) throw CliError.USAGE({ text: texts.urlRefused(url ?? '') })
  if (tokenFile === undefined) throw CliError.USAGE({ text: texts.tokenFileNeeded })
  const file = path.resolve(io.cwd, tokenFile)
  const token = readSecretFile(file)?.trim()
  if (token === undefined) throw CliError.USAGE({ text: texts.fileMissing(file) })
  if (!/^[\x21-\x7e]+$/.test(token)) throw CliError.USAGE({ text: texts.noToken(file) })
  return { url, token }
}

/** A hub elsewhere. */
export async function connectTo(global: GlobalOptions, io: Io): Promise<Connection> {
  const { url, token } = tokenFor(global, io)
  const person = personAt(io)
  const link = new HubLink(url, token)
  return {
    ...byName(createClient({ url, token, fetch: link.fetch, lang: io.lang, person })),
    url,
    stream: (pathname, request) => link.request(join(url, pathname), authorised(request, token, io, person)),
    events: (since, signal) => follow({ find: async () => ({ url, token }), since, signal }),
    dispose: () => link.dispose(),
  }
}

export async function ensureWithProgress(target: Target, io: Io, program: string, quiet: boolean): Promise<HubState> {
  const other = otherDatabase(target)
  let starts = false
  const onProgress = (what: 'starting' | 'waiting') => (starts ||= what === 'starting')
  const state = await slowly({ io, global: { json: quiet } }, texts.startingHub(target.shownDb), () =>
    ensureHub(target, { program, onProgress, env: io.env }),
  )
  if (other && starts && !quiet) io.stderr.write(`${fitted(`toryo: ${io.say(other)}`, io.errorWidth)}\n`)
  return state
}

function connection(state: HubState, io: Io, person: string | undefined, find?: () => Promise<HubState>): Connection {
  let link = new HubLink(state.url, state.token, state.certificate)
  const endpoint = ({ url, token }: HubState) => ({ url, token, fetch: link.fetch })
  const revive = async () => {
    const found = (await find?.()) ?? state
    link.dispose()
    link = new HubLink(found.url, found.token, found.certificate)
    return endpoint(found)
  }
  return {
    ...byName(createClient({ ...endpoint(state), lang: io.lang, person, ...(find ? { revive } : {}) })),
    url: state.url,
    stream: (pathname, request) =>
      link.request(join(state.url, pathname), authorised(request, state.token, io, person)),
    events: (since, signal) => follow({ find: async () => (await find?.()) ?? state, since, signal }),
    dispose: () => link.dispose(),
  }
}

function personAt({ env }: Io): string | undefined {
  return findPerson(env)?.name
}

/** Loaded when it is used: most commands open no WebSocket. */
async function* follow(options: FollowOptions): AsyncGenerator<StoredEvent | undefined, void> {
  const { followEvents } = await import('#client/follow-events.ts')
  yield* followEvents(options)
}

function authorised(request: LinkRequest, token: string, io: Io, person: string | undefined): LinkRequest {
  const headers = {
    ...request.headers,
    authorization: `Bearer ${token}`,
    'accept-language': io.lang,
    ...(person !== undefined && { [PERSON_HEADER]: personHeader(person) }),
  }
  return { ...request, headers }
}

function join(url: string, pathname: string): string {
  return new URL(pathname, url.endsWith('/') ? url : `${url}/`).href
}
