import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { AgentId, PageId, ProjectId } from './id-types.ts'

/** Sentences that clients match on stay the same in every language. */
const fixed = (sentence: string) => () => ({ en: sentence, ja: sentence })

export const IdentityError = errors({
  INVALID_CREDENTIALS: error('unauthenticated', fixed('Invalid agent_id or passkey')),
  ALREADY_RUNNING: error('conflict', fixed('Agent instance already running for this project')),
  INVALID_SESSION: error('unauthenticated', fixed('Invalid or expired session_token')),
  TOO_MANY_ATTEMPTS: error('limit', (p: { seconds: number }) => ({
    en: `Too many failed attempts for this agent; try again in ${p.seconds} s.`,
    ja: `このエージェントの認証失敗が続いています。${p.seconds} 秒後に再試行してください。`,
  })),
  AGENT_NOT_FOUND: error('not-found', (p: { agentId: string }) => ({
    en: `There is no agent ${p.agentId}; list_agents shows the ones there are.`,
    ja: `エージェント ${p.agentId} はありません。list_agents で一覧を確認できます。`,
  })),
  AGENT_EXISTS: error('conflict', (p: { what: string }) => ({
    en: `An agent with the ${p.what} exists already; choose another.`,
    ja: `${p.what} のエージェントは既にあります。別のものを選んでください。`,
  })),
  AGENT_DISABLED: error('forbidden', (p: { agentId: string }) => ({
    en: `Agent ${p.agentId} is disabled; a person can enable it with \`toryo agent enable ${p.agentId}\`. Stop working.`,
    ja: `エージェント ${p.agentId} は無効です。\`toryo agent enable ${p.agentId}\` で有効にできます。作業を終了してください。`,
  })),
  AGENT_MISMATCH: error('forbidden', (p: { claimed: string; actual: string }) => ({
    en: `This connection belongs to ${p.actual} and cannot act as ${p.claimed}.`,
    ja: `この接続は ${p.actual} のものであり、${p.claimed} としては操作できません。`,
  })),
  STALE_EPOCH: error('forbidden', (p: { agentId: string }) => ({
    en: `A newer instance of ${p.agentId} has taken over; this one may no longer write. Stop working.`,
    ja: `${p.agentId} の新しいインスタンスが引き継ぎました。このインスタンスからは書き込めません。作業を終了してください。`,
  })),
  RUNNER_EXISTS: error('conflict', (p: { name: string }) => ({
    en: `There is, or was, a Runner named ${p.name}; choose another name.`,
    ja: `${p.name} という名前の Runner は既にあるか、以前ありました。別の名前を選んでください。`,
  })),
  RUNNER_NOT_FOUND: error('not-found', (p: { name: string }) => ({
    en: `There is no Runner named ${p.name}; \`toryo runner list\` shows the ones there are.`,
    ja: `${p.name} という名前の Runner はありません。\`toryo runner list\` で一覧を確認できます。`,
  })),
  RUNNER_REFUSED: error('unauthenticated', () => ({
    en: 'This Runner token is unknown or was revoked; `toryo runner token <name>` on the hub makes a new one.',
    ja: 'この Runner のトークンは不明か、取り消されています。ハブで `toryo runner token <名前>` を実行すると新しく作れます。',
  })),
  TOKEN_EXISTS: error('conflict', (p: { name: string }) => ({
    en: `A token named ${p.name} exists or has existed. Choose another name.`,
    ja: `${p.name} という名前のトークンは既にあるか、以前ありました。別の名前を選んでください。`,
  })),
  TOKEN_NOT_FOUND: error('not-found', (p: { name: string }) => ({
    en: `Token ${p.name} not found. Use \`toryo token list\` to list them.`,
    ja: `${p.name} という名前のトークンはありません。\`toryo token list\` で一覧を確認できます。`,
  })),
  TOKEN_REFUSED: error('unauthenticated', () => ({
    en: 'This token is unknown or was revoked. Create a new one with `toryo token create <name>` on the hub.',
    ja: 'このトークンは不明か、取り消されています。ハブで `toryo token create <名前>` を実行すると新しく作れます。',
  })),
  LOGIN_REFUSED: error('unauthenticated', () => ({
    en: 'This login link was used before, has expired, or belongs to another hub. Run `toryo open` to get a new one.',
    ja: 'このログインリンクは使用済みか期限切れ、または別のハブのものです。`toryo open` で新しいリンクを取得してください。',
  })),
  LOGIN_CLOSED: error('limit', (p: { seconds: number; retryAfterMs: number }) => ({
    en: `Too many wrong login links. Try again in ${p.seconds} s.`,
    ja: `誤ったログインリンクが続いたため、ログインを一時停止しています。${p.seconds} 秒後に再試行してください。`,
  })),
  PAGE_SIGNED_OUT: error('unauthenticated', () => ({
    en: 'This browser is not signed in. Run `toryo open` to sign it in.',
    ja: 'このブラウザーはサインインしていません。`toryo open` でサインインしてください。',
  })),
  PAGE_NOT_FOUND: error('not-found', (p: { pageId: string }) => ({
    en: `Browser ${p.pageId} not found. page.list lists the ones that are signed in.`,
    ja: `ブラウザー ${p.pageId} はありません。page.list でサインイン中のものを確認できます。`,
  })),
  TICKET_REFUSED: error('unauthenticated', () => ({
    en: 'This start ticket is used up or out of date; ask for a new one with should_start.',
    ja: 'この開始チケットは使用済みか期限切れです。should_start で新しいものを取得してください。',
  })),
})

