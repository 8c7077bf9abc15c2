// The words that only hold other commands, and the titles of the help. A command itself is one file in commands/.
import type { Text } from '#contract/errors.ts'

export const GROUPS = {
  hub: { en: 'The hub:', ja: 'ハブ:' },
  work: { en: 'Your work:', ja: '仕事:' },
  data: { en: 'Your data:', ja: 'データ:' },
  more: { en: 'More:', ja: 'その他:' },
} satisfies Record<string, Text>

type Word = {
  readonly path: string
  readonly group?: keyof typeof GROUPS
  readonly order: number
  readonly summary: Text
}

/** For scripts/gen.js. @public */
export const WORDS: readonly Word[] = [
  {
    path: 'project',
    group: 'work',
    order: 6,
    summary: { en: 'Projects: add, list, assign agents', ja: 'プロジェクトの追加・一覧・割り当て' },
  },
  {
    path: 'project check',
    order: 11,
    summary: { en: 'Checks: commands that reported work must pass', ja: 'チェック: 報告された作業が通るべきコマンド' },
  },
  {
    path: 'agent',
    group: 'work',
    order: 7,
    summary: { en: 'Agents: add, list, disable, new passkey', ja: 'エージェントの追加・一覧・停止・パスキーの再発行' },
  },
  {
    path: 'task',
    group: 'work',
    order: 8,
    summary: { en: 'Tasks: add, start, answer, review, list', ja: 'タスクの追加・開始・回答・レビュー・一覧' },
  },
  {
    path: 'crew',
    group: 'work',
    order: 9,
    summary: { en: 'Crews: agents started for one purpose', ja: 'クルー: 目的ごとに起動するエージェント' },
  },
  {
    path: 'run',
    group: 'work',
    order: 10,
    summary: { en: 'Runs: one agent program at work', ja: '実行: 作業中のエージェント 1 つ' },
  },
  {
    path: 'tab',
    group: 'work',
    order: 11,
    summary: {
      en: 'Tabs: agents in terminals on git worktrees',
      ja: 'タブ: git ワークツリー上のターミナルで動くエージェント',
    },
  },
  {
    path: 'phase',
    group: 'work',
    order: 12,
    summary: { en: 'Phases: status, steps, prompts', ja: 'フェーズの状態・進行・プロンプト' },
  },
  {
    path: 'phase prompt',
    order: 8,
    summary: { en: 'The prompts of the phases', ja: 'フェーズのプロンプト' },
  },
  {
    path: 'memory',
    group: 'work',
    order: 13,
    summary: { en: 'Memory: topics, decisions, search', ja: 'メモリ: トピック・決定・検索' },
  },
  {
    path: 'engine',
    group: 'hub',
    order: 15,
    summary: { en: 'Engines: list, lift a pause', ja: 'エンジンの一覧・休止の解除' },
  },
]
