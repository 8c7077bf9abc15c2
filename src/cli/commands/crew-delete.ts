import { command } from '../define.ts'
import { argument } from '../texts-help.ts'

const words = {
  deleted: (crew: string) => ({ en: `Deleted ${crew}.`, ja: `${crew} を削除しました。` }),
}

export default command<[crew: string]>({
  summary: { en: 'Delete a crew whose runs have all ended', ja: '実行がすべて終了したクルーを削除' },
  order: 5,
  when: {
    en: 'When you do not need a finished crew in the list any more.',
    ja: '終わったクルーを一覧から消すときに。',
  },
  arguments: [{ name: '<crew>', text: argument.crew }],
  examples: [
    ['toryo crew delete grp-…', { en: 'what its runs reported can still be read', ja: '実行の報告は引き続き読める' }],
  ],
  output: 'crew.delete',
  async run(cx, _, crewId) {
    const hub = await cx.connect()
    const deleted = await hub.call('crew.delete', { crew_id: crewId })
    return { json: deleted, text: cx.io.say(words.deleted(deleted.crew.crew_id)) }
  },
})
