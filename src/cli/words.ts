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
  /** The first line of its help. */
  readonly when: Text
}

/** For scripts/gen.js. @public */
export const WORDS: readonly Word[] = [
  {
    path: 'project',
    when: {
      en: 'When you add a folder that agents work in, or change its rules.',
      ja: 'エージェントが作業するフォルダーを追加・設定するときに。',
    },
    group: 'work',
    order: 6,
    summary: { en: 'Projects: add, list, assign agents', ja: 'プロジェクトの追加・一覧・割り当て' },
  },
  {
    path: 'project check',
    when: {
      en: 'To say which commands must pass before work is merged.',
      ja: 'マージ前に成功すべきコマンドを決めるときに。',
    },
    order: 11,
    summary: { en: 'Checks: commands that reported work must pass', ja: 'チェック: 報告された作業が通るべきコマンド' },
  },
  {
    path: 'agent',
    when: {
      en: 'When you add an agent, or want to know what each one does.',
      ja: 'エージェントを追加する、または今の作業を確認するときに。',
    },
    group: 'work',
    order: 7,
    summary: { en: 'Agents: add, list, disable, new passkey', ja: 'エージェントの追加・一覧・停止・パスキーの再発行' },
  },
  {
    path: 'task',
    when: {
      en: 'Every day: hand out work, answer questions, review the result.',
      ja: '作業を頼む・質問に答える・結果をレビューするときに。',
    },
    group: 'work',
    order: 8,
    summary: { en: 'Tasks: add, start, answer, review, list', ja: 'タスクの追加・開始・回答・レビュー・一覧' },
  },
  {
    path: 'crew',
    when: {
      en: 'When several agents should look at the same thing at once.',
      ja: '複数のエージェントに同じ目的で働いてもらうときに。',
    },
    group: 'work',
    order: 9,
    summary: { en: 'Crews: agents started for one purpose', ja: 'クルー: 目的ごとに起動するエージェント' },
  },
  {
    path: 'run',
    when: {
      en: 'To see what an agent does now or did, or to end it.',
      ja: 'エージェントの今の作業や過去の実行を見る、終了するときに。',
    },
    group: 'work',
    order: 10,
    summary: { en: 'Runs: one agent program at work', ja: '実行: エージェントの 1 回の起動' },
  },
  {
    path: 'tab',
    when: {
      en: 'When you want to watch an agent in a terminal and type, too.',
      ja: 'ターミナルでエージェントを見ながら自分も入力するときに。',
    },
    group: 'work',
    order: 11,
    summary: {
      en: 'Tabs: agents in terminals on git worktrees',
      ja: 'タブ: git ワークツリー上のターミナルで動くエージェント',
    },
  },
  {
    path: 'phase',
    when: {
      en: 'When a project goes through planned phases, one by one.',
      ja: 'プロジェクトを決めたフェーズの順に進めるときに。',
    },
    group: 'work',
    order: 12,
    summary: { en: 'Phases: status, steps, prompts', ja: 'フェーズの状態・進行・プロンプト' },
  },
  {
    path: 'phase prompt',
    when: {
      en: 'To read or change what agents are asked in each phase.',
      ja: '各フェーズでエージェントへ渡す指示を確認・変更するときに。',
    },
    order: 8,
    summary: { en: 'The prompts of the phases', ja: 'フェーズのプロンプト' },
  },
  {
    path: 'memory',
    when: {
      en: 'To read or add what all agents should know of a project.',
      ja: '全エージェントが知るべきことを確認・追加するときに。',
    },
    group: 'work',
    order: 13,
    summary: { en: 'Memory: topics, decisions, search', ja: 'メモリ: トピック・決定・検索' },
  },
  {
    path: 'engine',
    when: {
      en: 'To see which agent programs are installed, signed in or paused.',
      ja: '使えるエージェントのプログラムや一時停止中のものを確認するときに。',
    },
    group: 'hub',
    order: 15,
    summary: { en: 'Engines: list, lift a pause', ja: 'エンジンの一覧・一時停止の解除' },
  },
]
