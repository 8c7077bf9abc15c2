// The verbs on messages: stored first, typed when it is safe (postman.ts), and every one ends delivered or undeliverable.
import { type Caller, callerName } from '#contract/caller.ts'
import { CoreError, type Text } from '#contract/errors.ts'
import type { MessageId, TabId } from '#contract/id-types.ts'
import { MessageDelivered, MessageQueued, MessageUndeliverable, TabError } from '#contract/tabs.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Ids } from '#kernel/ids.ts'
import { cleaned, MESSAGE_BYTES } from './encoder.ts'
import { hopsAfter, HUB_SENDER, type Message, OPERATOR, stateOf, type Tab } from './model.ts'
import type { Limits } from './ports.ts'
import { type MessageFilter, MessageStore } from './store.ts'

export type MessageDeps = { db: Db; events: EventLog; clock: Clock; ids: Ids; limits: () => Limits }

/** Its tab's program does not read. */
export const STALLED = 'stalled'
/** Its tab's program takes whole lines, and the system would cut this one. */
export const LINE_TOO_LONG = 'line_too_long'
/** The operator took it back before it was typed. */
const CANCELLED = 'cancelled'
/** More undelivered messages than this are refused. */
const MAILBOX = 500
const PROMPT_BYTES = 64 * 1024
const HUB_ITSELF = { sender: HUB_SENDER, caller: 'hub' }

export class Messages {
  readonly #deps: MessageDeps

  constructor(deps: MessageDeps) {
    this.#deps = deps
  }

