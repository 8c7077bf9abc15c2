import fs from 'node:fs'
import path from 'node:path'
import { findHub } from '#client/start-hub.ts'
import type { Target } from '#client/locate.ts'
import { holdNames, prepareTarget } from '#client/trusted-path.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { replaceDatabase } from '../replace-database.ts'
import { holdHubLock, isToryoDatabase } from '../sqlite-file.ts'
import { dataTexts } from '../texts-data.ts'
import { about, argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[file: string]>({
  about: about.restore,
  arguments: [{ name: '<file>', text: argument.backup, takes: 'file' }],
  examples: [
    ['toryo stop; toryo restore ~/toryo-backup.db', { en: 'the default database', ja: '既定のデータベース' }],
    ['toryo restore backup.db --db ~/team.db', { en: 'another one', ja: '別のデータベース' }],
  ],
  async run(cx, _, given) {
    const { io } = cx
    const target = cx.target()
    if (target.kind !== 'sqlite') throw CliError.USAGE({ text: dataTexts.notForPostgres })
    const file = path.resolve(io.cwd, given)
    checkBackup(file, target.db)
    const hub = await findHub(target)
    if (hub) throw hubRuns(target, ` (pid ${hub.pid}, ${hub.url})`)
    prepareTarget(target)
    // A hub that starts now would write into the file that is about to be moved away.
    holdNames(target, [target.lockPath])
    const lock = await holdHubLock(target.lockPath)
    if (!lock) throw hubRuns(target, '')
    try {
      const replaced = await replaceDatabase(target.db, file, io.now())
      const aside = replaced === undefined ? '' : `\n${io.say(dataTexts.keptAside(replaced))}`
      const size = fs.statSync(target.db).size
      return {
        json: { db: target.db, restored_from: file, replaced: replaced ?? null, bytes: size },
        text: io.say(dataTexts.restored(target.db, file)) + aside,
      }
    } finally {
      lock.release()
    }
  },
})

function checkBackup(file: string, db: string): void {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (!stats) throw CliError.USAGE({ text: texts.fileMissing(file) })
  const present = fs.statSync(db, { throwIfNoEntry: false })
  if (present && present.ino === stats.ino && present.dev === stats.dev)
    throw CliError.USAGE({ text: dataTexts.sameFile(file) })
  if (!stats.isFile() || !isToryoDatabase(file)) throw CliError.FAILED({ text: dataTexts.notABackup(file) })
  if ((fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw CliError.FAILED({ text: dataTexts.liveCopy(file) })
}

function hubRuns(target: Target, who: string) {
  return CliError.FAILED({ text: dataTexts.hubRuns(target.shownDb, who) })
}
