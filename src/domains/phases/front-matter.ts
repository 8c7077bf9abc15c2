import { CoreError } from '#contract/errors.ts'

/** What a prompt asks for beside its text. */
export type Parsed = { readonly text: string; readonly requires: readonly string[] }

const REQUIRED_MAX = 50

/**
 * Splits a prompt into its text and the files that its phase must leave behind:
 * `requires: [a.md, b.md]`, or one `- a.md` a line, between two lines of three dashes at the very start.
 * Anything else up there is refused: a requirement that is not understood must not pass as none.
 */
export function parsePrompt(content: string): Parsed {
  const match = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(content)
  if (!match || match.index !== 0) return { text: content, requires: [] }
  const requires: string[] = []
  let listing = false
  for (const line of (match[1] ?? '').split(/\r?\n/)) {
    const item = /^\s*-\s+(.+)$/.exec(line)
    const key = /^requires:(?:\s*\[(.*)\])?$/.exec(line.trimEnd())
    if (line.trim() === '' || line.startsWith('#')) continue
    if (item && listing) requires.push(file(item[1] ?? ''))
    else if (key) {
      listing = key[1] === undefined
      for (const part of key[1]?.split(',') ?? []) if (part.trim() !== '') requires.push(file(part))
    } else throw refused(line)
  }
  if (requires.length > REQUIRED_MAX) throw refused(`requires: ${requires.length} > ${REQUIRED_MAX}`)
  return { text: content.slice(match[0].length).replace(/^\s+/, ''), requires: [...new Set(requires)] }
}

/** A path below the project's folder, written with forward slashes. */
function file(written: string): string {
  const path = written.trim().replace(/^(["'])(.*)\1$/, '$2')
  const parts = path.split('/')
  if (path === '' || path.length > 300 || path.includes('\\') || /^[A-Za-z]:/.test(path) || parts.includes('..'))
    throw refused(written)
  if (path.startsWith('/') || path.startsWith('~')) throw refused(written)
  return path
}

function refused(what: string) {
  const shown = JSON.stringify(what.slice(0, 100))
  return CoreError.INVALID_ARGUMENT({
    reason: {
      en: `The prompt's front matter may only hold "requires" with file paths below the project; it has ${shown}.`,
      ja: `プロンプトの先頭に書けるのは、プロジェクト内のファイルパスを並べた "requires" だけです。${shown} は使えません。`,
    },
  })
}
