import fs from 'node:fs'
import path from 'node:path'
import type { MemoryRecord } from '#contract/memory.ts'
import { inOrder } from '#contract/memory-import.ts'
import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { toMarkdown } from '../memory-markdown.ts'
import { projectOption } from '../memory-options.ts'
import { checkNewFile } from '../new-file.ts'
import { somewhere } from '../options.ts'

type Options = { project?: string; format?: 'markdown' | 'jsonl' }

const words = {
  wrote: (file: string, count: number) => ({
    en: `Wrote ${count} records to ${file}.`,
    ja: `${count} 件を ${file} に書き出しました。`,
  }),
}

export default command<[file: string | undefined], Options>({
  summary: {
    en: 'Write the memory of a project as Markdown or JSON Lines',
    ja: 'メモリを Markdown か JSON Lines で書き出す',
  },
  order: 7,
  when: {
    en: 'To keep the memory as Markdown or JSON Lines, or hand it on.',
    ja: 'メモリを Markdown や JSON Lines で保存・共有するときに。',
  },
  arguments: [
    {
      name: '[file]',
      text: { en: 'A new file; without one, stdout', ja: '新しいファイル (省略時は標準出力)' },
      takes: 'file',
    },
  ],
  options: [
    projectOption,
    {
      flags: '--format <format>',
      text: {
        en: 'markdown or jsonl (default: by the name of the file)',
        ja: 'markdown または jsonl (既定: ファイル名による)',
      },
      choices: ['markdown', 'jsonl'],
    },
  ],
  examples: [
    ['toryo memory export decisions.md --project shop', { en: 'to read and to keep', ja: '読むため・残すため' }],
    ['toryo memory export --format jsonl --project shop | jq .', { en: 'one record per line', ja: '1 行に 1 件' }],
  ],
  output: 'memoryExported',
  async run(cx, { project, format }, given) {
    const { io } = cx
    const file = given === undefined || given === '-' ? undefined : path.resolve(io.cwd, given)
    if (file !== undefined) checkNewFile(file)
    const hub = await cx.connect()
    const records: MemoryRecord[] = []
    let cursor: string | undefined
    do {
      const page = await hub.call('memory.export', { ...somewhere(project, io.cwd), cursor })
      records.push(...page.records)
      cursor = page.next_cursor
    } while (cursor !== undefined)
    const asLines = (format ?? (file?.endsWith('.jsonl') ? 'jsonl' : 'markdown')) === 'jsonl'
    const lines = () => inOrder(records).map(record => `${JSON.stringify(record)}\n`)
    const text = asLines ? lines().join('') : toMarkdown(records, project ?? path.basename(io.cwd))
    if (file === undefined && cx.global.json) return { json: { records: inOrder(records) }, text: '' }
    if (file === undefined) {
      io.stdout.write(text)
      return EXIT.done
    }
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return { json: { file, records: records.length }, text: io.say(words.wrote(file, records.length)) }
  },
})
