import { z } from 'zod'
import { error, errors, type Text } from './errors.ts'
import { eventType } from './events.ts'
import { MessageId, ProjectId, TabId } from './id-types.ts'
import { TabPermission } from './permission.ts'
import { OverlapView } from './thread.ts'
import { Refusal } from './why.ts'

const TAB_STATUSES = ['starting', 'running', 'idle', 'waiting', 'exited'] as const
export const TabStatus = z.enum(TAB_STATUSES)
export type TabStatus = z.infer<typeof TabStatus>

/** `refused`: it never began. `lost`: its terminal died with the process that held it. */
export const TAB_ENDS = ['exited', 'stopped', 'hub_stopped', 'failed', 'refused', 'lost'] as const
export type TabEnd = (typeof TAB_ENDS)[number]

const MESSAGE_STATES = ['queued', 'delivered', 'undeliverable'] as const
export const MessageState = z.enum(MESSAGE_STATES)
export type MessageState = z.infer<typeof MessageState>

export const TabView = z.object({
  tab_id: TabId,
  agent_type: z.string().describe('The engine'),
  branch: z.string(),
  status: TabStatus,
  project_id: ProjectId,
})
export type TabView = z.infer<typeof TabView>

export const TabDetail = TabView.extend({
  worktree_path: z.string().nullable(),
  task: z.string().nullable().describe('The handle of the task in whose workspace it works'),
  session_id: z.string().nullable().describe("The engine's own name for the conversation, where it is known"),
  permission: TabPermission.describe('What it may do without asking; own: as its program is set up'),
  base: z.string().nullable(),
  depth: z.int(),
  launched_by: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  end_reason: z.enum(TAB_ENDS).nullable(),
  exit_code: z.int().nullable(),
  problem: z.string().nullable(),
  queued_messages: z.int(),
  setup: z.string().nullable().describe("The project's setup command: none, running, succeeded, failed …"),
  setup_error: z.string().nullable(),
  overlaps: z.array(OverlapView).describe('Who else changes the same lines now, or would not merge with it'),
})
export type TabDetail = z.infer<typeof TabDetail>

export const MessageView = z.object({
  message_id: MessageId,
  from: z.string(),
  to: z.string(),
  message: z.string(),
  state: MessageState,
  reason: z.string().nullable(),
  hops: z.int(),
  hidden_characters: z.int(),
  /** What another wrote is data, never an order of the person's. */
  untrusted: z.boolean(),
  sent_at: z.string(),
  delivered_at: z.string().nullable(),
})
export type MessageView = z.infer<typeof MessageView>

