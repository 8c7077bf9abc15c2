import fs from 'node:fs'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { readError } from '#client/api.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { bytes } from '../format.ts'
import { checkNewFile } from '../new-file.ts'
import { fitted } from '../wrap.ts'

const words = {
  exported: (file: string, lines: number, size: string) => ({
    en: `Wrote ${lines} rows to ${file} (${size}).`,
    ja: `${lines} 行を ${file} に書き出しました (${size})。`,
  }),
  holdsSecrets: {
    en: "It holds the hashes of the agents' passkeys: keep it as private as the database. `--without-secrets` leaves them out.",
    ja: 'エージェントのパスキーのハッシュが含まれます。データベースと同様に非公開で保管してください。`--without-secrets` を付けると除外できます。',
  },
  exportCut: (reason: string) => ({
    en: `The export broke off (${reason}); nothing was kept.`,
    ja: `書き出しが途中で切れました (${reason})。何も残していません。`,
  }),
}

export default command<[file: string | undefined], { withoutSecrets?: boolean }>({
  summary: { en: 'Write all data as JSON Lines', ja: '全データを JSON Lines で書き出す' },
  group: 'data',
  order: 18,
  when: {
    en: 'To move to another database, or to look at all data.',
    ja: '別のデータベースへ移す、または全データを見るときに。',
  },
  arguments: [
    {
      name: '[file]',
      text: {
        en: 'A file that does not exist yet; - or nothing: stdout',
        ja: 'まだ存在しないファイル (省略または - で標準出力)',
      },
      takes: 'file',
    },
  ],
  options: [
    {
      flags: '--without-secrets',
      text: {
        en: "Leave out the hashes of the agents' passkeys",
        ja: 'エージェントのパスキーのハッシュを含めない',
      },
    },
  ],
  examples: [
    ['toryo export data.jsonl', { en: 'one row of one table per line', ja: '1 行に 1 件' }],
    ['toryo export --without-secrets share.jsonl', { en: 'to hand on to others', ja: '他の人に渡す場合' }],
    ['toryo export | gzip > data.jsonl.gz', { en: 'through a pipe', ja: 'パイプで圧縮' }],
  ],
  output: 'export',
  async run(cx, { withoutSecrets = false }, given) {
    const { io } = cx
    const file = given === undefined || given === '-' ? undefined : path.resolve(io.cwd, given)
    if (file !== undefined) checkNewFile(file)
    const hub = await cx.connect()
    const answer = await hub.stream(`api/export${withoutSecrets ? '?secrets=no' : ''}`, { method: 'GET', headers: {} })
    if (answer.statusCode !== 200) throw readError(await text(answer), answer.statusCode ?? 0, hub.url)
    if (file === undefined) {
      await pipeline(answer, io.stdout, { end: false }).catch(broken)
      if (!withoutSecrets) io.stderr.write(`${fitted(io.say(words.holdsSecrets), io.errorWidth)}\n`)
      return EXIT.done
    }
    const written = await writeWhole(file, answer)
    const rows = written.lines - 1
    return {
      json: { file, rows, bytes: written.bytes, secrets: !withoutSecrets },
      text: [
        io.say(words.exported(file, rows, bytes(written.bytes))),
        ...(withoutSecrets ? [] : [io.say(words.holdsSecrets)]),
      ].join('\n'),
    }
  },
})

/** Under its own name only when it is complete. */
async function writeWhole(file: string, source: Readable): Promise<{ lines: number; bytes: number }> {
  const draft = `${file}.${process.pid}.part`
  const counter = new Counter()
  try {
    await pipeline(source, counter, fs.createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })).catch(
      broken,
    )
    // Unlike a rename, this never overwrites what has appeared meanwhile.
    fs.linkSync(draft, file)
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return counter
}

class Counter extends Transform {
  lines = 0
  bytes = 0

  override _transform(chunk: Buffer, _: string, done: (problem: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length
    for (const byte of chunk) if (byte === 0x0a) this.lines++
    done(null, chunk)
  }
}

function broken(problem: NodeJS.ErrnoException): never {
  throw CliError.FAILED({ text: words.exportCut(problem.message) }, problem)
}
