// The options by which a project says where its tasks are worked on and what becomes of the work.
import {
  ACCEPT_POLICIES,
  type AcceptPolicy,
  MERGE_METHODS,
  type MergeMethod,
  WORKSPACE_MODES,
  type WorkspaceMode,
} from '#contract/projects.ts'

export type SettingOptions = {
  workspace?: WorkspaceMode
  base?: string
  accept?: AcceptPolicy
  reviewer?: string
  merge?: MergeMethod
}

export const settingOptions = [
  {
    flags: '--workspace <mode>',
    text: {
      en: 'task: a worktree and branch for each task; folder: all tasks in the project folder',
      ja: 'task: タスクごとにワークツリーとブランチを作る。folder: すべてプロジェクトのフォルダーで作業する',
    },
    choices: WORKSPACE_MODES,
  },
  {
    flags: '--base <branch>',
    text: {
      en: 'Branch that work starts from and is merged into (default: the one that is checked out)',
      ja: '作業の起点とマージ先のブランチ (省略時: チェックアウト中のもの)',
    },
  },
  {
    flags: '--accept <policy>',
    text: { en: 'What makes reported work accepted', ja: '報告された作業を承認する方法' },
    choices: ACCEPT_POLICIES,
  },
  {
    flags: '--reviewer <agent>',
    text: { en: 'Agent that reviews, with --accept agent', ja: 'レビュー担当のエージェント (--accept agent のとき)' },
  },
  {
    flags: '--merge <method>',
    text: { en: 'How accepted work is merged', ja: '承認した作業のマージ方法' },
    choices: MERGE_METHODS,
  },
] as const

/** An empty branch or agent takes it out again. */
export function settingsOf({ workspace, base, accept, reviewer, merge }: SettingOptions) {
  return { workspace, base: base === '' ? null : base, accept, reviewer_id: reviewer === '' ? null : reviewer, merge }
}
