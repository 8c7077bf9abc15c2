// What `toryo memory` says to people, in both languages.
import type { Text } from '#contract/errors.ts'

export const memoryTexts = {
  supersededBy: (id: number) => ({ en: `replaced by decision ${id}`, ja: `決定 ${id} に置き換え済み` }),
  nothingFound: { en: 'Nothing found.', ja: '見つかりませんでした。' },
  idWrong: (flag: string, value: string) => ({
    en: `${flag} ${JSON.stringify(value)} must be a number.`,
    ja: `${flag} ${JSON.stringify(value)} は番号で指定してください。`,
  }),
} satisfies Record<string, Text | ((...parts: never[]) => Text)>

export const memoryHelp = {
  projectOrHere: {
    en: 'The project: its id, name or number (default: that of this folder)',
    ja: 'プロジェクトの ID、名前、または番号 (省略時はこのフォルダーのもの)',
  },
} satisfies Record<string, Text>