const pair = z.object({ agentId: AgentId, projectId: ProjectId, epoch: z.int() })
const agent = z.object({ agentId: AgentId })
const touchesAgent = (p: { agentId: string }) => [`agent://${p.agentId}`]

export const AgentAdded = eventType('agent.added', agent, touchesAgent)
/** `fields`: the names of those that changed. */
export const AgentEdited = eventType('agent.edited', agent.extend({ fields: z.array(z.string()) }), touchesAgent)
export const AgentEnabled = eventType('agent.enabled', agent, touchesAgent)
export const AgentDisabled = eventType('agent.disabled', agent, touchesAgent)
export const AgentToolsetsChanged = eventType(
  'agent.toolsets_changed',
  agent.extend({ toolsets: z.array(z.string()) }),
  touchesAgent,
)
export const PasskeyRotated = eventType('agent.passkey_rotated', agent, touchesAgent)
/** Null for an id that no agent has: it may be anything, also an agent's passkey. */
export const SignInFailed = eventType('agent.sign_in_failed', z.object({ agentId: AgentId.nullable() }))
export const StartClaimed = eventType('instance.start_claimed', pair, touchesAgent)
export const SignedIn = eventType('instance.signed_in', pair, touchesAgent)
export const SignedOut = eventType('instance.signed_out', pair.extend({ reason: z.string() }), touchesAgent)
export const InstanceEnded = eventType(
  'instance.ended',
  pair.extend({ cause: z.string(), exitCode: z.int().nullable(), signal: z.string().nullable(), message: z.string() }),
  touchesAgent,
)
export const RunnerAdded = eventType('runner.added', z.object({ name: z.string() }))
export const RunnerRevoked = eventType('runner.revoked', z.object({ name: z.string() }))
export const TokenAdded = eventType('token.added', z.object({ name: z.string() }))
export const TokenRevoked = eventType('token.revoked', z.object({ name: z.string() }))
/** A browser, at the dashboard. */
export const PageSignedIn = eventType('page.signed_in', z.object({ pageId: PageId }))
export const PageSignedOut = eventType('page.signed_out', z.object({ pageId: PageId }))
export const InstanceLost = eventType('instance.lost', pair.extend({ restarts: z.int() }), touchesAgent)
