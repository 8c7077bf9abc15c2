import path from 'node:path'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { bytes } from '../format.ts'
import { checkNewFile } from '../new-file.ts'
import { slowly } from '../slowly.ts'

const words = {
  backedUp: (file: string, size: string) => ({
    en: `Wrote ${file} (${size}).`,
    ja: `${file} にバックアップしました (${size})。`,
  }),
}

export default command<[file: string]>({
  summary: { en: 'Copy the database to a file while the hub runs', ja: 'データベースをファイルにバックアップする' },
  group: 'data',
  order: 16,
  when: {
    en: 'Before something risky, or every night: a copy of the database.',
    ja: '危険な作業の前や毎晩に。データベースのコピーを作ります。',
  },
  arguments: [
    { name: '<file>', text: { en: 'A file that does not exist yet', ja: 'まだ存在しないファイル' }, takes: 'file' },
  ],
  examples: [['toryo backup ~/toryo-backup.db', { en: 'while the hub goes on working', ja: 'ハブは動いたまま' }]],
  output: 'hub.backup',
  async run(cx, _, given) {
    const elsewhere = cx.global.url !== undefined
    if (elsewhere && !path.isAbsolute(given))
      throw CliError.USAGE({
        text: {
          en: 'With --url, give an absolute path: the file is written on the machine of that hub.',
          ja: '--url を使うときは絶対パスを指定してください。ファイルはそのハブのマシンに書かれます。',
        },
      })
    const file = path.resolve(cx.io.cwd, given)
    if (!elsewhere) checkNewFile(file)
    const hub = await cx.connect()
    const written = await slowly(
      cx,
      { en: 'Copying the database …', ja: 'データベースをバックアップしています…' },
      () => hub.call('hub.backup', { file }, { timeoutMs: 0 }),
    )
    return { json: written, text: cx.io.say(words.backedUp(written.file, bytes(written.bytes))) }
  },
})
