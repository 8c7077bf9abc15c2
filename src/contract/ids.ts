// What an id may be, and the one way from ids to paths. Ids name folders and files on this and on other machines, and come from
// people, exports, databases and hubs elsewhere. Pure and small: the browser knows no node:path, and
// bridges are started too often to load zod for it.
import { CoreError } from './errors.ts'

const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
/** Windows takes these for devices, whatever follows the first dot. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const LONGEST = 100
/** An id and what is added to it: `.log`. */
const LONGEST_NAME = 120

export function isId(text: string): boolean {
  return text.length <= LONGEST && isName(text)
}

/** A file or folder below `folder`, one level for each name. Throws for a name that could lead anywhere else. */
export function pathIn(folder: string, ...names: [string, ...string[]]): string {
  for (const name of names)
    if (!isName(name)) {
      const shown = JSON.stringify(String(name).slice(0, LONGEST))
      throw CoreError.INVALID_ARGUMENT({
        reason: { en: `${shown} cannot be part of a path.`, ja: `${shown} はパスの一部として使えません。` },
      })
    }
  return [folder.replace(/(?<=.)\/+$/, ''), ...names].join('/').replace(/^\/\//, '/')
}

/** Also of what only claims to be text, as in an answer of a hub elsewhere. */
function isName(name: string): boolean {
  if (typeof name !== 'string' || name.length > LONGEST_NAME) return false
  return FORM.test(name) && !name.endsWith('.') && !DEVICES.test(name)
}
