// The sentences that the hub adds to the output of a check. Evidence keeps them in English, behind what the check itself wrote; for
// a person who reads Japanese the last line is translated again.
import type { Lang } from '#contract/errors.ts'
import type { Evidence } from './model.ts'

export const checkWords = {
  clean: 'It ran in a clean checkout: there was only what is in the tree and what a new worktree is prepared with.',
  changedBefore:
    'The files changed after the report, before this check could run. Report again when nothing writes to them any more.',
  hubEnded: 'The hub ended while it ran.',
  noFolder: (part: string) => `It was not run: ${part}, the folder of the project, is not there, or is a link.`,
  setupFailed: (why: string) => `It was not run, since the setup of the clean checkout failed: ${why}.`,
  setupChanges: (names: string) =>
    `It was not run, since these files of the tree do not stay as they are in the clean checkout: ${names}.`,
  notFound: (program: string) => `${program} was not found`,
  tooLong: (minutes: number) => `It took longer than ${minutes} minutes.`,
  changed: (names: string, more: number) =>
    `Files of the tree changed while it ran, so its result proves nothing: ${names}${more > 0 ? `, and ${more} more` : ''}. If the check writes them, remove them and let git ignore them, or commit them.`,
}

type Outcome = NonNullable<Evidence['outcome']>

/** By outcome, so that a line of a check's own that reads the same stays as it is. */
const JAPANESE: Partial<Record<Outcome, readonly (readonly [RegExp, string])[]>> = {
  stopped: [[/^The hub ended while it ran\.$/, '実行中にハブが終了しました。']],
  failed: [
    [
      /^It ran in a clean checkout: .*$/,
      'クリーンなチェックアウトで実行しました。存在したのは、ツリー内のファイルと、ワークツリーの準備で用意されるものだけです。',
    ],
    [
      /^It was not run: (.+), the folder of the project, is not there, or is a link\.$/,
      '実行していません: プロジェクトのフォルダー $1 が存在しないか、リンクになっています。',
    ],
    [
      /^It was not run, since the setup of the clean checkout failed: (.*)\.$/,
      '実行していません: クリーンなチェックアウトのセットアップに失敗しました ($1)。',
    ],
    [
      /^It was not run, since these files of the tree do not stay as they are in the clean checkout: (.*)\.$/,
      '実行していません: クリーンなチェックアウトで、ツリーの次のファイルが変わってしまいます: $1',
    ],
  ],
  not_started: [[/^(.+) was not found$/, '$1 が見つかりません']],
  timed_out: [[/^It took longer than ([\d.]+) minutes\.$/, '$1 分以内に終わりませんでした。']],
  stale: [
    [
      /^The files changed after the report, before this check could run\. .*$/,
      '報告の後、このチェックの前にファイルが変わりました。書き込みが終わってからもう一度報告してください。',
    ],
    [
      /^Files of the tree changed while it ran, so its result proves nothing: (.*?), and (\d+) more\. If the check .*$/,
      '実行中にファイルが変わったため、結果は無効です: $1 ほか $2 件。チェックが書き込むファイルなら、削除して .gitignore に加えるか、コミットしてください。',
    ],
    [
      /^Files of the tree changed while it ran, so its result proves nothing: (.*)\. If the check .*$/,
      '実行中にファイルが変わったため、結果は無効です: $1。チェックが書き込むファイルなら、削除して .gitignore に加えるか、コミットしてください。',
    ],
  ],
}

export function tailIn(lang: Lang, { outcome, tail }: Pick<Evidence, 'outcome' | 'tail'>): string {
  if (lang !== 'ja' || outcome === null) return tail
  const lines = tail.split('\n')
  const last = lines.at(-1) ?? ''
  const [pattern, words] = JAPANESE[outcome]?.find(([one]) => one.test(last)) ?? []
  return pattern && words ? [...lines.slice(0, -1), last.replace(pattern, words)].join('\n') : tail
}
