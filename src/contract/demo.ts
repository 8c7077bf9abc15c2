// The demo: a hub of its own, in a scratch home, whose agents are scripted.
import { error, errors } from './errors.ts'

export const DemoError = errors({
  NOT_A_DEMO: error('conflict', () => ({
    en: 'This hub is not a demo, so that there is nothing to end and delete. Stop it with `toryo stop`.',
    ja: 'このハブはデモではないため、終了・削除の対象がありません。停止するには `toryo stop` を使ってください。',
  })),
  IS_A_DEMO: error('conflict', () => ({
    en: 'This hub is the demo itself. End it to start another.',
    ja: 'このハブ自体がデモです。新しく始めるには、まず終了してください。',
  })),
  DEMO_NOT_STARTED: error('unavailable', (p: { reason: string }) => ({
    en: `The demo could not be started: ${p.reason}. Try \`toryo up --demo\` in a terminal.`,
    ja: `デモを開始できませんでした: ${p.reason}。ターミナルで \`toryo up --demo\` を試してください。`,
  })),
})
