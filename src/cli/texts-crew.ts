// What the commands on crews and runs say.
import type { Text } from '#contract/errors.ts'

export const crewTexts = {
  crew: { en: 'Crew', ja: 'クルー' },
  run: { en: 'Run', ja: '実行' },
  role: { en: 'Role', ja: 'ロール' },
  stage: { en: 'Stage', ja: 'ステージ' },
  time: { en: 'Time', ja: '時間' },
  calls: { en: 'Tool calls', ja: 'ツール呼び出し' },
  files: { en: 'Files', ja: 'ファイル' },
  problem: { en: 'Problem', ja: '問題' },
  stopping: (run: string) => ({ en: `${run} is being stopped.`, ja: `${run} を停止しています。` }),
} satisfies Record<string, Text | ((...args: never[]) => Text)>
