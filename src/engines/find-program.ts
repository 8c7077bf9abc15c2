// Finds programs as a shell would. Light: the bridge and the CLI use it, too.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The first of the names that is a program: an absolute path, or in the folders of PATH. Relative folders are not searched. */
export function findProgram(names: readonly string[], source: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const folders = (source.PATH ?? '').split(delimiter).filter(isAbsolute)
  const endings = process.platform === 'win32' ? ['', ...(source.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : ['']
  for (const name of names) {
    const places = isAbsolute(name) ? [name] : /[/\\]/.test(name) ? [] : folders.map(folder => join(folder, name))
    const found = places.flatMap(place => endings.map(ending => place + ending)).find(isProgram)
    if (found !== undefined) return found
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // Not there, or not for us.
  }
}
