// What the doctor says, and the fix for each finding.
import type { Text } from '#contract/errors.ts'

export const doctorTexts = {
  node: (version: string, where: string) => ({
    en: `Node.js ${version} (${where})`,
    ja: `Node.js ${version} (${where})`,
  }),
  homeNew: (home: string) => ({
    en: `${home} does not exist yet; the first use makes it.`,
    ja: `${home} はまだありません。初回の使用時に作られます。`,
  }),
  homeOk: (home: string) => ({ en: `${home} belongs to you alone.`, ja: `${home} はあなただけのものです。` }),
  homeFixed: (folder: string, reason: Text) => ({
    en: `Nothing can be written to ${folder}: ${reason.en}.`,
    ja: `${folder} に書き込めません: ${reason.ja}`,
  }),
  notAFolder: { en: 'it is not a folder', ja: 'フォルダーではありません' },
  readOnlyDisk: { en: 'its file system is read-only', ja: 'ファイルシステムが読み取り専用です' },
  notYours: { en: 'you may not', ja: '権限がありません' },
  homeFix: {
    en: 'Make it writable for you, or choose another place with TORYO_HOME (or --db for the database alone).',
    ja: '書き込めるようにするか、TORYO_HOME で別の場所を指定してください (データベースだけなら --db)。',
  },
  homeOpen: (home: string, mode: string) => ({
    en: `Others on this machine can look into ${home} (mode ${mode}).`,
    ja: `${home} は他の利用者からも見えます (モード ${mode})。`,
  }),
  run: (line: string) => ({ en: `Run: ${line}`, ja: `実行してください: ${line}` }),
  configNone: (file: string) => ({
    en: `No ${file}; the defaults are used.`,
    ja: `${file} はなく、既定値を使います。`,
  }),
  configOk: (file: string) => ({ en: `${file} can be read.`, ja: `${file} を読めます。` }),
  configWrong: (file: string, line: number, problem: Text) => ({
    en: `${file}:${line}: ${problem.en}`,
    ja: `${file}:${line}: ${problem.ja}`,
  }),
  configFix: {
    en: 'Fix that line; the hub reads the file again automatically.',
    ja: 'その行を直してください。ハブは自動で読み直します。',
  },
  stateNone: { en: 'No state file: no hub has left one behind.', ja: '状態ファイルはありません。' },
  stateOk: (file: string) => ({ en: `${file} is for your eyes only.`, ja: `${file} はあなただけが読めます。` }),
  stateStale: (file: string) => ({
    en: `${file} was left by a hub that has ended; the next one replaces it.`,
    ja: `${file} は終了したハブのものです。次のハブが置き換えます。`,
  }),
  stateForeign: (file: string) => ({
    en: `${file} is not a valid state file of a hub; the next hub replaces it.`,
    ja: `${file} はハブの状態ファイルではありません。次のハブが置き換えます。`,
  }),
  paused: (engine: string, until: string, reason: string) => ({
    en: `${engine} is paused until ${until}: ${reason}`,
    ja: `${engine} は ${until} まで一時停止しています: ${reason}`,
  }),
  pauseFix: (engine: string) => ({
    en: `Wait, or lift it when you know better: toryo engine resume ${engine}`,
    ja: `待つか、使えると分かったら解除してください: toryo engine resume ${engine}`,
  }),
  hubNone: {
    en: 'No hub runs; commands start one when they need it.',
    ja: 'ハブは動いていません。必要なときに起動されます。',
  },
  hubOk: (version: string, pid: number, url: string) => ({
    en: `Hub ${version} answers at ${url} (process ${pid}).`,
    ja: `ハブ ${version} が ${url} で応答しています (プロセス ${pid})。`,
  }),
  hubOther: (theirs: string, ours: string) => ({
    en: `The hub that runs is version ${theirs}, this program is ${ours}.`,
    ja: `動いているハブは ${theirs}、このプログラムは ${ours} です。`,
  }),
  hubDeaf: (pid: number) => ({
    en: `Process ${pid} should be the hub but does not answer.`,
    ja: `プロセス ${pid} がハブのはずですが、応答しません。`,
  }),
  hubDeafFix: (pid: number) => ({
    en: `See what it does with \`toryo logs\`; if it hangs, end it: kill ${pid}`,
    ja: `\`toryo logs\` で状況を確認し、止まっていれば終了してください: kill ${pid}`,
  }),
  lockHeld: (file: string) => ({ en: `The hub holds ${file}.`, ja: `ハブが ${file} を保持しています。` }),
  lockFree: (file: string) => ({ en: `${file} is free.`, ja: `${file} は空いています。` }),
  lockStolen: (file: string) => ({
    en: `A process holds ${file} but no hub answers.`,
    ja: `${file} を保持するプロセスがありますが、ハブは応答しません。`,
  }),
  lockFix: (file: string) => ({
    en: `Wait for a hub that is starting; else find and end the process: fuser ${file}`,
    ja: `起動中のハブがあれば待ってください。なければプロセスを調べて終了してください: fuser ${file}`,
  }),
  dbNew: (db: string) => ({
    en: `${db} does not exist yet; the first use makes it.`,
    ja: `${db} はまだありません。初回の使用時に作られます。`,
  }),
  dbOk: (db: string, event: number) => ({
    en: `${db} was checked when it was opened, and answers (event ${event}).`,
    ja: `${db} は開くときに検査済みで、応答しています (イベント ${event})。`,
  }),
  dbForeign: (db: string) => ({
    en: `${db} is not a Toryo database.`,
    ja: `${db} は Toryo のデータベースではありません。`,
  }),
  dbOpen: (db: string, mode: string) => ({
    en: `Others on this machine can read ${db} (mode ${mode}).`,
    ja: `${db} は他の利用者からも読めます (モード ${mode})。`,
  }),
  dbFix: {
    en: 'Put a backup in its place with `toryo restore <backup>`, or name another database with --db.',
    ja: '`toryo restore <バックアップ>` で戻すか、--db で別のデータベースを指定してください。',
  },
  hubFix: { en: '`toryo logs` may say more.', ja: '`toryo logs` に詳細があるかもしれません。' },
  diskOk: (free: string, where: string) => ({
    en: `${free} free in ${where}.`,
    ja: `${where} の空きは ${free} です。`,
  }),
  diskLow: (free: string, where: string) => ({
    en: `Only ${free} free in ${where}.`,
    ja: `${where} の空きは ${free} しかありません。`,
  }),
  diskFix: {
    en: 'Free some space: a full disk refuses every write.',
    ja: '空きを作ってください。いっぱいになると書き込めません。',
  },
  gitNone: { en: 'The git program is not on PATH.', ja: 'git が PATH にありません。' },
  gitOld: (version: string) => ({ en: `${version} is too old.`, ja: `${version} は古すぎます。` }),
  gitFix: {
    en: 'Install git 2.39 or newer; worktrees need it.',
    ja: 'git 2.39 以降をインストールしてください。ワークツリーに必要です。',
  },
  engineOk: (engine: string, version: string, where: string) => ({
    en: `${engine}: ${version} (${where})`,
    ja: `${engine}: ${version} (${where})`,
  }),
  engineBroken: (engine: string, where: string, problem: string) => ({
    en: `${engine} is at ${where} but does not report its version: ${problem}`,
    ja: `${engine} は ${where} にありますが、バージョンを答えません: ${problem}`,
  }),
  engineBrokenFix: (line: string) => ({ en: `Try it manually: ${line}`, ja: `手動で実行してください: ${line}` }),
  enginesOthers: (engines: string) => ({ en: `Not installed: ${engines}`, ja: `未インストール: ${engines}` }),
  enginesNone: { en: 'No agent program is on PATH.', ja: 'エージェントのプログラムが PATH にありません。' },
  enginesOwn: (engines: string) => ({
    en: `No known agent program is on PATH; config.json describes: ${engines}`,
    ja: `既知のエージェントのプログラムは PATH にありません。config.json の定義: ${engines}`,
  }),
  enginesFix: (line: string) => ({
    en: `Install one, for example: ${line}`,
    ja: `どれかをインストールしてください。例: ${line}`,
  }),
  roleOk: (role: string, engine: string, model: string, toolsets: string) => ({
    en: `Role ${role}: ${engine} (${model})${toolsets && `, also offered ${toolsets}`}`,
    ja: `ロール ${role}: ${engine} (${model === 'default' ? '既定' : model})${toolsets && `、追加のツールセット: ${toolsets}`}`,
  }),
  rolesMissing: (roles: string, problem: string) => ({
    en: `Not available as a role: ${roles} (${problem})`,
    ja: `利用できないロール: ${roles} (${problem})`,
  }),
  roleFix: (engine: string) => ({
    en: `Install or fix ${engine === '-' ? 'an engine' : engine}, or change the role in config.json.`,
    ja: `${engine === '-' ? 'エンジン' : engine} を導入・修復するか、config.json のロールを変更してください。`,
  }),
  registrationNone: (file: string) => ({ en: `${file}: not registered.`, ja: `${file}: 登録していません。` }),
  registrationLeft: (file: string) => ({
    en: `${file}: the entry was left by a hub that ended without cleaning up.`,
    ja: `${file}: 異常終了したハブの登録が残っています。`,
  }),
  registrationLeftFix: {
    en: 'The next `toryo up` takes it over; `toryo unregister` removes it.',
    ja: '次の `toryo up` が引き継ぎます。`toryo unregister` で削除できます。',
  },
  registrationFix: {
    en: 'Fix the file, then run `toryo register`; until then that program does not find Toryo.',
    ja: 'ファイルを直してから `toryo register` を実行してください。それまでそのプログラムは Toryo を自動では見つけません。',
  },
  registrationOld: (file: string) => ({
    en: `${file}: the entry starts another bridge or runtime than this installation has.`,
    ja: `${file}: 登録が、この環境とは別のブリッジまたは実行環境を指しています。`,
  }),
  registeredHub: (pid: number, url: string) => ({
    en: `Registered engines reach the hub at ${url} (process ${pid}).`,
    ja: `登録済みのエンジンは ${url} のハブ (プロセス ${pid}) に接続します。`,
  }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
