import { command } from '../define.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'

export default command<[crew: string]>({
  arguments: [{ name: '<crew>', text: argument.crew }],
  examples: [
    ['toryo crew delete grp-…', { en: 'what its runs reported can still be read', ja: '実行の報告は引き続き読める' }],
  ],
  async run(cx, _, crewId) {
    const hub = await cx.connect()
    const deleted = await hub.call('crew.delete', { crew_id: crewId })
    return { json: deleted, text: cx.io.say(crewTexts.deleted(deleted.crew.groupId)) }
  },
})
