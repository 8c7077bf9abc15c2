// What the CLI says of tokens.
import type { Text } from '#contract/errors.ts'

export const tokenTexts = {
  created: (name: string) => ({ en: `Created the token ${name}.`, ja: `トークン ${name} を作成しました。` }),
  revoked: (name: string) => ({
    en: `The token ${name} is refused from now on.`,
    ja: `トークン ${name} は今後拒否されます。`,
  }),
  none: {
    en: 'No tokens yet. Create one with `toryo token create <name>`.',
    ja: 'トークンはまだありません。`toryo token create <名前>` で作成できます。',
  },
  used: { en: 'USED', ja: '最終使用' },
} satisfies Record<string, Text | ((...values: never[]) => Text)>
