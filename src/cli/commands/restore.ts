import fs from 'node:fs'
import path from 'node:path'
import { findHub } from '#client/start-hub.ts'
import type { Target } from '#client/locate.ts'
import { holdNames, prepareTarget } from '#client/trusted-path.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { replaceDatabase } from '../replace-database.ts'
import { holdHubLock, isToryoDatabase } from '../sqlite-file.ts'
import { texts } from '../texts.ts'

const words = {
  sameFile: (file: string) => ({
    en: `${file} is the database itself; nothing was done.`,
    ja: `${file} はデータベースそのものです。何もしていません。`,
  }),
  notABackup: (file: string) => ({
    en: `${file} is not a Toryo database; nothing was changed.`,
    ja: `${file} は Toryo のデータベースではありません。何も変更していません。`,
  }),
  liveCopy: (file: string) => ({
    en: `${file} has a write-ahead log beside it (${file}-wal), so it is a database in use and no backup. Make one with \`toryo backup\`.`,
    ja: `${file} の隣にログ (${file}-wal) があるため、使用中のデータベースで、バックアップではありません。\`toryo backup\` で作成してください。`,
  }),
  hubRuns: (db: string, who: string) => ({
    en: `A hub is using ${db}${who}; stop it first with \`toryo stop\`. Nothing was changed.`,
    ja: `ハブが ${db} を使用中です${who}。先に \`toryo stop\` で止めてください。何も変更していません。`,
  }),
  restored: (db: string, file: string) => ({
    en: `${db} is now what was in ${file}.`,
    ja: `${db} を ${file} の内容に戻しました。`,
  }),
  keptAside: (file: string) => ({
    en: `What was there before is kept as ${file}.`,
    ja: `以前の内容は ${file} として残してあります。`,
  }),
}

export default command<[file: string]>({
  summary: { en: 'Put a backup in place of the database', ja: 'バックアップからデータベースを戻す' },
  group: 'data',
  order: 17,
  when: {
    en: 'When the database is lost or damaged and you have a backup.',
    ja: 'データベースが失われた・壊れたときに、バックアップから戻します。',
  },
  about: {
    en: 'The hub must not run. The present database is moved aside, never deleted.',
    ja: 'ハブを止めてから実行してください。今のデータベースは脇に移すだけで、削除しません。',
  },
  arguments: [
    { name: '<file>', text: { en: 'What `toryo backup` wrote', ja: '`toryo backup` が書いたファイル' }, takes: 'file' },
  ],
  examples: [
    ['toryo stop; toryo restore ~/toryo-backup.db', { en: 'the default database', ja: '既定のデータベース' }],
    ['toryo restore backup.db --db ~/team.db', { en: 'another one', ja: '別のデータベース' }],
  ],
  output: 'restore',
  async run(cx, _, given) {
    const { io } = cx
    const target = cx.target()
    if (target.kind !== 'sqlite')
      throw CliError.USAGE({
        text: {
          en: 'This database is PostgreSQL: use its own pg_dump and pg_restore, or `toryo export` and `toryo import`.',
          ja: 'このデータベースは PostgreSQL です。pg_dump と pg_restore、または `toryo export` と `toryo import` を使ってください。',
        },
      })
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
      const aside = replaced === undefined ? '' : `\n${io.say(words.keptAside(replaced))}`
      const size = fs.statSync(target.db).size
      return {
        json: { db: target.db, restored_from: file, replaced: replaced ?? null, bytes: size },
        text: io.say(words.restored(target.db, file)) + aside,
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
    throw CliError.USAGE({ text: words.sameFile(file) })
  if (!stats.isFile() || !isToryoDatabase(file)) throw CliError.FAILED({ text: words.notABackup(file) })
  if ((fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw CliError.FAILED({ text: words.liveCopy(file) })
}

function hubRuns(target: Target, who: string) {
  return CliError.FAILED({ text: words.hubRuns(target.shownDb, who) })
}
