// Which database this home was used with last, so that a hub on another one, most often by a forgotten `--db`, is noticed.
import fs from 'node:fs'
import path from 'node:path'
import type { Text } from '#contract/errors.ts'
import { replaceFile } from '#system/files.ts'
import type { Target } from './locate.ts'

const fileOf = (home: string) => path.join(home, 'last-database.json')

/** Without its password. Call it once the hub serves the database. */
export function rememberDatabase({ home, shownDb }: Pick<Target, 'home' | 'shownDb'>): void {
  if (lastDatabase(home) === shownDb) return
  try {
    replaceFile(fs, fileOf(home), `${JSON.stringify({ db: shownDb })}\n`, { sync: false })
  } catch {
    // Only a hint is lost.
  }
}

/**
 * The sentence about a hub that serves another database than the last one of this home. Not for a file that was named while the
 * last one was a file, too: that is meant.
 */
export function otherDatabase(target: Pick<Target, 'home' | 'shownDb' | 'kind'>): Text | undefined {
  const last = lastDatabase(target.home)
  if (last === undefined || last === target.shownDb) return undefined
  const own = path.join(target.home, 'toryo.db')
  const config = path.join(target.home, 'config.json')
  if (target.shownDb === own)
    return {
      en: `This hub uses ${own}; the last one used ${last}, whose projects are not here. To use that one: \`toryo stop\`, then --db ${last}, TORYO_DB, or "db" in ${config}.`,
      ja: `このハブは ${own} を使います。前回のデータベースは ${last} で、そのプロジェクトはここにはありません。そちらを使うには \`toryo stop\` の後、--db ${last}、TORYO_DB、または ${config} の "db" で指定してください。`,
    }
  if (isPostgres(last) === (target.kind === 'postgres')) return undefined
  return {
    en: `This hub uses ${target.shownDb}; the last one used ${last}, whose projects are not here. To bring them along: \`toryo export --db ${last} <file>\`, then \`toryo import <file>\`.`,
    ja: `このハブは ${target.shownDb} を使います。前回のデータベースは ${last} で、そのプロジェクトはここにはありません。移すには \`toryo export --db ${last} <ファイル>\` の後、\`toryo import <ファイル>\` を実行してください。`,
  }
}

function lastDatabase(home: string): string | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(fileOf(home), 'utf8'))
    const db = (value as { db?: unknown } | null)?.db
    return typeof db === 'string' && db !== '' ? db : undefined
  } catch {
    return undefined // None yet, or not ours: nothing to compare with.
  }
}

function isPostgres(db: string): boolean {
  return db.startsWith('postgres://')
}
