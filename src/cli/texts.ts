// What the CLI says to people, in both languages. A missing one is a type error.
import type { Text } from '#contract/errors.ts'

export const texts = {
  // The way to the hub
  startingHub: (db: string) => ({ en: `Starting the hub for ${db} …`, ja: `${db} のハブを起動しています…` }),
  notWithUrl: {
    en: 'This command works on the machine of the hub, so it takes no --url.',
    ja: 'このコマンドはハブのある機械で使うもので、--url は指定できません。',
  },
  urlAndDb: {
    en: 'Give either --db or --url, not both: a hub elsewhere has its own database.',
    ja: '--db と --url は同時に指定できません。別の場所のハブは自分のデータベースを持っています。',
  },
  urlRefused: (url: string) => ({
    en: `--url ${JSON.stringify(url)} must be https://…, or http:// to this machine: a token must not cross a network in clear text.`,
    ja: `--url ${JSON.stringify(url)} は https://、またはこの機械への http:// にしてください。トークンを平文でネットワークに流せません。`,
  }),
  tokenFileNeeded: {
    en: '--url needs --token-file <file>: a file, readable by you alone, with what `toryo token` prints there.',
    ja: '--url には --token-file <file> が必要です。接続先で `toryo token` が表示する値を、自分だけが読めるファイルに入れてください。',
  },
  noToken: (file: string) => ({ en: `${file} holds no token.`, ja: `${file} にトークンがありません。` }),
  fileMissing: (file: string) => ({ en: `There is no file ${file}.`, ja: `ファイル ${file} がありません。` }),
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
  running: { en: 'running', ja: '稼働中' },
  notRunning: (db: string) => ({ en: `No hub runs for ${db}.`, ja: `${db} のハブは動いていません。` }),
  hubComes: {
    en: '`toryo up` runs one here; other commands start one in the background when they need it.',
    ja: '`toryo up` で前面に起動できます。他のコマンドは、必要なときに背景で起動します。',
  },
  deaf: (pid: number) => ({
    en: `Process ${pid} should be its hub but does not answer. \`toryo doctor\` looks closer.`,
    ja: `プロセス ${pid} がハブのはずですが、応答しません。\`toryo doctor\` で調べられます。`,
  }),
  background: { en: 'in the background', ja: '背景で動作' },
  foreground: { en: 'in the foreground', ja: '前面で動作' },
  since: { en: 'since', ja: '開始' },
  address: { en: 'address', ja: 'アドレス' },
  database: { en: 'database', ja: 'データベース' },
  process: { en: 'process', ja: 'プロセス' },
  connections: { en: 'connections', ja: '接続数' },
  memory: { en: 'memory', ja: 'メモリー' },
  lastEvent: { en: 'last event', ja: '最新イベント' },
  waitingForEnd: {
    en: 'Ending agents, runs and tabs first …',
    ja: 'エージェント、実行、タブを先に終了しています…',
  },
  stopped: (pid: number) => ({ en: `Stopped the hub (process ${pid}).`, ja: `ハブを止めました (プロセス ${pid})。` }),
  stopping: (url: string) => ({ en: `The hub at ${url} is stopping.`, ja: `${url} のハブは終了中です。` }),
  stillRunning: (pid: number, seconds: number) => ({
    en: `The hub (process ${pid}) was asked to stop and still runs after ${seconds} s. \`toryo logs\` shows what it is doing.`,
    ja: `ハブ (プロセス ${pid}) に終了を求めましたが、${seconds} 秒たっても動いています。\`toryo logs\` で状況を確認できます。`,
  }),
  portWrong: (port: string) => ({
    en: `--port ${JSON.stringify(port)} must be a number from 0 to 65535.`,
    ja: `--port ${JSON.stringify(port)} は 0 から 65535 の数にしてください。`,
  }),
  countWrong: (flag: string, value: string) => ({
    en: `${flag} ${JSON.stringify(value)} must be a whole number of at least 1.`,
    ja: `${flag} ${JSON.stringify(value)} は 1 以上の整数にしてください。`,
  }),

  // Projects, agents, tasks
  id: { en: 'ID', ja: 'ID' },
  name: { en: 'NAME', ja: '名前' },
  status: { en: 'STATUS', ja: '状態' },
  directory: { en: 'DIRECTORY', ja: 'フォルダー' },
  engine: { en: 'ENGINE', ja: 'エンジン' },
  role: { en: 'ROLE', ja: '役割' },
  created: { en: 'CREATED', ja: '作成' },
  updated: { en: 'UPDATED', ja: '更新' },
  priority: { en: 'PRIORITY', ja: '優先度' },
  assignee: { en: 'ASSIGNEE', ja: '担当' },
  title: { en: 'TITLE', ja: 'タイトル' },
  asana: { en: 'Asana', ja: 'Asana' },
  nothingToEdit: {
    en: 'Nothing to change: give --name, --description or --asana-url.',
    ja: '変更する内容がありません。--name、--description、--asana-url のいずれかを指定してください。',
  },
  changed: (name: string, id: string) => ({ en: `Changed ${name} (${id}).`, ja: `${name} (${id}) を変更しました。` }),
  project: { en: 'PROJECT', ja: 'プロジェクト' },
  number: { en: 'number', ja: '番号' },
  description: { en: 'description', ja: '説明' },
  agents: { en: 'agents', ja: 'エージェント' },
  projects: { en: 'projects', ja: 'プロジェクト' },
  toolsets: { en: 'toolsets', ja: 'ツールセット' },
  systemPrompt: { en: 'system prompt', ja: 'システムプロンプト' },
  blocked: { en: 'blocked because', ja: '停止の理由' },
  notStarted: { en: 'not started', ja: '未開始の理由' },
  failure: { en: 'last run failed', ja: '前回の失敗' },
  startsAgain: (at: string | undefined) => ({
    en: at === undefined ? 'It is started again as soon as a Runner can.' : `It is started again at ${at}.`,
    ja: at === undefined ? 'Runner が可能になり次第、再び開始します。' : `${at} に再び開始します。`,
  }),
  pausedUntil: (at: string) => ({
    en: `Its engine is paused until ${at}.`,
    ja: `エンジンは ${at} まで休止しています。`,
  }),
  noProjects: {
    en: 'No projects yet. `toryo project add <name> --dir <folder>` adds one.',
    ja: 'プロジェクトはまだありません。`toryo project add <名前> --dir <フォルダー>` で追加できます。',
  },
  noAgents: {
    en: 'No agents yet. `toryo agent add <name> --engine claude` adds one.',
    ja: 'エージェントはまだありません。`toryo agent add <名前> --engine claude` で追加できます。',
  },
  noTasks: {
    en: 'No tasks here. `toryo task add <title> --project <project>` adds one.',
    ja: 'タスクはありません。`toryo task add <タイトル> --project <プロジェクト>` で追加できます。',
  },
  several: (word: string, ids: string) => ({
    en: `${word} may mean several: ${ids}. Give the id of one.`,
    ja: `${word} に当てはまるものが複数あります: ${ids}。ID を指定してください。`,
  }),
  more: (shown: number) => ({
    en: `There are more than these ${shown}; --limit shows more.`,
    ja: `${shown} 件より多くあります。--limit で増やせます。`,
  }),
  added: (what: string, id: string) => ({ en: `Added ${what} (${id}).`, ja: `${what} を追加しました (${id})。` }),
  passkey: { en: 'passkey', ja: 'パスキー' },
  engineMissing: (engine: string) => ({
    en: `The hub finds no program for ${engine}, so that \`toryo up\` cannot start this agent; it can still sign in with its passkey. \`toryo engine list\` shows the engines there are.`,
    ja: `${engine} のプログラムが見つからないため、\`toryo up\` はこのエージェントを開始できません (パスキーでのサインインはできます)。使えるエンジンは \`toryo engine list\` で確認できます。`,
  }),
  passkeyOnce: {
    en: 'Keep the passkey now: it is not shown again.',
    ja: 'パスキーは今保存してください。二度と表示されません。',
  },
  rotated: (id: string) => ({
    en: `${id} has a new passkey; the old one no longer works.`,
    ja: `${id} に新しいパスキーを発行しました。古いものは使えません。`,
  }),
  assigned: (agent: string, project: string) => ({
    en: `${agent} now works on ${project}.`,
    ja: `${agent} を ${project} に割り当てました。`,
  }),
  unassigned: (agent: string, project: string) => ({
    en: `${agent} no longer works on ${project}.`,
    ja: `${agent} の ${project} への割り当てを外しました。`,
  }),
  toolsetsGiven: (agent: string, toolsets: string) =>
    toolsets === ''
      ? {
          en: `${agent} has only the tools of its own work, from its next start on.`,
          ja: `${agent} が使えるのは、次の起動から自分の作業に必要なツールだけです。`,
        }
      : {
          en: `${agent} has ${toolsets} besides the tools of its own work, from its next start on.`,
          ja: `${agent} は次の起動から、自分の作業に必要なツールに加えて ${toolsets} を使えます。`,
        },
  noToolset: (name: string, names: readonly string[]) => ({
    en: `There is no toolset ${JSON.stringify(name)}; use some of ${names.join(', ')}.`,
    ja: `ツールセット ${JSON.stringify(name)} はありません。${names.join(', ')} から選んでください。`,
  }),
  nowIs: (what: string, status: string) => ({
    en: `${what} is now ${status}.`,
    ja: `${what} は ${status} になりました。`,
  }),
  taskGoesTo: (task: string, agent: string) => ({
    en: `${task} is assigned to ${agent}.`,
    ja: `${task} を ${agent} に割り当てました。`,
  }),
  taskFree: (task: string) => ({ en: `${task} is assigned to nobody.`, ja: `${task} の担当を外しました。` }),
  directoryMissing: (directory: string) => ({
    en: `--dir ${directory} does not exist; make it first.`,
    ja: `--dir ${directory} がありません。先に作成してください。`,
  }),
  directoryIsFile: (directory: string) => ({
    en: `--dir ${directory} is not a folder.`,
    ja: `--dir ${directory} はフォルダーではありません。`,
  }),
  directoryUnreadable: (directory: string, reason: string) => ({
    en: `--dir ${directory} cannot be used: ${reason}.`,
    ja: `--dir ${directory} を使えません: ${reason}`,
  }),
  notes: (count: number) => ({ en: `Notes (${count})`, ja: `メモ (${count})` }),
  progress: { en: 'progress', ja: '進捗' },
  findings: { en: 'findings', ja: '分かったこと' },
  blockers: { en: 'blockers', ja: '障害' },
  nextSteps: { en: 'next steps', ja: '次の手順' },
  handoff: { en: 'Handoff', ja: '引き継ぎ' },
  fromTo: { en: 'from → to', ja: '元 → 先' },
  anyone: { en: 'anyone', ja: '誰でも' },
  summary: { en: 'summary', ja: '要約' },
  handoffContext: { en: 'context', ja: '背景' },
  recommendations: { en: 'recommendations', ja: '助言' },
  superseded: { en: 'superseded', ja: '無効 (その後に変更あり)' },
  accepted: { en: 'accepted', ja: '受領' },
  notAccepted: { en: 'not yet', ja: '未受領' },
  runs: (count: number) => ({ en: `Runs (${count})`, ja: `実行 (${count})` }),
  result: { en: 'RESULT', ja: '結果' },
  started: { en: 'STARTED', ja: '開始' },
  took: { en: 'TOOK', ja: '所要' },
  exit: { en: 'EXIT', ja: '終了' },
  agent: { en: 'AGENT', ja: 'エージェント' },

  // Registration
  nothingToRegister: {
    en: 'No engine that Toryo knows is installed or has a config file; nothing to do.',
    ja: '対応するエンジンもその設定ファイルも見つかりません。何もしていません。',
  },
  nothingRegistered: { en: 'Nothing is registered.', ja: '登録はありません。' },

  // Usage
  mcpFirst: {
    en: 'Write `mcp` first, then its options: `toryo mcp --db …`.',
    ja: '`mcp` を最初に書き、オプションはその後に続けてください: `toryo mcp --db …`',
  },
  usageHint: (command: string) => ({
    en: `\`${command} --help\` shows how to use it.`,
    ja: `使い方は \`${command} --help\` で確認できます。`,
  }),
  unexpected: (reason: string) => ({
    en: `Unexpected: ${reason} (LOG_LEVEL=3 shows where)`,
    ja: `予期しない問題です: ${reason} (LOG_LEVEL=3 で発生箇所を表示)`,
  }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
