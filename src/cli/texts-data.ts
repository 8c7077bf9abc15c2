// What backup, restore, export and import say.
import type { Text } from '#contract/errors.ts'

export const dataTexts = {
  backingUp: { en: 'Copying the database …', ja: 'データベースを控えています…' },
  backedUp: (file: string, size: string) => ({
    en: `Wrote ${file} (${size}).`,
    ja: `${file} に控えました (${size})。`,
  }),
  absoluteWithUrl: {
    en: 'With --url, give an absolute path: the file is written on the machine of that hub.',
    ja: '--url を使うときは絶対パスを指定してください。ファイルはそのハブの機械に書かれます。',
  },
  notForPostgres: {
    en: 'This database is PostgreSQL: use its own pg_dump and pg_restore, or `toryo export` and `toryo import`.',
    ja: 'このデータベースは PostgreSQL です。pg_dump と pg_restore、または `toryo export` と `toryo import` を使ってください。',
  },
  sameFile: (file: string) => ({
    en: `${file} is the database itself; nothing was done.`,
    ja: `${file} はデータベースそのものです。何もしていません。`,
  }),
  notABackup: (file: string) => ({
    en: `${file} is no Toryo database; nothing was changed.`,
    ja: `${file} は Toryo のデータベースではありません。何も変更していません。`,
  }),
  damagedBackup: (file: string, problem: string) => ({
    en: `${file} is damaged (${problem}); nothing was changed.`,
    ja: `${file} は壊れています (${problem})。何も変更していません。`,
  }),
  liveCopy: (file: string) => ({
    en: `${file} has a write-ahead log beside it (${file}-wal), so it is a database in use and no backup. Make one with \`toryo backup\`.`,
    ja: `${file} の隣にログ (${file}-wal) があるため、使用中のデータベースで、控えではありません。\`toryo backup\` で作成してください。`,
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
  exported: (file: string, lines: number, size: string) => ({
    en: `Wrote ${lines} rows to ${file} (${size}).`,
    ja: `${lines} 行を ${file} に書き出しました (${size})。`,
  }),
  holdsSecrets: {
    en: "It holds the hashes of the agents' passkeys: keep it as private as the database. `--without-secrets` leaves them out.",
    ja: 'エージェントのパスキーのハッシュが含まれます。データベースと同様に非公開で保管してください。`--without-secrets` を付けると除外できます。',
  },
  withoutPasskeys: {
    en: 'This export came without passkeys: no agent can sign in with one until you give it a new one with `toryo agent rotate <agent>`.',
    ja: 'このエクスポートにはパスキーが含まれていません。`toryo agent rotate <エージェント>` で再発行するまで、エージェントはパスキーでサインインできません。',
  },
  strangeId: (file: string, id: string, table: string) => ({
    en: `${file} has ${id} in its table ${table}, which cannot be an id: folders are named after ids, and this would lead elsewhere. Nothing was changed.`,
    ja: `${file} のテーブル ${table} に、ID として使えない値 ${id} があります。ID はフォルダー名になるため、別の場所を指すおそれがあります。何も変更していません。`,
  }),
  exportCut: (reason: string) => ({
    en: `The export broke off (${reason}); nothing was kept.`,
    ja: `書き出しが途中で切れました (${reason})。何も残していません。`,
  }),
  notAnExport: (file: string) => ({
    en: `${file} is no Toryo export of a version this program knows; nothing was imported.`,
    ja: `${file} は、このプログラムが扱える Toryo の書き出しではありません。何も読み込んでいません。`,
  }),
  imported: (rows: number) => ({ en: `Imported ${rows} rows.`, ja: `${rows} 行を読み込みました。` }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
