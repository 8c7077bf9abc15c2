import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { readError } from '#client/api.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { peekLine } from '../peek.ts'
import { texts } from '../texts.ts'

const FIRST_LINE_BYTES = 1024

const words = {
  notAnExport: (file: string) => ({
    en: `${file} is not a Toryo export of a version that this program knows; nothing was imported.`,
    ja: `${file} は、このプログラムが扱える Toryo の書き出しではありません。何も読み込んでいません。`,
  }),
  imported: (rows: number) => ({ en: `Imported ${rows} rows.`, ja: `${rows} 行を読み込みました。` }),
}

export default command<[file: string]>({
  summary: { en: 'Read data that `export` wrote', ja: '`export` のデータを読み込む' },
  group: 'data',
  order: 19,
  when: {
    en: 'To take over what `toryo export` wrote, in a new database.',
    ja: '`toryo export` の内容を新しいデータベースに取り込むときに。',
  },
  arguments: [
    {
      name: '<file>',
      text: { en: 'What `toryo export` wrote; - for stdin', ja: '`toryo export` が書いたファイル (- で標準入力)' },
      takes: 'file',
    },
  ],
  examples: [
    ['toryo import data.jsonl --db ~/new.db', { en: 'into a new database', ja: '新しいデータベースへ' }],
    ['gunzip < data.jsonl.gz | toryo import -', { en: 'from a pipe', ja: 'パイプから' }],
  ],
  output: 'import',
  async run(cx, _, given) {
    const { io } = cx
    const name = given === '-' ? 'stdin' : path.resolve(io.cwd, given)
    const source = await open(given === '-' ? io.stdin : fs.createReadStream(name), name)
    const hub = await cx.connect()
    const headers = { 'content-type': 'application/jsonl; charset=utf-8', 'idempotency-key': crypto.randomUUID() }
    const answer = await hub.stream('api/import', { method: 'POST', headers, body: source })
    const body = await text(answer)
    if (answer.statusCode !== 200) throw readError(body, answer.statusCode ?? 0, hub.url)
    const result = JSON.parse(body) as { rows: number; secrets: boolean }
    const said = [
      words.imported(result.rows),
      ...(result.secrets
        ? []
        : [
            {
              en: 'This export came without passkeys: no agent can sign in with one until you give it a new one with `toryo agent rotate <agent>`.',
              ja: 'このエクスポートにはパスキーが含まれていません。`toryo agent rotate <エージェント>` で再発行するまで、エージェントはパスキーでサインインできません。',
            },
          ]),
    ]
    return { json: result, text: said.map(one => io.say(one)).join('\n') }
  },
})

/** Refuses a wrong file before a hub is troubled with it. */
async function open(source: Readable, name: string): Promise<Readable> {
  const { line, whole } = await peekLine(source, FIRST_LINE_BYTES).catch((problem: NodeJS.ErrnoException) => {
    const missing = problem.code === 'ENOENT'
    throw CliError.USAGE({ text: missing ? texts.fileMissing(name) : texts.fileUnreadable(name, problem.message) })
  })
  if (isHeader(line)) return whole
  whole.destroy()
  throw CliError.FAILED({ text: words.notAnExport(name) })
}

function isHeader(line: string): boolean {
  try {
    const { format, version } = JSON.parse(line) as Record<string, unknown>
    return format === 'toryo-export' && version === 1
  } catch {
    return false // Not even JSON.
  }
}
