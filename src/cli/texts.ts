import { STATE_JA } from '#contract/state-words.ts'
// What the CLI says to people, in both languages. A missing one is a type error.
import type { Text } from '#contract/errors.ts'

export const texts = {
  // The way to the hub
  startingHub: (db: string) => ({ en: `Starting the hub for ${db} …`, ja: `${db} のハブを起動しています…` }),
  notWithUrl: {
    en: 'This command works on the machine of the hub, so it takes no --url.',
    ja: 'このコマンドはハブのあるマシンで使うもので、--url は指定できません。',
  },
  urlAndDb: {
    en: 'Give either --db or --url, not both: a hub elsewhere has its own database.',
    ja: '--db と --url は同時に指定できません。別の場所のハブは自分のデータベースを持っています。',
  },
  urlRefused: (url: string) => ({
    en: `--url ${JSON.stringify(url)} must be https://…, or http:// to this machine: a token must not cross a network in clear text.`,
    ja: `--url ${JSON.stringify(url)} は https://、またはこのマシンへの http:// にしてください。トークンを平文でネットワークに流せません。`,
  }),
  tokenFileNeeded: {
    en: '--url needs --token-file <file>: a file, readable by you alone, with what `toryo token` prints there.',
    ja: '--url には --token-file <file> が必要です。接続先で `toryo token` が表示する値を、自分だけが読めるファイルに入れてください。',
  },
  noToken: (file: string) => ({ en: `${file} holds no token.`, ja: `${file} にトークンがありません。` }),
  fileMissing: (file: string) => ({ en: `File ${file} not found.`, ja: `ファイル ${file} がありません。` }),
  fileUnreadable: (file: string, reason: string) => ({
    en: `${file} cannot be read: ${reason}.`,
    ja: `${file} を読めません: ${reason}`,
  }),
  folderMissing: (folder: string) => ({
    en: `The folder ${folder} does not exist; make it first. Nothing was written.`,
    ja: `フォルダー ${folder} がありません。先に作成してください。何も書き込んでいません。`,
  }),
  fileExists: (file: string) => ({
    en: `${file} exists already; choose another name. Nothing was overwritten.`,
    ja: `${file} は既にあります。別の名前を指定してください。何も上書きしていません。`,
  }),

  // Hub
  countWrong: (flag: string, value: string) => ({
    en: `${flag} ${JSON.stringify(value)} must be a whole number of at least 1.`,
    ja: `${flag} ${JSON.stringify(value)} は 1 以上の整数にしてください。`,
  }),

  // Projects, agents, tasks
  id: { en: 'ID', ja: 'ID' },
  stage: { en: 'STAGE', ja: '段階' },
  labels: { en: 'LABELS', ja: 'ラベル' },
  name: { en: 'NAME', ja: '名前' },
  status: { en: 'STATUS', ja: '状態' },
  directory: { en: 'DIRECTORY', ja: 'フォルダー' },
  engine: { en: 'ENGINE', ja: 'エンジン' },
  role: { en: 'ROLE', ja: 'ロール' },
  created: { en: 'CREATED', ja: '作成' },
  updated: { en: 'UPDATED', ja: '更新' },
  priority: { en: 'PRIORITY', ja: '優先度' },
  assignee: { en: 'ASSIGNEE', ja: '担当' },
  title: { en: 'TITLE', ja: 'タイトル' },
  project: { en: 'PROJECT', ja: 'プロジェクト' },
  description: { en: 'description', ja: '説明' },
  afterOrParent: { en: 'Give --after <task> or --parent.', ja: '--after <task> か --parent を指定してください。' },
  several: (word: string, ids: string) => ({
    en: `${word} may mean several: ${ids}. Give the id of one.`,
    ja: `${word} に当てはまるものが複数あります: ${ids}。ID を指定してください。`,
  }),
  more: (shown: number) => ({
    en: `There are more than these ${shown}; --limit shows more.`,
    ja: `${shown} 件より多くあります。--limit で増やせます。`,
  }),
  added: (what: string, id: string) => ({ en: `Added ${what} (${id}).`, ja: `「${what}」を追加しました (${id})。` }),
  passkey: { en: 'passkey', ja: 'パスキー' },
  passkeyOnce: {
    en: 'Keep the passkey now: it is not shown again.',
    ja: 'パスキーは今保存してください。二度と表示されません。',
  },
  noToolset: (name: string, names: readonly string[]) => ({
    en: `Toolset ${JSON.stringify(name)} not found. Use any of ${names.join(', ')}.`,
    ja: `ツールセット ${JSON.stringify(name)} はありません。${names.join(', ')} から選んでください。`,
  }),
  changed: (name: string, id: string) => ({
    en: `Changed ${name} (${id}).`,
    ja: `「${name}」(${id}) を変更しました。`,
  }),
  nowIs: (what: string, status: string, words: Readonly<Record<string, string>> = STATE_JA) => ({
    en: `${what} is now ${status}.`,
    ja: `${what} は「${words[status] ?? status}」になりました。`,
  }),
  summary: { en: 'summary', ja: '要約' },
  started: { en: 'STARTED', ja: '開始' },

  // Usage
  usageHint: (command: string) => ({
    en: `\`${command} --help\` shows how to use it.`,
    ja: `使い方は \`${command} --help\` で確認できます。`,
  }),
  unexpected: (reason: string) => ({
    en: `Unexpected: ${reason} (LOG_LEVEL=3 shows where)`,
    ja: `予期しない問題です: ${reason} (LOG_LEVEL=3 で発生箇所を表示)`,
  }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
