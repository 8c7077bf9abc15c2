import { findPerson } from '#client/person.ts'
import type { ApiOutput } from '#contract/api.ts'
import type { Text } from '#contract/errors.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { pairs } from '../format.ts'

type Who = ApiOutput<'hub.whoami'>
type Source = 'config' | 'git' | 'system'

const SOURCES: Record<Source, Text> = {
  config: { en: '"name" in config.json', ja: 'config.json の "name"' },
  git: { en: 'git config --global user.name', ja: 'git config --global user.name' },
  system: { en: 'your user on this machine', ja: 'このマシンのユーザー名' },
}

export default command({
  summary: { en: 'Show who you are to the hub, and what you may do', ja: 'ハブから見た自分と、できることを表示' },
  group: 'hub',
  order: 3,
  when: {
    en: 'To see under which name your notes and decisions are kept.',
    ja: '自分のメモや決定がどの名前で残るかを確認するときに。',
  },
  about: {
    en: 'Your name is written into the notes, decisions, comments and events that come from you, so that several people are distinguished. It is "name" in config.json, else git\'s user.name, else your user. It gives no rights.',
    ja: '名前は、あなたのメモ、決定、コメント、イベントに記録され、複数の人を区別するために使われます。config.json の "name"、git の user.name、OS のユーザー名の順に使います。名前で権限は変わりません。',
  },
  examples: [['toryo whoami --json', { en: 'for a script', ja: 'スクリプト用' }]],
  output: 'whoami',
  async run(cx) {
    const { io } = cx
    const hub = await cx.connect()
    const who = await hub.call('hub.whoami', {})
    const found = who.person === null ? undefined : findPerson(io.env)
    const text = () =>
      pairs(
        [
          [io.say({ en: 'name', ja: '名前' }), visibleLine(who.person ?? who.caller)],
          [io.say({ en: 'taken from', ja: '名前の出所' }), found && io.say(SOURCES[found.source])],
          [io.say({ en: 'in events', ja: 'イベントでの表記' }), visibleLine(who.caller)],
          [io.say({ en: 'token', ja: 'トークン' }), who.token && visibleLine(who.token)],
          [io.say({ en: 'hub', ja: 'ハブ' }), visibleLine(who.url)],
          [io.say({ en: 'database', ja: 'データベース' }), visibleLine(who.db)],
          [io.say({ en: 'you may', ja: 'できること' }), io.say(rights(who))],
        ],
        io,
      )
    return { json: { ...who, name_from: found?.source ?? null }, text }
  },
})

function rights({ may, project_id: project }: Who): Text {
  switch (may) {
    case 'everything':
      return { en: 'do everything, in all projects', ja: 'すべてのプロジェクトで、すべての操作ができます' }
    case 'its_project':
      return {
        en: `work in project ${project}; this terminal belongs to something that the hub started`,
        ja: `プロジェクト ${project} の中で作業できます。このターミナルはハブが起動したものです`,
      }
    default:
      return {
        en: 'do your own work, outside of every project; this terminal belongs to something that the hub started',
        ja: 'プロジェクトの外で、自分の作業だけができます。このターミナルはハブが起動したものです',
      }
  }
}