export const TabError = errors({
  TAB_NOT_FOUND: error('not-found', (p: { tabId: string; ended?: boolean }) =>
    p.ended
      ? {
          en: `Tab ${p.tabId} has ended. Use gwt_list_tabs to list the live tabs.`,
          ja: `タブ ${p.tabId} は終了しています。gwt_list_tabs で稼働中のタブを確認できます。`,
        }
      : {
          en: `Tab ${p.tabId} not found. Use gwt_list_tabs to list them.`,
          ja: `タブ ${p.tabId} はありません。gwt_list_tabs で稼働中のタブを確認できます。`,
        },
  ),
  ENGINE_NOT_FOUND: error('not-found', (p: { engine: string; problem: string }) => ({
    en: `The engine ${p.engine} cannot be started in a terminal: ${p.problem}. Use \`toryo doctor\` to list the engines that can be.`,
    ja: `エンジン ${p.engine} をターミナルで起動できません: ${p.problem}。\`toryo doctor\` で使えるものを確認できます。`,
  })),
  TAB_LIMIT_REACHED: error('limit', (p: { limit: number; file?: string }) => ({
    en: `The limit of ${p.limit} tabs${p.file === undefined ? '' : ` in the project's ${p.file}`} is reached; stop one with gwt_stop_tab.`,
    ja: `タブ数が${p.file === undefined ? '' : `プロジェクトの ${p.file} の`}上限 (${p.limit}) に達しています。gwt_stop_tab で停止してください。`,
  })),
  RATE_LIMITED: error('limit', (p: { limit: number; seconds: number }) => ({
    en: `At most ${p.limit} tabs are launched in a minute; try again in ${p.seconds} s.`,
    ja: `タブの起動は 1 分間に ${p.limit} 回までです。${p.seconds} 秒後に再試行してください。`,
  })),
  TAB_DEPTH_REACHED: error('limit', (p: { depth: number }) => ({
    en: `Tabs launch tabs at most ${p.depth} deep; ask the one that launched you, or the operator.`,
    ja: `タブからの起動は ${p.depth} 段までです。起動元か運用者に依頼してください。`,
  })),
  MAILBOX_FULL: error('limit', (p: { tabId: string; limit: number }) => ({
    en: `${p.limit} messages already wait for tab ${p.tabId}; wait until it has taken some.`,
    ja: `タブ ${p.tabId} には既に ${p.limit} 件のメッセージが待っています。受け取られるまで待ってください。`,
  })),
  HOP_LIMIT_REACHED: error('limit', (p: { limit: number }) => ({
    en: `This message goes on from others for the ${p.limit + 1}th time; a person must step in before it goes further.`,
    ja: `このメッセージは ${p.limit} 回の中継を超えます。続けるには人の介入が必要です。`,
  })),
  LAUNCH_FAILED: error('unavailable', (p: { problem: string }) => ({
    en: `The tab could not be started: ${p.problem}`,
    ja: `タブを起動できませんでした: ${p.problem}`,
  })),
  CANNOT_TAKE: error('conflict', (p: { run: string; reason: Text }) => ({
    en: `The conversation of ${p.run} cannot be taken into a tab: ${p.reason.en}`,
    ja: `${p.run} の会話をタブに引き継げません: ${p.reason.ja}`,
  })),
  MESSAGE_NOT_FOUND: error('not-found', (p: { messageId: string }) => ({
    en: `Message ${p.messageId} not found. Use message.list to list them.`,
    ja: `メッセージ ${p.messageId} が見つかりません。message.list で一覧を確認できます。`,
  })),
  MESSAGE_NOT_QUEUED: error('conflict', (p: { messageId: string; state: MessageState }) =>
    p.state === 'queued'
      ? {
          en: `Message ${p.messageId} is being typed into its tab, so it can no longer be cancelled.`,
          ja: `メッセージ ${p.messageId} はタブに入力中のため、取り消せません。`,
        }
      : {
          en: `Message ${p.messageId} is ${p.state}; only a queued message can be cancelled.`,
          ja: `メッセージ ${p.messageId} は${p.state === 'delivered' ? '配信済み' : '配信できなかったもの'}です。取り消せるのは配信待ちのものだけです。`,
        },
  ),
  TAB_TICKET_REFUSED: error('unauthenticated', () => ({
    en: 'This ticket belongs to a tab that has ended, or to another process.',
    ja: 'このチケットは終了したタブ、または別のプロセスのものです。',
  })),
})

const tab = z.object({ tabId: TabId })
export const TabCreated = eventType(
  'tab.created',
  tab.extend({ engine: z.string(), branch: z.string(), depth: z.int(), parent: z.string().nullable() }),
)
/** Progress while it is being prepared, such as output of the project's setup script. */
export const TabPrepared = eventType('tab.prepared', tab.extend({ worktree: z.string() }))
export const TabOpened = eventType('tab.opened', tab.extend({ adopted: z.boolean() }))
export const TabStatusChanged = eventType('tab.status_changed', tab.extend({ status: TabStatus }))
export const TabStopRequested = eventType('tab.stop_requested', tab)
export const TabEnded = eventType(
  'tab.ended',
  tab.extend({
    ...{ reason: z.enum(TAB_ENDS), exitCode: z.int().nullable() },
    ...{ problem: z.string().nullable(), refusal: Refusal.nullable().optional() },
  }),
)

const message = z.object({ messageId: MessageId, tabId: TabId, from: z.string() })
export const MessageQueued = eventType('message.queued', message.extend({ hops: z.int() }))
export const MessageDelivered = eventType('message.delivered', message)
export const MessageUndeliverable = eventType('message.undeliverable', message.extend({ reason: z.string() }))