  /** To tabs that are live and the sender's to write to. Of several, one that takes nothing any more is passed over. */
  send(tabs: readonly Tab[], body: string, by: Caller): Promise<Message[]> {
    return this.#deps.db.tx(async tx => {
      const text = lineOf(body, MESSAGE_BYTES)
      const hops = await this.#hops(tx, by)
      const sent: Message[] = []
      for (const tab of tabs) {
        const full = await this.#isFull(tx, tab)
        if (full && tabs.length === 1) throw TabError.MAILBOX_FULL({ tabId: tab.id, limit: MAILBOX })
        const message = await this.#queue(tx, tab, 'message', body, text, hops, by)
        sent.push(full ? await this.#fail(tx, message, 'mailbox_full', by) : message)
      }
      return sent
    })
  }

  /** The first message to a tab, from the caller that launched it. */
  prompt(tab: Tab, body: string, by: Caller): Promise<Message> {
    return this.#deps.db.tx(async tx =>
      this.#queue(tx, tab, 'prompt', body, lineOf(body, PROMPT_BYTES), await this.#hops(tx, by), by),
    )
  }

  /**
   * What the hub itself has to say: not a person's word, and shown as one that may be wrong. Not for a tab that takes nothing any more.
   */
  inform(tab: Tab, body: string, by: Caller): Promise<Message | undefined> {
    return this.#deps.db.tx(async tx => {
      if (tab.endedAt !== null || (await this.#isFull(tx, tab))) return undefined
      return this.#queue(tx, tab, 'message', body, lineOf(body, MESSAGE_BYTES), 1, by, HUB_ITSELF)
    })
  }

  nextFor(tabId: TabId): Promise<Message | undefined> {
    return new MessageStore(this.#deps.db).nextQueued(tabId)
  }

  /** The one before it, when its tab did not take all of it. */
  async cutBefore({ tabId, seq }: Message): Promise<MessageId | undefined> {
    const before = await new MessageStore(this.#deps.db).findBefore(tabId, seq)
    return before?.reason === STALLED ? before.id : undefined
  }

  /** Why the first prompt did not reach the program, where the tab itself goes on. */
  async promptProblem(tabId: TabId): Promise<Text | undefined> {
    const prompt = await new MessageStore(this.#deps.db).findPrompt(tabId)
    return PROMPT_PROBLEMS[prompt?.reason ?? '']
  }

  countQueued(tabId: TabId): Promise<number> {
    return new MessageStore(this.#deps.db).countQueued(tabId)
  }

  find(id: MessageId): Promise<Message | undefined> {
    return new MessageStore(this.#deps.db).find(id)
  }

  list(tabId: TabId, after: number | undefined, limit: number): Promise<Message[]> {
    return new MessageStore(this.#deps.db).list(tabId, after, limit)
  }

  /** Of all tabs, or of those that the filter means; newest first. `before` is the last one of the page before. */
  newest(filter: MessageFilter, before: number | undefined, limit: number): Promise<Message[]> {
    return new MessageStore(this.#deps.db).newest(filter, before, limit)
  }

  /**
   * Before its first key: what a quick program says at once is an answer to it. False: it was taken back, or its tab has ended, and
   * it must not be typed. From here on it cannot be taken back.
   */
  typing({ id }: Message): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const store = new MessageStore(tx)
      const now = await store.find(id)
      if (!now || stateOf(now) !== 'queued') return false
      await store.typed(id, this.#deps.clock.now())
      return true
    })
  }

  /** Again: it stays cancelled. One that may stand in its terminal already cannot be. */
  cancel(id: MessageId, by: Caller): Promise<Message> {
    return this.#deps.db.tx(async tx => {
      const message = await new MessageStore(tx).find(id)
      if (message?.kind !== 'message') throw TabError.MESSAGE_NOT_FOUND({ messageId: id })
      if (message.reason === CANCELLED) return message
      const state = stateOf(message)
      if (state !== 'queued' || message.typedAt !== null) throw TabError.MESSAGE_NOT_QUEUED({ messageId: id, state })
      return this.#fail(tx, message, CANCELLED, by)
    })
  }

  delivered({ id, tabId, sender, projectId }: Message, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new MessageStore(tx)
      const now = await store.find(id)
      if (!now || now.deliveredAt !== null || now.failedAt !== null) return
      await store.settle(id, { deliveredAt: this.#deps.clock.now() })
      await this.#deps.events.publish(tx, MessageDelivered, { messageId: id, tabId, from: sender }, by, projectId)
    })
  }

  undeliverable(message: Message, reason: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const now = await new MessageStore(tx).find(message.id)
      if (now && now.deliveredAt === null && now.failedAt === null) await this.#fail(tx, message, reason, by)
    })
  }

  /** Everything that still waits for a tab. */
  giveUp(tab: Tab, reason: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      for (const message of await new MessageStore(tx).queued(tab.id)) await this.#fail(tx, message, reason, by)
    })
  }

  async #fail(tx: Tx, message: Message, reason: string, by: Caller): Promise<Message> {
    const { id, tabId, sender, projectId } = message
    const failedAt = this.#deps.clock.now()
    await new MessageStore(tx).settle(id, { failedAt, reason })
    const fact = { messageId: id, tabId, from: sender, reason }
    await this.#deps.events.publish(tx, MessageUndeliverable, fact, by, projectId)
    return { ...message, failedAt, reason }
  }

  async #isFull(tx: Tx, tab: Tab): Promise<boolean> {
    return (await new MessageStore(tx).countQueued(tab.id)) >= MAILBOX
  }

  /** A tab that passes on what it received adds a hop; a person's own message has none. */
  async #hops(tx: Tx, by: Caller): Promise<number> {
    if (by.kind !== 'tab') return by.kind === 'operator' ? 0 : 1
    const hops = hopsAfter(await new MessageStore(tx).heard(by.tabId), this.#deps.clock.now())
    const limit = this.#deps.limits().hops
    if (hops > limit) throw TabError.HOP_LIMIT_REACHED({ limit })
    return hops
  }

  async #queue(
    tx: Tx,
    tab: Tab,
    kind: Message['kind'],
    body: string,
    text: { text: string; hidden: number },
    hops: number,
    by: Caller,
    from = { sender: by.kind === 'tab' ? by.tabId : OPERATOR, caller: callerName(by) },
  ): Promise<Message> {
    const message = await new MessageStore(tx).insert({
      id: this.#deps.ids.next('msg'),
      tabId: tab.id,
      projectId: tab.projectId,
      ...from,
      kind,
      body,
      line: text.text,
      hidden: text.hidden,
      hops,
      queuedAt: this.#deps.clock.now(),
      typedAt: null,
      deliveredAt: null,
      failedAt: null,
      reason: null,
    })
    const fact = { messageId: message.id, tabId: tab.id, from: message.sender, hops }
    await this.#deps.events.publish(tx, MessageQueued, fact, by, tab.projectId)
    return message
  }
}

function lineOf(body: string, maxBytes: number): { text: string; hidden: number } {
  if (Buffer.byteLength(body) > maxBytes) throw CoreError.INVALID_ARGUMENT({ reason: tooLong(maxBytes) })
  const line = cleaned(body)
  if (line.text === '') throw CoreError.INVALID_ARGUMENT({ reason: NOTHING })
  return line
}

function tooLong(bytes: number) {
  return {
    en: `message is longer than ${bytes} bytes; write it into a file of the worktree and send the path.`,
    ja: `message が ${bytes} バイトを超えています。ワークツリーのファイルに書き、そのパスを送ってください。`,
  }
}

const PROMPT_PROBLEMS: Readonly<Record<string, Text>> = {
  [STALLED]: {
    en: 'The first prompt was not delivered: the program did not read its input.',
    ja: '最初のプロンプトは届いていません。プログラムが入力を読みませんでした。',
  },
  [LINE_TOO_LONG]: {
    en: 'The first prompt was not delivered: it is too long for a program that takes whole lines. Write it into a file of the worktree and send the path.',
    ja: '最初のプロンプトは届いていません。行単位で入力を読むプログラムには長すぎます。ワークツリーのファイルに書き、そのパスを送ってください。',
  },
}

const NOTHING = {
  en: 'message has nothing in it that can be shown.',
  ja: 'message に表示できる文字がありません。',
}
