import { command } from '../define.ts'

const words = {
  resumed: (engine: string) => ({ en: `${engine} is used again.`, ja: `${engine} を再開しました。` }),
  notPaused: (engine: string) => ({ en: `${engine} was not paused.`, ja: `${engine} は一時停止していません。` }),
}

export default command<[engine: string]>({
  summary: { en: 'Start agents of a paused engine again', ja: '一時停止中のエンジンを再開' },
  order: 2,
  when: {
    en: 'When an account works again before its pause is over.',
    ja: '一時停止が終わる前にアカウントが使えるようになったときに。',
  },
  about: {
    en: 'An engine whose account has run out of quota is paused until the time that it named. Lift the pause when you know better; `toryo status` shows the pauses.',
    ja: '利用枠を使い切ったエンジンは、示された時刻まで一時停止します。それより前に使えると分かったら解除してください。一時停止は `toryo status` で確認できます。',
  },
  arguments: [{ name: '<engine>', text: { en: 'The engine', ja: 'エンジン' } }],
  examples: [['toryo engine resume claude', { en: 'after the quota was raised', ja: '利用枠を増やした後に' }]],
  output: 'engine.resume',
  async run(cx, _, engine) {
    const hub = await cx.connect()
    const answer = await hub.call('engine.resume', { engine })
    const text = answer.was_paused ? words.resumed : words.notPaused
    return { json: answer, text: cx.io.say(text(answer.engine)) }
  },
})
