// What `toryo memory` says to people, in both languages.
import type { Text } from '#contract/errors.ts'

export const memoryTexts = {
  topic: { en: 'TOPIC', ja: 'トピック' },
  decision: { en: 'DECISION', ja: '決定' },
  kind: { en: 'KIND', ja: '種類' },
  score: { en: 'SCORE', ja: '点' },
  found: { en: 'FOUND', ja: '内容' },
  where: { en: 'IN', ja: '場所' },
  reason: { en: 'reason', ja: '理由' },
  supersedes: (id: number) => ({ en: `replaces decision ${id}`, ja: `決定 ${id} を置き換え` }),
  supersededBy: (id: number) => ({ en: `replaced by decision ${id}`, ja: `決定 ${id} に置き換え済み` }),
  everywhere: { en: 'every project', ja: '全プロジェクト' },
  nothingFound: { en: 'Nothing found.', ja: '見つかりませんでした。' },
  noTopics: { en: 'No topics here.', ja: 'トピックはありません。' },
  noDecisions: { en: 'No decisions yet.', ja: '決定はまだありません。' },
  nothingSaid: { en: 'Nothing has been said here yet.', ja: 'まだ何も話されていません。' },
  addedTopic: (id: number) => ({ en: `Added topic ${id}.`, ja: `トピック ${id} を追加しました。` }),
  addedLog: (id: number) => ({ en: `Added log ${id}.`, ja: `ログ ${id} を追加しました。` }),
  addedDecision: (id: number) => ({ en: `Added decision ${id}.`, ja: `決定 ${id} を追加しました。` }),
  idWrong: (flag: string, value: string) => ({
    en: `${flag} ${JSON.stringify(value)} must be a number.`,
    ja: `${flag} ${JSON.stringify(value)} は番号で指定してください。`,
  }),
  wrote: (file: string, count: number) => ({
    en: `Wrote ${count} records to ${file}.`,
    ja: `${count} 件を ${file} に書き出しました。`,
  }),
  imported: (count: number) => ({ en: `Added ${count} records.`, ja: `${count} 件を追加しました。` }),
  notReadable: (file: string, reason: string) => ({
    en: `${file} is no memory that I can read: ${reason}. Nothing was added.`,
    ja: `${file} を記憶として読めません: ${reason}。何も追加していません。`,
  }),
} satisfies Record<string, Text | ((...parts: never[]) => Text)>

export const memoryHelp = {
  add: {
    en: 'With --reason it is a decision, else with --topic a log of that topic, else the title of a new topic of the project. A decision with neither --topic nor --project holds in every project.',
    ja: '--reason があれば決定、--topic だけならそのトピックのログ、どちらもなければプロジェクトの新しいトピックになります。--topic も --project もない決定は全プロジェクトに適用されます。',
  },
  text: { en: 'The text, or @file', ja: '文章または @ファイル' },
  topicId: { en: 'The number of a topic', ja: 'トピックの番号' },
  keyword: { en: 'What to look for; % and _ are letters', ja: '探す言葉 (% と _ もただの文字)' },
  question: { en: 'What you want to know', ja: '知りたいこと' },
  projectOrHere: {
    en: 'The project: its id, name or number (default: that of this folder)',
    ja: 'プロジェクトの ID、名前、または番号 (省略時はこのフォルダーのもの)',
  },
  topic: { en: 'The topic it belongs to', ja: '属するトピック' },
  onlyTopic: { en: 'Only in this topic and below', ja: 'このトピックとその下だけ' },
  parent: { en: 'The topic that the new one belongs below', ja: '親のトピック' },
  below: { en: 'The topics directly below this one', ja: 'このトピックの直下' },
  reason: { en: 'Why it was decided so: text, or @file', ja: '決定の理由: 文章または @ファイル' },
  supersedes: { en: 'The decision that it replaces', ja: '置き換える決定' },
  decided: { en: 'Only those with a decision', ja: '決定済みだけ' },
  undecided: { en: 'Only those still open', ja: '未決定だけ' },
  also: {
    en: 'Another phrasing, e.g. in the other language; may be repeated',
    ja: '別の言い方 (もう一方の言語など、複数指定可)',
  },
  kind: { en: 'Only topic, log or decision; may be repeated', ja: 'topic・log・decision のうちこれだけ (複数指定可)' },
  from: { en: 'Begin with this log', ja: 'このログから' },
  format: {
    en: 'markdown or jsonl (default: by the name of the file)',
    ja: 'markdown または jsonl (既定: ファイル名による)',
  },
  newFile: { en: 'A new file; without one, stdout', ja: '新しいファイル (省略時は標準出力)' },
  file: { en: 'A file that `memory export` wrote; - for stdin', ja: '`memory export` のファイル (- で標準入力)' },
} satisfies Record<string, Text>
