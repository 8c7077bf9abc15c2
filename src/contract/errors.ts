// The one error class of the hub, and how codes are declared. Knows no wire shape: transports/errors.ts translates.
import { withoutSecrets } from './secrets.ts'

/** What a caller can do about it; the transports derive HTTP status and exit code from this. */
export type ErrorKind =
  | 'invalid'
  | 'not-found'
  | 'conflict'
  | 'forbidden'
  | 'unauthenticated'
  | 'limit'
  | 'unavailable'
  | 'internal'

/** A sentence for people, in every language we speak. A missing language is a type error. */
export type Text = { readonly en: string; readonly ja: string }

export type Lang = keyof Text

export class HubError extends Error {
  readonly code: string
  readonly kind: ErrorKind
  readonly text: Text
  readonly details: Record<string, unknown>
  /** What the verb wrote before it refused is kept: failure counters must survive the refusal they count. */
  keepsWrites = false

  constructor(code: string, kind: ErrorKind, text: Text, details: Record<string, unknown> = {}, cause?: unknown) {
    // What a caller gave as an id is repeated in the sentence, and may have been a credential.
    const clean = { en: cut(withoutSecrets(text.en), SENTENCE_CHARS), ja: cut(withoutSecrets(text.ja), SENTENCE_CHARS) }
    super(clean.en, cause === undefined ? undefined : { cause })
    this.name = 'HubError'
    this.code = code
    this.kind = kind
    this.text = clean
    this.details = Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? withoutSecrets(value) : value]),
    )
  }

  get retryable(): boolean {
    return this.kind === 'unavailable' || this.kind === 'limit'
  }

  keepingWrites(): this {
    this.keepsWrites = true
    return this
  }
}

/** As much of a name as an error repeats. Callers send what they like, and what comes back is read by people and models. */
const NAME_CHARS = 100
/** No sentence is longer, whatever was put into it. */
const SENTENCE_CHARS = 4000

/** The beginning of a text that is too long to be repeated whole. */
export function cut(text: string, chars = NAME_CHARS): string {
  if (text.length <= chars) return text
  const end = text.slice(0, chars - 1)
  // Not in the middle of a character.
  return `${/[\ud800-\udbff]$/.test(end) ? end.slice(0, -1) : end}…`
}

/** What a caller gave, as it may be repeated. */
export function quoted(given: string): string {
  return cut(withoutSecrets(given))
}

/** What callers name things by. Paths, branches and sentences stay as they are, up to the sentence's own limit. */
const NAMES = /Id$|^(role|phase|engine|name|mode|claimed|actual|to|by)$/

function cutNames(params: Params): Params {
  const cutOne = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'string') return [name, value]
    return [name, cut(value, NAMES.test(name) ? NAME_CHARS : SENTENCE_CHARS)]
  }
  return Object.fromEntries(Object.entries(params).map(cutOne))
}

type Params = Record<string, unknown>
type Declared<P extends Params> = { kind: ErrorKind; text: (params: P) => Text }

/** Declares one code: `error('not-found', (p: { taskId: string }) => ({ en: …, ja: … }))`. */
export function error<P extends Params>(kind: ErrorKind, text: (params: P) => Text): Declared<P> {
  return { kind, text }
}

type Factories<D> = {
  readonly [C in keyof D]: D[C] extends Declared<infer P>
    ? Record<never, never> extends P
      ? (params?: P, cause?: unknown) => HubError
      : (params: P, cause?: unknown) => HubError
    : never
}

export function errors<D extends object>(declared: D): Factories<D> {
  const factories: Record<string, (params?: Params, cause?: unknown) => HubError> = {}
  for (const [code, { kind, text }] of Object.entries(declared) as [string, Declared<Params>][])
    factories[code] = (params = {}, cause) => {
      const shown = cutNames(params)
      return new HubError(code, kind, text(shown), shown, cause)
    }
  return factories as Factories<D>
}

/** What one client may use of the hub: calls a minute, written megabytes a minute, answers it waits for at once. */
type Quota = 'calls' | 'bytes' | 'waiting'

function quotaText(quota: Quota, limit: number, seconds: number): Text {
  switch (quota) {
    case 'calls':
      return {
        en: `This client made more than ${limit} calls within a minute; this one was not carried out. Try again in ${seconds} s, or raise limits.callsPerMinute in the configuration.`,
        ja: `このクライアントの呼び出しが 1 分あたり ${limit} 回を超えたため、実行しませんでした。${seconds} 秒後に再試行するか、設定の limits.callsPerMinute を増やしてください。`,
      }
    case 'bytes':
      return {
        en: `This client wrote more than ${limit} MB within a minute; nothing of this call was written. Try again in ${seconds} s, or raise limits.writeMegabytesPerMinute in the configuration.`,
        ja: `このクライアントの書き込みが 1 分あたり ${limit} MB を超えたため、書き込みませんでした。${seconds} 秒後に再試行するか、設定の limits.writeMegabytesPerMinute を増やしてください。`,
      }
    default:
      return {
        en: `This client waits for ${limit} answers already; this call was not carried out. Wait for some of them, then try again.`,
        ja: `このクライアントには応答待ちの呼び出しが ${limit} 件あるため、実行しませんでした。応答を受け取ってから再試行してください。`,
      }
  }
}

