import { locate } from '#client/locate.ts'
import { prepareTarget } from '#client/trusted-path.ts'
import { previewUnregister, unregisterByHand } from '#registration/by-hand.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { bridgeProgram, registrationAnswer } from '../registration-text.ts'
import { option } from '../texts-help.ts'

const words = {
  nothingRegistered: { en: 'Nothing is registered.', ja: '登録はありません。' },
}

export default command<[], { dryRun?: boolean }>({
  summary: { en: 'Take it out again', ja: '登録を取り消す' },
  group: 'more',
  order: 21,
  when: {
    en: 'When agent programs should forget Toryo, or before you remove it.',
    ja: 'エージェントのプログラムから Toryo を外すときに。',
  },
  about: {
    en: 'An entry that was changed since is left in place and reported. A running hub removes its own entry on request.',
    ja: '登録後に変更された項目は残し、その旨を表示します。動いているハブの登録は、そのハブ自身が取り消します。',
  },
  options: [{ flags: '--dry-run', text: option.dryRun }],
  examples: [['toryo unregister --dry-run', { en: 'show the changes, make none', ja: '変更点だけを表示' }]],
  output: 'registration',
  async run(cx, { dryRun }) {
    const target = cx.target()
    const place = { home: target.home, env: cx.io.env, bridge: bridgeProgram(cx) }
    if (dryRun) return registrationAnswer(cx, previewUnregister(place), words.nothingRegistered)
    prepareTarget(target)
    return registrationAnswer(cx, await unregisterByHand(place, db => ask(cx, db)), words.nothingRegistered)
  },
})

async function ask({ io }: Context, db: string): Promise<readonly Outcome[] | undefined> {
  const { connectIfRunning } = await import('../connect.ts')
  try {
    const hub = await connectIfRunning(locate(db, { env: io.env, cwd: io.cwd }), io)
    try {
      return (await hub.call('hub.unregister', {})).files as Outcome[]
    } finally {
      hub.dispose()
    }
  } catch (problem) {
    if ((problem as { code?: string }).code === CliError.HUB_NOT_RUNNING({ db }).code) return undefined
    throw problem
  }
}
