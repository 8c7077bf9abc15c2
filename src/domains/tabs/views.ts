import { setupText } from '#contract/why-text.ts'
import { isOperatorName } from '#contract/caller.ts'
import type { Lang, Text } from '#contract/errors.ts'
import type { MessageView, TabDetail, TabStatus, TabView } from '#contract/tabs.ts'
import type { OverlapView } from '#contract/thread.ts'
import { iso } from '#kernel/clock.ts'
import { type Message, stateOf, type Tab } from './model.ts'
import type { WorktreeFacts } from './ports.ts'

export function tabView(tab: Tab, status: TabStatus): TabView {
  return {
    tab_id: tab.id,
    agent_type: tab.engine,
    branch: tab.branch,
    status,
    project_id: tab.projectId,
  }
}

export type Around = {
  status: TabStatus
  queued: number
  promptProblem: Text | undefined
  worktree: WorktreeFacts | undefined
  lang: Lang
  task: string | null
  overlaps: OverlapView[]
}

export function tabDetail(tab: Tab, around: Around): TabDetail {
  const { status, queued, promptProblem, worktree, lang, task, overlaps } = around
  return {
    ...tabView(tab, status),
    worktree_path: tab.worktreePath,
    task,
    session_id: tab.sessionId,
    permission: tab.permission,
    base: tab.base,
    depth: tab.depth,
    launched_by: tab.launchedBy,
    created_at: iso(tab.createdAt),
    ended_at: tab.endedAt === null ? null : iso(tab.endedAt),
    end_reason: tab.endReason,
    exit_code: tab.exitCode,
    problem: (tab.problem?.text ?? promptProblem)?.[lang] ?? null,
    queued_messages: queued,
    setup: worktree?.setup.state ?? null,
    setup_error: worktree?.setup.error ? setupText(worktree.setup.error)[lang] : null,
    overlaps,
  }
}

export function messageView(message: Message): MessageView {
  return {
    message_id: message.id,
    from: message.sender,
    to: message.tabId,
    message: message.line,
    state: stateOf(message),
    reason: message.reason,
    hops: message.hops,
    hidden_characters: message.hidden,
    untrusted: !isOperatorName(message.caller),
    sent_at: iso(message.queuedAt),
    delivered_at: message.deliveredAt === null ? null : iso(message.deliveredAt),
  }
}
