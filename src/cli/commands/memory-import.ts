import path from 'node:path'
import { text } from 'node:stream/consumers'
import { MemoryRecord } from '#contract/memory.ts'
import { importMemory } from '#contract/memory-import.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { fromMarkdown } from '../memory-markdown.ts'
import { projectOption } from '../memory-options.ts'
import { readText, somewhere } from '../options.ts'

const words = {
  imported: (count: number) => ({ en: `Added ${count} records.`, ja: `${count} 件を追加しました。` }),
  notReadable: (file: string, reason: string) => ({
    en: `${file} is not a memory export: ${reason}. Nothing was added.`,
    ja: `${file} をメモリとして読めません: ${reason}。何も追加していません。`,
  }),
}

export default command<[file: string], { project?: string }>({
  summary: { en: 'Add what `memory export` wrote', ja: '`memory export` の内容を追加' },
  order: 8,
  when: { en: 'To take over what `toryo memory export` wrote.', ja: '`toryo memory export` の内容を取り込むときに。' },
  arguments: [
    {
      name: '<file>',
      text: { en: 'A file that `memory export` wrote; - for stdin', ja: '`memory export` のファイル (- で標準入力)' },
      takes: 'file',
    },
  ],
  options: [projectOption],
  examples: [['toryo memory import decisions.md --project new', { en: 'adds; changes nothing', ja: '追加のみ' }]],
  output: 'memoryImported',
  async run(cx, { project }, given) {
    const { io } = cx
    const name = given === '-' ? 'stdin' : path.resolve(io.cwd, given)
    const records = parse(given === '-' ? await text(io.stdin) : readText(name), name)
    const where = somewhere(project, io.cwd)
    const hub = await cx.connect()
    const known = await importMemory(records, (chunk, needed) =>
      hub.call('memory.import', { ...where, records: chunk, known: needed }),
    )
    return { json: { records: records.length, ...known }, text: io.say(words.imported(records.length)) }
  },
})

/** The whole file is understood before anything is sent. */
function parse(content: string, name: string): MemoryRecord[] {
  const refuse = (reason: string) => CliError.FAILED({ text: words.notReadable(name, reason) })
  try {
    const found = content.trimStart().startsWith('{')
      ? content.split('\n').flatMap(line => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]))
      : fromMarkdown(content)
    if (!found || found.length === 0) throw refuse('no records')
    return found.map((record, index) => {
      const parsed = MemoryRecord.safeParse(record)
      if (!parsed.success) throw refuse(`record ${index + 1}: ${parsed.error.issues[0]?.message ?? 'wrong'}`)
      return parsed.data
    })
  } catch (problem) {
    if (problem instanceof SyntaxError) throw refuse(problem.message)
    throw problem
  }
}
