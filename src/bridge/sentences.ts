import type { Text } from '#contract/errors.ts'

/** What the bridge itself says to its client. */
export const sentences = {
  absent: {
    en: 'The hub has been out of reach for 30 s; this request was not carried out. Try again later; `toryo doctor` looks for the cause.',
    ja: 'ハブに 30 秒間接続できず、この要求は実行されていません。後で再試行してください。`toryo doctor` で原因を調べられます。',
  },
  uncertain: {
    en: 'The hub has been out of reach for 30 s while it worked on this request. Check whether it took effect, then try again.',
    ja: 'この要求の処理中にハブへ 30 秒間接続できなくなりました。反映されたか確認してから再試行してください。',
  },
  fatal: {
    en: 'The hub ended again and again while it worked on this request; it is not tried another time. `toryo logs` says why.',
    ja: 'この要求の処理中にハブが繰り返し終了したため、再試行を中止しました。`toryo logs` で原因を確認できます。',
  },
  crowded: {
    en: 'Too many requests are waiting for the hub; try again later.',
    ja: 'ハブの応答を待っている要求が多すぎます。後で再試行してください。',
  },
  idInUse: {
    en: 'A request with this id is still waiting for its answer; use a new id.',
    ja: '同じ id の要求がまだ応答待ちです。新しい id を使ってください。',
  },
  restarted: { en: 'The hub was restarted.', ja: 'ハブが再起動されました。' },
  oversize: {
    en: 'The message is over the limit of 1 MiB; send less at once.',
    ja: 'メッセージが上限の 1 MiB を超えています。分けて送ってください。',
  },
  denied: {
    en: 'The hub does not accept the token. Start the client again; `toryo doctor` looks for the cause.',
    ja: 'ハブがトークンを受け付けません。クライアントを再起動してください。`toryo doctor` で原因を調べられます。',
  },
  incompatible: {
    en: 'The hub and this bridge are of versions that do not fit together. Restart the older one: `toryo stop`, then start the client again.',
    ja: 'ハブとこのブリッジのバージョンが合いません。`toryo stop` の後、クライアントを起動し直してください。',
  },
  byHand: {
    en: 'toryo mcp speaks MCP on standard input and output; an MCP client starts it. Press Ctrl-C to end it.',
    ja: 'toryo mcp は標準入出力で MCP を話し、通常は MCP クライアントから起動されます。Ctrl-C で終了します。',
  },
} as const satisfies Record<string, Text>
