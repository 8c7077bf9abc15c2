import path from 'node:path'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { bytes } from '../format.ts'
import { checkNewFile } from '../new-file.ts'
import { slowly } from '../slowly.ts'
import { dataTexts } from '../texts-data.ts'
import { argument } from '../texts-help.ts'

export default command<[file: string]>({
  arguments: [{ name: '<file>', text: argument.newFile, takes: 'file' }],
  examples: [['toryo backup ~/toryo-backup.db', { en: 'while the hub goes on working', ja: 'ハブは動いたまま' }]],
  async run(cx, _, given) {
    const elsewhere = cx.global.url !== undefined
    if (elsewhere && !path.isAbsolute(given)) throw CliError.USAGE({ text: dataTexts.absoluteWithUrl })
    const file = path.resolve(cx.io.cwd, given)
    if (!elsewhere) checkNewFile(file)
    const hub = await cx.connect()
    const written = await slowly(cx, dataTexts.backingUp, () => hub.call('hub.backup', { file }, { timeoutMs: 0 }))
    return { json: written, text: cx.io.say(dataTexts.backedUp(written.file, bytes(written.bytes))) }
  },
})
