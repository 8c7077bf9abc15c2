// One setting of $TORYO_HOME/config.json, for programs that start before a hub and must stay small. Not checked as a whole: a
// mistake elsewhere in the file is the hub's to report.
import fs from 'node:fs'

/** No configuration is this long. */
const LONGEST = 1024 * 1024

/** A setting at the top that is a text. */
export function configText(file: string, name: string): string | undefined {
  const text = readSmall(file)
  if (!text?.includes(`"${name}"`)) return undefined
  try {
    const value = (JSON.parse(plain(text)) as Record<string, unknown> | null)?.[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined // The hub says what is wrong, and where.
  }
}

/** Without comments and trailing commas; texts are left alone. */
function plain(text: string): string {
  const token = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  const bare = text.replace(/^\uFEFF/, '').replace(token, found => (found.startsWith('"') ? found : ' '))
  return bare.replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, found => (found === ',' ? '' : found))
}

/** Undefined when it is missing, unreadable or too long to be a configuration. */
export function readSmall(file: string): string | undefined {
  try {
    return fs.statSync(file).size > LONGEST ? undefined : fs.readFileSync(file, 'utf8')
  } catch {
    return undefined // Missing or unreadable: the caller asks the next source.
  }
}
