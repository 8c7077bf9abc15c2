// Pure: what of an item goes into a message to agents.

const NAMES = 5
const CHARACTERS = 120

/**
 * Names of files of a repository, for a message in the person's name: anyone who can write to the repository may have chosen them, so they stand
 * there as data. Quoted, on one line, with everything that could end the quotes, hide or look like an instruction on a line of its
 * own written out.
 */
export function quotedNames(detail: string | null): string {
  const all = (detail ?? '').split('\n').filter(name => name !== '')
  const shown = all.slice(0, NAMES).map(quoted)
  const rest = all.length - shown.length
  return rest > 0 ? `${shown.join(', ')} (+${rest})` : shown.join(', ')
}

function quoted(name: string): string {
  const cut = Array.from(name).slice(0, CHARACTERS).join('')
  const plain = cut.replaceAll(/[\p{C}\p{Z}`"\\]/gu, sign =>
    sign === ' ' ? ' ' : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  )
  return `"${plain}${cut === name ? '' : '…'}"`
}
