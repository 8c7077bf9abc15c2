// The words of `--help`, in both languages. A missing one is a type error.
import type { Text } from '#contract/errors.ts'
import { ENGINE_IDS } from '#contract/known-engines.gen.ts'

/** Titles that commander writes in English. */
export const titles = {
  'Usage:': { en: 'Usage:', ja: '使い方:' },
  'Arguments:': { en: 'Arguments:', ja: '引数:' },
  'Options:': { en: 'Options:', ja: 'オプション:' },
  'Global Options:': { en: 'Options of every command:', ja: '全コマンド共通のオプション:' },
  'Commands:': { en: 'Commands:', ja: 'コマンド:' },
  'Examples:': { en: 'Examples:', ja: '例:' },
} satisfies Record<string, Text>

export const summary: Text = {
  en: 'Toryo, the foreman for coding agents: one hub with projects, agents and tasks, and one MCP server for all of them.',
  ja: 'Toryo (棟梁) は、コーディングエージェントのまとめ役です。プロジェクト・エージェント・タスクを 1 つのハブと MCP サーバーで扱います。',
}

export const option = {
  db: {
    en: 'Database: a file or a postgres:// URL (default: TORYO_DB, "db" in config.json, ~/.toryo/toryo.db)',
    ja: 'データベース: ファイルか postgres:// の URL (既定: TORYO_DB、config.json の "db"、~/.toryo/toryo.db の順)',
  },
  json: {
    en: 'Print one JSON document; errors too, on stderr',
    ja: '結果を 1 つの JSON で出力 (エラーは標準エラーへ)',
  },
  url: {
    en: 'Use a hub elsewhere, with --token-file; starts none here',
    ja: '別の場所のハブを使う (--token-file と併用)',
  },
  tokenFile: { en: "File (mode 600) with that hub's token", ja: 'そのハブのトークンのファイル (モード 600)' },
  help: { en: 'Show help', ja: 'ヘルプを表示' },
  version: { en: 'Print the version', ja: 'バージョンを表示' },
  dryRun: { en: 'Show what would change, and change nothing', ja: '変更点を表示するだけで、何も変更しない' },
  follow: { en: 'Go on with what is written from now', ja: '新しい行を表示し続ける' },
  limit: { en: 'At most this many', ja: '最大の件数' },
  id: { en: 'Choose the id yourself (letters, digits, . - _)', ja: 'ID を自分で決める (英数字と . - _)' },
  description: { en: 'What it is about', ja: '説明' },
  descriptionOrFile: { en: 'What it is about: text, or @file', ja: '説明: 文章または @ファイル' },
  engine: {
    en: `The agent program: ${ENGINE_IDS.join(', ')}, or one of your configuration`,
    ja: `使うプログラム: ${ENGINE_IDS.join('、')}、または設定で定義したもの`,
  },
  status: { en: 'Only with this status', ja: 'この状態のものだけ' },
  phase: { en: 'The phase (default: the current one)', ja: 'フェーズ (省略時は該当するもの)' },
  label: { en: 'A label; may be given more than once', ja: 'ラベル (複数回指定可)' },
  asanaUrl: { en: 'Where the same work is planned in Asana', ja: 'Asana のプロジェクトの URL' },
  phaseReason: { en: 'Why: text, or @file', ja: '理由: 文章または @ファイル' },
  promptProject: {
    en: "For this project alone, in the place of the hub's",
    ja: 'このプロジェクト専用 (ハブのものより優先)',
  },
  language: { en: 'Language of the prompt (default: yours)', ja: 'プロンプトの言語 (既定: 表示言語)' },
} satisfies Record<string, Text>

export const argument = {
  message: { en: 'The text, or @file', ja: '本文または @ファイル' },
  worktree: { en: 'Its id, or its branch', ja: 'ID またはブランチ' },
  name: { en: 'Its name', ja: '名前' },
  project: { en: 'The project: its key, name or id', ja: 'プロジェクトのキー、名前または ID' },
  agent: { en: 'The agent: its id or name', ja: 'エージェントの ID または名前' },
  task: {
    en: 'The task: its handle (shop-12), its title, its id or the end of it',
    ja: 'タスクのハンドル (shop-12)、タイトル、または ID (末尾だけでも可)',
  },
  tab: { en: 'The tab: its branch, its id, or the end of it', ja: 'タブのブランチまたは ID (末尾だけでも可)' },
  tabOrBranch: {
    en: 'The tab: its id or the end of it; or a branch with a worktree',
    ja: 'タブの ID (末尾だけでも可)、またはワークツリーのあるブランチ',
  },
  crew: { en: 'The crew: its id, or the end of it', ja: 'クルーの ID (末尾だけでも可)' },
  run: {
    en: "What runs: its id or the end of it, a task's handle, an agent's name, a tab's branch",
    ja: '実行の ID (末尾だけでも可)、タスクのハンドル、エージェントの名前、タブのブランチ',
  },
  projectOrHere: {
    en: 'The project: its key, name or id (default: that of this folder)',
    ja: 'プロジェクトのキー、名前または ID (省略時はこのフォルダーのもの)',
  },
  phase: { en: 'The phase', ja: 'フェーズ' },
} satisfies Record<string, Text>

export const about = {
  agentAdd: {
    en: 'The passkey is shown once and cannot be shown again; `toryo agent rotate` makes a new one.',
    ja: 'パスキーは一度しか表示されません。`toryo agent rotate` で新しいものを発行できます。',
  },
} satisfies Record<string, Text>
