import type { SchemaIsNewer } from './migrate.ts'
import { Refused } from '../refused.ts'

/** This database is not opened, or not copied to that place; nothing was changed. */
export class DatabaseRefused extends Refused {}

/** Of a file or of a server's database. */
export function newer(file: string, { migration }: SchemaIsNewer): DatabaseRefused {
  const made = migration === undefined ? '' : ` (which made ${migration})`
  return new DatabaseRefused({
    en: `${file} was left as it is: it was written by a newer Toryo${made}; update this program to open it.`,
    ja: `${file} はより新しい Toryo のものです${migration === undefined ? '' : ` (${migration})`}。このプログラムを更新してください。何も変更していません。`,
  })
}
