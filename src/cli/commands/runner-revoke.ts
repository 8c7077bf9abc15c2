import { command } from '../define.ts'

const words = {
  revoked: (name: string) => ({ en: `${name} is refused from now on.`, ja: `${name} は今後拒否されます。` }),
}

export default command<[name: string]>({
  summary: { en: 'Refuse a Runner from now on', ja: 'Runner を今後拒否する' },
  order: 3,
  when: {
    en: 'When a machine must not start agents any more.',
    ja: 'マシンにエージェントを起動させたくなくなったときに。',
  },
  about: {
    en: 'It is refused at its next word, and ends the agents that it started. The name cannot be used again.',
    ja: '次の通信から拒否され、その Runner が開始したエージェントは終了します。同じ名前は再び使えません。',
  },
  arguments: [{ name: '<name>', text: { en: "The Runner's name", ja: 'Runner の名前' } }],
  examples: [['toryo runner revoke build-box', { en: 'when its token has leaked', ja: 'トークンが漏れたとき' }]],
  output: 'runner.revoke',
  async run(cx, _, name) {
    const hub = await cx.connect()
    const runner = await hub.call('runner.revoke', { name })
    return { json: runner, text: cx.io.say(words.revoked(runner.name)) }
  },
})
