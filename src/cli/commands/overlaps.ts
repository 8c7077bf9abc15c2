import type { ApiOutput } from '#contract/api.ts'
import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { fileNames, overlapKinds, sideName } from '../overlap-text.ts'
import { returnedLine } from '../merge-text.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { type Column, table } from '../table.ts'

type Row = ApiOutput<'overlap.list'>['overlaps'][number]

const none = {
  en: 'No two workspaces or tabs change the same lines now.',
  ja: '同じ行を変更しているワークスペースやタブはありません。',
}

export default command<[], { project?: string }>({
  summary: {
    en: 'Work that changes the same lines, or would not merge',
    ja: '同じ行を変更している作業、マージすると競合する作業',
  },
  group: 'work',
  order: 17,
  when: {
    en: 'When several agents work at once: who changes the same lines.',
    ja: '複数のエージェントが同じ行を変えていないか見るときに。',
  },
  about: {
    en: 'Compares the workspaces and tabs that are in use on each machine, unsaved changes included, every few seconds. It is information: nothing waits for it.',
    ja: '各マシンで使用中のワークスペースとタブを、未コミットの変更も含めて数秒ごとに比較します。参考情報であり、作業を止めることはありません。',
  },
  options: [projectOption],
  examples: [['toryo overlaps --json', { en: 'for a script', ja: 'スクリプト用' }]],
  output: 'overlap.list',
  async run(cx, { project }) {
    const { io } = cx
    const hub = await cx.connect()
    const project_id = await projectHere(cx, hub, project)
    const answer = await hub.call('overlap.list', { project_id })
    const { merges } = await hub.call('merge.list', { project_id, returned: true })
    const back = merges.filter(({ outcome }) => outcome === 'conflict')
    const nameOf = back.length === 0 ? String : await agentNames(cx, hub)
    const notes = back.map(merge => returnedLine(merge, nameOf, io))
    const columns: Column<Row>[] = [
      { title: io.say({ en: 'WORK', ja: '作業' }), value: row => sideName(row.a) },
      { title: io.say({ en: 'WITH', ja: '相手' }), value: row => sideName(row.b) },
      { title: io.say({ en: 'OVERLAP', ja: '重なり' }), value: row => io.say(overlapKinds[row.kind]) },
      {
        title: io.say({ en: 'SINCE', ja: '検出' }),
        value: row => ago(row.since, io.now(), io.lang, 'narrow'),
        optional: true,
      },
      { title: io.say({ en: 'FILES', ja: 'ファイル' }), value: row => fileNames(row.files, io), prose: true },
    ]
    if (answer.overlaps.length === 0) return { json: answer, text: notes.join('\n'), note: io.say(none) }
    return { json: answer, text: () => [table(answer.overlaps, columns, io), ...notes].join('\n') }
  },
})
