// What the CLI says of Runners and paused engines.
import type { Text } from '#contract/errors.ts'

export const runnerTexts = {
  token: { en: 'token', ja: 'トークン' },
  tokenOnce: {
    en: 'Keep the token now, in a file that only its user can read: it is not shown again.',
    ja: 'トークンは今、自分だけが読めるファイルに保存してください。二度と表示されません。',
  },
  never: { en: 'never', ja: 'なし' },
} satisfies Record<string, Text | ((...values: never[]) => Text)>
