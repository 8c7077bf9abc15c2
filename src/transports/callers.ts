// Which caller really shows the token of the operator or of a Runner. Every program of the user can read it, even one that the hub
// started; that one still counts as its tab, run or instance. The system is asked, once for each connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Caller, callerTitle, type Chore } from '#contract/caller.ts'
import { CoreError, type HubError, type Text } from '#contract/errors.ts'
import { PASS_HEADER, PERSON_HEADER } from '#contract/limits.ts'
import { personFromHeader } from '#contract/person.ts'
import { isHubRunner } from '#contract/runner.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import type { PeerOrigin } from '#kernel/processes/peers.ts'
import { LiveTokens } from './live-tokens.ts'
import { Passes } from './passes.ts'

type Origins = { originOf(peer: Peer): Promise<PeerOrigin<Caller | Chore>> }

export class Callers {
  readonly #origins: Origins
  readonly #passes = new Passes()
  /** What the operator's rights on a connection are worth: undefined where they are what they seem. */
  readonly #known = new WeakMap<Socket, Promise<Caller | undefined>>()
  /** The connections on which tokens were shown that can be revoked. */
  readonly live = new LiveTokens()

  constructor(origins: Origins) {
    this.#origins = origins
  }

  /** Tickets name their caller. Tokens are in files that every program of the user can read: the process decides. */
  async of(shown: Caller, request: IncomingMessage): Promise<Caller> {
    if (shown.kind === 'runner') return this.#runner(shown, request)
    if (shown.kind !== 'operator') return shown
    const started = await this.#startedAs(request)
    // Also of what was started: a revoked token opens nothing, whatever process shows it.
    if (shown.token !== undefined) this.live.track(shown.token, request.socket)
    if (shown.page !== undefined) this.live.track(shown.page, request.socket)
    return started ?? withPerson(shown, request)
  }

  /** A Runner is given the tickets of other agents, so nothing that was started can be one. */
  async #runner(shown: Extract<Caller, { kind: 'runner' }>, request: IncomingMessage): Promise<Caller> {
    // The token of the Runner in a hub is in the memory of that hub alone.
    if (isHubRunner(shown.name)) return shown
    const started = await this.#startedAs(request)
    if (started) throw forPeople(RUNNERS, started)
    return shown
  }

  /** A connection does not change hands, and what it belongs to was written down before it was started. */
  #startedAs(request: IncomingMessage): Promise<Caller | undefined> {
    const { socket } = request
    let known = this.#known.get(socket)
    if (!known) {
      known = this.#look(request)
      this.#known.set(socket, known)
      known.catch(() => this.#known.delete(socket))
    }
    return known
  }

  /** What opens the socket; only for the operator, and only where it can be seen that it is one. */
  async pass(request: IncomingMessage): Promise<string | undefined> {
    const caller = await this.of({ kind: 'operator' }, request).catch(() => undefined) // It uses the port, and gets its answer there.
    return caller?.kind === 'operator' && isSeen(request.socket) ? this.#passes.give() : undefined
  }

  /** Which of those that we started it is; undefined for none of them. */
  async #look(request: IncomingMessage): Promise<Caller | undefined> {
    if (!isSeen(request.socket)) {
      const pass = request.headers[PASS_HEADER]
      if (typeof pass === 'string' && this.#passes.take(pass)) return undefined
      throw CoreError.NOT_ALLOWED({ what: NO_PASS })
    }
    const origin = await this.#origins.originOf(peerOf(request))
    if (origin.kind === 'started') {
      if (typeof origin.what === 'string') throw CoreError.NOT_ALLOWED({ what: STARTED_BY[origin.what] })
      return origin.what
    }
    if (origin.kind === 'marked') throw CoreError.NOT_ALLOWED({ what: STARTED_ELSEWHERE })
    if (origin.kind === 'unknown') throw CoreError.NOT_ALLOWED({ what: NOT_FOUND })
    return undefined
  }
}

/** Only where it is the operator after all: nothing that was started can choose what it is called. */
function withPerson(operator: Extract<Caller, { kind: 'operator' }>, { headers }: IncomingMessage): Caller {
  const header = headers[PERSON_HEADER]
  const person = typeof header === 'string' ? personFromHeader(header) : undefined
  return person === undefined ? operator : { ...operator, person }
}

/** The two ends as the system knows them; all undefined for a Unix socket. */
export function peerOf({ socket }: IncomingMessage): Peer {
  const { localAddress, localPort, remoteAddress, remotePort } = socket
  return { localAddress, localPort, remoteAddress, remotePort }
}

/** A Unix socket has no ports, and a connection that is gone has none any more. */
function isSeen({ remotePort }: Socket): boolean {
  return remotePort !== undefined
}

/** The refusal of what is for people alone. */
export function forPeople(what: Text, caller: Caller): HubError {
  const who = callerTitle(caller)
  return CoreError.NOT_ALLOWED({
    what: {
      en: `${what.en} for the operator. This process was started by ${who.en} and acts as that. Use a terminal of your own.`,
      ja: `${what.ja}オペレーター専用です。このプロセスは${who.ja}が起動したもので、その権限で動作します。ご自身のターミナルから実行してください。`,
    },
  })
}

const RUNNERS: Text = { en: "A Runner's token is", ja: 'Runner のトークンは' }
const NO_PASS: Text = {
  en: "This token alone does not open this socket. Use the hub's port, or update this client.",
  ja: 'このトークンだけではこのソケットを使えません。ハブのポートを使うか、クライアントを更新してください。',
}
const STARTED_ELSEWHERE: Text = {
  en: "This process was started by a tab, run or agent that is another hub's or has ended, so it cannot act as the operator or a Runner of this hub. Use a terminal of your own.",
  ja: 'このプロセスは、別のハブの、またはすでに終了したタブ、run、エージェントが起動したものです。このハブのオペレーターや Runner としては動作できません。ご自身のターミナルから実行してください。',
}
const STARTED_BY: Record<Chore, Text> = {
  check: {
    en: 'This process was started by a check, which has no rights in this hub. Use a terminal of your own.',
    ja: 'このプロセスはチェックが起動したもので、このハブに対する権限がありません。ご自身のターミナルから実行してください。',
  },
  setup: {
    en: 'This process was started by the setup of a worktree, which has no rights in this hub. Use a terminal of your own.',
    ja: 'このプロセスはワークツリーのセットアップが起動したもので、このハブに対する権限がありません。ご自身のターミナルから実行してください。',
  },
}
const NOT_FOUND: Text = {
  en: 'The process at the other end of this connection could not be found, so its token is not accepted. Keep the connection open until its answer has come.',
  ja: 'この接続の相手のプロセスが見つからないため、トークンを受け付けられません。応答が届くまで接続を開いたままにしてください。',
}
