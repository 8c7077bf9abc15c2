import { command } from '../define.ts'

const words = {
  revoked: (name: string) => ({
    en: `The token ${name} is refused from now on.`,
    ja: `トークン ${name} は今後拒否されます。`,
  }),
}

export default command<[name: string]>({
  summary: { en: 'Revoke a token and close its connections', ja: 'トークンを取り消し、その接続を切断' },
  order: 3,
  when: {
    en: 'When a token was lost, or is not needed any more.',
    ja: 'トークンをなくした、または不要になったときに。',
  },
  about: {
    en: 'It is refused from now on by every hub of the database, and connections that were opened with it are closed. The name cannot be used again.',
    ja: '以後、このデータベースのすべてのハブで拒否され、そのトークンで開かれた接続は切断されます。同じ名前は再び使えません。',
  },
  arguments: [{ name: '<name>', text: { en: "The token's name", ja: 'トークンの名前' } }],
  examples: [['toryo token revoke laptop', { en: 'when it is lost', ja: '紛失したとき' }]],
  output: 'token.revoke',
  async run(cx, _, name) {
    const hub = await cx.connect()
    const token = await hub.call('token.revoke', { name })
    return { json: token, text: cx.io.say(words.revoked(token.name)) }
  },
})
