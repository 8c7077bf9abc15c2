import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { textOrFile } from '../options.ts'
import { commentLines } from '../review-text.ts'
import { argument } from '../texts-help.ts'

type Options = { list?: boolean; remove?: string }

const words = {
  noted: (id: string, handle: string) => ({
    en: `Noted ${id}. It goes out with your verdict: \`toryo task review ${handle} --changes "…"\`.`,
    ja: `${id} を下書きしました。判定 (\`toryo task review ${handle} --changes "…"\`) と一緒に送られます。`,
  }),
  removed: (id: string) => ({ en: `Removed ${id}.`, ja: `${id} を削除しました。` }),
  none: { en: 'No comments.', ja: 'コメントはありません。' },
  what: {
    en: 'Say something: toryo task comment <task> [path[:from[-to]]] "…"',
    ja: 'コメントを入力してください: toryo task comment <タスク> [パス[:行[-行]]] "…"',
  },
}

export default command<[task: string, place?: string, text?: string], Options>({
  summary: { en: 'Comment on reported work, line by line', ja: '報告された作業に行単位でコメント' },
  order: 7,
  when: {
    en: 'While you review: remarks on lines, sent with your verdict.',
    ja: 'レビュー中に、行ごとのコメントを残すときに。',
  },
  about: {
    en: 'Comments are gathered as drafts and go out together with your verdict.',
    ja: 'コメントは下書きとしてまとめられ、判定と一緒に送られます。',
  },
  arguments: [
    { name: '<task>', text: argument.task },
    {
      name: '[place]',
      text: { en: 'A path, with lines or without: src/a.ts:40-44', ja: 'パス (行も指定可): src/a.ts:40-44' },
    },
    { name: '[text]', text: argument.message },
  ],
  options: [
    { flags: '--list', text: { en: 'List the comments', ja: 'コメントの一覧' } },
    { flags: '--remove <comment>', text: { en: 'Remove a draft', ja: '下書きを削除' } },
  ],
  examples: [
    ['toryo task comment shop-12 src/a.ts:40-44 "Why not a Set?"', { en: 'on lines', ja: '行へのコメント' }],
    ['toryo task comment shop-12 "Please add a test"', { en: 'on the whole change', ja: '変更全体へのコメント' }],
    ['toryo task comment shop-12 --list', { en: 'all of them, with answers', ja: '回答も含めた一覧' }],
  ],
  output: ['task.comment', 'task.comments', 'task.uncomment'],
  async run(cx, { list, remove }, task_id, place, text) {
    const { io } = cx
    const hub = await cx.connect()
    if (remove !== undefined) {
      const removed = await hub.call('task.uncomment', { comment_id: remove })
      return { json: removed, text: io.say(words.removed(removed.comment_id)) }
    }
    if (list) {
      const found = await hub.call('task.comments', { task_id })
      if (found.comments.length === 0) return { json: found, text: '', note: io.say(words.none) }
      return { json: found, text: found.comments.flatMap(comment => commentLines(comment, io)).join('\n') }
    }
    const said = textOrFile(text ?? place, io.cwd)
    if (said === undefined) throw CliError.USAGE({ text: words.what })
    const where = text === undefined ? {} : placeIn(place ?? '')
    const comment = await hub.call('task.comment', { task_id, ...where, text: said })
    return { json: comment, text: io.say(words.noted(comment.comment_id, task_id)) }
  },
})

function placeIn(place: string): { path: string; from_line?: number; to_line?: number } {
  const [, path = place, from, to] = /^(.+?):(\d+)(?:-(\d+))?$/s.exec(place) ?? []
  return {
    path,
    ...(from !== undefined && { from_line: Number(from) }),
    ...(to !== undefined && { to_line: Number(to) }),
  }
}
