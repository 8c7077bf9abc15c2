// What the commands on crews and runs say.
import type { Text } from '#contract/errors.ts'

export const crewTexts = {
  crew: { en: 'Crew', ja: 'クルー' },
  run: { en: 'Run', ja: '実行' },
  role: { en: 'Role', ja: 'ロール' },
  engine: { en: 'Engine', ja: 'エンジン' },
  model: { en: 'Model', ja: 'モデル' },
  mode: { en: 'Mode', ja: 'モード' },
  stage: { en: 'Stage', ja: 'ステージ' },
  runs: { en: 'Runs', ja: '実行数' },
  open: { en: 'Open', ja: '未終了' },
  time: { en: 'Time', ja: '時間' },
  calls: { en: 'Tool calls', ja: 'ツール呼び出し' },
  files: { en: 'Files', ja: 'ファイル' },
  folder: { en: 'Folder', ja: 'フォルダー' },
  session: { en: 'Session', ja: 'セッション' },
  cost: { en: 'Cost', ja: '費用' },
  tokens: { en: 'Tokens', ja: 'トークン' },
  ended: { en: 'Ended', ja: '終了' },
  reason: { en: 'Ended as', ja: '終了の種別' },
  why: { en: 'Why it ended', ja: '終了の理由' },
  task: { en: 'Task', ja: 'タスク' },
  denied: { en: 'Refused tools', ja: '拒否されたツール' },
  log: { en: 'Log', ja: 'ログ' },
  prompt: { en: 'Prompt', ja: 'プロンプト' },
  lastMessage: { en: 'Last message', ja: '最後の発言' },
  result: { en: 'Result', ja: '結果' },
  problem: { en: 'Problem', ja: '問題' },
  noCrews: {
    en: 'No crews yet. `toryo crew run` starts one.',
    ja: 'クルーはまだありません。`toryo crew run` で開始します。',
  },
  noRuns: {
    en: "No runs here. `toryo crew run` starts some; those of a task's agent are in `toryo task show`.",
    ja: '実行はありません。`toryo crew run` で開始します。タスクの担当の実行は `toryo task show` にあります。',
  },
  goesOn: (crew: string) => ({
    en: `The runs go on. \`toryo crew show ${crew}\` shows them; \`toryo run stop <run>\` ends one, \`toryo crew stop ${crew}\` all.`,
    ja: `実行は続いています。\`toryo crew show ${crew}\` で表示、\`toryo run stop <実行>\` で 1 つ、\`toryo crew stop ${crew}\` ですべて終了できます。`,
  }),
  started: (crew: string, count: number) => ({
    en: `${crew}: ${count} ${count === 1 ? 'run' : 'runs'}`,
    ja: `${crew}: 実行 ${count} 件`,
  }),
  rolesNeeded: {
    en: 'Name at least one role with --role, or stages with --stage. `toryo doctor` shows the roles there are.',
    ja: '--role でロールを、または --stage でステージを指定してください。ロールは `toryo doctor` で確認できます。',
  },
  rolesOrStages: { en: '--role and --stage exclude each other.', ja: '--role と --stage は同時に指定できません。' },
  promptEmpty: { en: 'The prompt is empty.', ja: 'プロンプトが空です。' },
  durationWrong: (value: string) => ({
    en: `--timeout takes a time such as 90s, 20m or 2h, not ${value}.`,
    ja: `--timeout には 90s、20m、2h のような時間を指定してください (${value} は不可)。`,
  }),
  deleted: (crew: string) => ({ en: `Deleted ${crew}.`, ja: `${crew} を削除しました。` }),
  nothingRuns: (crew: string) => ({
    en: `No run of ${crew} is under way; nothing to stop.`,
    ja: `${crew} に実行中のものはありません。`,
  }),
  stopping: (run: string) => ({ en: `${run} is being stopped.`, ja: `${run} を停止しています。` }),
  stopped: (run: string, status: string) => ({
    en: `${run} has ended: ${status}.`,
    ja: `${run} は終了しました: ${status}`,
  }),
  shortened: { en: '… the middle of the log was dropped …', ja: '… ログの途中は削除されました …' },
  noLog: { en: 'It has written nothing.', ja: '出力はありません。' },
} satisfies Record<string, Text | ((...args: never[]) => Text)>