/** Errors any part of the hub may raise. */
export const CoreError = errors({
  INVALID_ARGUMENT: error('invalid', (p: { reason: Text }) => p.reason),
  NOT_ALLOWED: error('forbidden', (p: { what: Text }) => p.what),
  /** `role` is null for a tab, which has none. */
  PERMISSION_EXCEEDED: error('forbidden', (p: { role: string | null; wanted: string; own: string }) =>
    p.role === null
      ? {
          en: `A tab has the permission ${p.wanted}, and you were started with ${p.own}: what you start may do no more than you. Ask the operator to launch it.`,
          ja: `タブの権限は ${p.wanted} ですが、あなたは ${p.own} で起動されています。自分より強い権限のものは起動できません。オペレーターに起動を依頼してください。`,
        }
      : {
          en: `Role ${p.role} has the permission ${p.wanted}, and you were started with ${p.own}: what you start may do no more than you. Choose a role with less (list_roles shows them), or ask the operator to start it.`,
          ja: `ロール ${p.role} の権限は ${p.wanted} ですが、あなたは ${p.own} で起動されています。自分より強い権限のものは起動できません。権限の弱いロール (list_roles で確認できます) を選ぶか、オペレーターに起動を依頼してください。`,
        },
  ),
  UNAUTHENTICATED: error('unauthenticated', () => ({
    en: 'A valid token is needed; `toryo token` prints it.',
    ja: '有効なトークンが必要です。`toryo token` で表示できます。',
  })),
  IDEMPOTENCY_CONFLICT: error('conflict', () => ({
    en: 'This idempotency key was already used for a different call; use a new key.',
    ja: 'この冪等キーは別の呼び出しで使用済みです。新しいキーを使ってください。',
  })),
  QUOTA_EXCEEDED: error('limit', (p: { quota: Quota; limit: number; retryAfterMs: number }) =>
    quotaText(p.quota, p.limit, Math.ceil(p.retryAfterMs / 1000)),
  ),
  /** In English short enough for the reason of a WebSocket's close, which holds 123 bytes. */
  TOO_MANY_CONNECTIONS: error('unavailable', (p: { limit: number }) => ({
    en: `The hub has ${p.limit} connections open, which is its limit; close one and try again.`,
    ja: `ハブの接続数が上限の ${p.limit} に達しています。接続を 1 つ閉じてから再実行してください。`,
  })),
  STORAGE_FULL: error('unavailable', () => ({
    en: 'The disk is full; nothing was written. Free some space and try again.',
    ja: 'ディスクがいっぱいで、何も書き込まれていません。空きを作ってから再実行してください。',
  })),
  /** Said by a bridge, in its own words: no hub got the call, or none has answered it. */
  HUB_UNAVAILABLE: error('unavailable', () => ({
    en: 'The hub is out of reach. Try again later.',
    ja: 'ハブに接続できません。後で再試行してください。',
  })),
  DB_UNAVAILABLE: error('unavailable', () => ({
    en: 'The database does not answer; nothing is lost. Try again in a moment.',
    ja: 'データベースが応答しません。データは失われていません。しばらくして再実行してください。',
  })),
  /** A shared database that another machine's hub, of a newer version, has migrated meanwhile. */
  DATABASE_IS_NEWER: error('conflict', (p: { db: string; migration: string }) => ({
    en: `A newer Toryo has changed the tables of ${p.db} (${p.migration}), so this hub no longer writes to it; nothing was written. Update Toryo on this machine, then run \`toryo stop\` and start it again.`,
    ja: `${p.db} のテーブルは、より新しい Toryo によって変更されました (${p.migration})。このハブからはもう書き込みません。今回の内容も書き込んでいません。このマシンの Toryo を更新し、\`toryo stop\` で停止してから起動し直してください。`,
  })),
  INTERNAL_ERROR: error('internal', (p: { ref: string }) => ({
    en: `Something went wrong inside the hub; its log has the details under ${p.ref}.`,
    ja: `ハブの内部で問題が起きました。詳細はログの ${p.ref} にあります。`,
  })),
})
