// `toryo mcp`: what an agent starts as its MCP server. Relays JSON-RPC between stdio and the hub and knows no tool.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HubError, type Lang } from '#contract/errors.ts'
import { langOf } from '#contract/lang.ts'
import { comesFromHub } from '#client/ancestry.ts'
import { locate } from '#client/locate.ts'
import { findPerson } from '#client/person.ts'
import type { Hello } from '#client/frame-link/open-link.ts'
import { TORYO_TICKET, TORYO_TICKET_FILE } from '#system/environment-names.ts'
import { emptyServer } from './empty.ts'
import { type HubSource, hubAtUrl, hubOfDatabase, registeredHub } from './hub-source.ts'
import { HELP, type Options, parseOptions, WrongUse } from './options.ts'
import { clearAfter, findAbsence } from './registered.ts'
import { Relay } from './relay.ts'
import { sentences } from './sentences.ts'
import { readStdin, takeStdout, watchLifetime } from './stdio.ts'

const FLUSH_MS = 1000
const CRASHED = 70

/** `entry`: not `toryo mcp`, but this file itself was started, as the engines' config files have it. */
export async function main(argv: string[], entry = false): Promise<number> {
  const lang = langOf(process.env)
  try {
    const options = parseOptions(argv, hasTicket())
    if (options.help) {
      process.stdout.write(HELP[lang])
      return 0
    }
    const registered = entry && options.db === undefined && options.url === undefined
    if (registered && comesFromHub(process.env)) return await offerNothing(lang)
    if (!registered) return await relay(sourceOf(options), { toolsets: options.toolsets }, lang)
    const absent = await findAbsence(process.env)
    if (!absent) {
      const source = registeredHub(process.env, () => void clearUp(lang))
      return await relay(source, { toolsets: options.toolsets, registered }, lang)
    }
    // Engines start us whether a hub runs or not; a missing hub is not a failure.
    note(absent[lang])
    return 0
  } catch (cause) {
    if (!(cause instanceof WrongUse || cause instanceof HubError)) throw cause
    note(cause.text[lang])
    if (cause instanceof HubError && cause.kind === 'forbidden') return 4
    return cause instanceof WrongUse || cause.kind === 'invalid' ? 2 : 1
  }
}

function hasTicket(): boolean {
  return Boolean(process.env[TORYO_TICKET] || process.env[TORYO_TICKET_FILE])
}

async function clearUp(lang: Lang): Promise<void> {
  try {
    const done = await clearAfter(process.env)
    if (done) note(done[lang])
  } catch {
    // A state file that is not to be trusted: the next hub sees to it, and says so.
  }
}

/** Until the client has gone. The state file with the operator's token is not even read. */
async function offerNothing(lang: Lang): Promise<never> {
  await new Promise<void>(resolve => {
    const stdout = takeStdout({ drained: () => process.stdin.resume(), gone: resolve })
    const hear = emptyServer(line => void (stdout.line(line) || process.stdin.pause()), lang)
    readStdin(hear, () => void stdout.flush(FLUSH_MS).then(resolve))
    watchLifetime(resolve)
  })
  process.exit(0)
}

async function relay(source: HubSource, offer: Pick<Hello, 'toolsets' | 'registered'>, lang: Lang): Promise<never> {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, cause => {
      note(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
      process.exit(CRASHED)
    })
  const person = hasTicket() ? undefined : findPerson(process.env)?.name
  const stdout = takeStdout({ drained: () => client.resumeHub(), gone: () => client.end(0) })
  const client = new Relay({
    source,
    hello: { ...offer, secret: randomBytes(32).toString('base64url'), lang, directory: workingDirectory(), person },
    lang,
    toClient: stdout.line,
    pauseClient: paused => (paused ? process.stdin.pause() : process.stdin.resume()),
    note,
    now: () => performance.now(),
  })
  readStdin(
    bytes => client.fromClient(bytes),
    () => client.finish(),
  )
  watchLifetime(() => client.end(0))
  if (process.stdin.isTTY) note(sentences.byHand[lang])
  const code = await client.run()
  await stdout.flush(FLUSH_MS)
  // Explicitly: a client that keeps our stdin open would keep this process running.
  process.exit(code)
}

function sourceOf({ url, tokenFile, db }: Options): HubSource {
  if (url !== undefined) return hubAtUrl(url, tokenFile, process.env)
  return hubOfDatabase(locate(db), process.env)
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined // Deleted under us; the hub can do without.
  }
}

function note(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

const started = process.argv[1]
if (started && fs.realpathSync(started) === fileURLToPath(import.meta.url))
  void main(process.argv.slice(2), true).then(code => (process.exitCode = code))
