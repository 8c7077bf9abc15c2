import fs from 'node:fs'
import path from 'node:path'
import { CliError } from './errors.ts'
import { texts } from './texts.ts'

/** Before a hub is asked for anything: a file that is to be made must not be there, and its folder must. */
export function checkNewFile(file: string): void {
  if (fs.existsSync(file)) throw CliError.USAGE({ text: texts.fileExists(file) })
  const folder = path.dirname(file)
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw CliError.USAGE({ text: texts.folderMissing(folder) })
}
