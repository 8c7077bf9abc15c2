// The name of a person: one line of text that can be seen, whatever was sent.
import { showHidden } from './hidden-text.ts'
import { withoutSecrets } from './secrets.ts'

const PERSON_CHARS = 100
/** More is not looked at: nothing of it would be kept. */
const LOOKED_AT = 1000

/** Undefined when nothing is left that could be seen. */
export function personIn(text: string): string | undefined {
  const seen = showHidden(wellFormed(text.slice(0, LOOKED_AT)), () => ' ')
  const line = withoutSecrets(seen).replace(/\s+/g, ' ').trim()
  return Array.from(line).slice(0, PERSON_CHARS).join('').trimEnd() || undefined
}

/** As it travels in a header. */
export function personHeader(person: string): string {
  return encodeURIComponent(wellFormed(person))
}

export function personFromHeader(header: string): string | undefined {
  try {
    return personIn(decodeURIComponent(header))
  } catch {
    // A stray percent sign: taken as it stands.
    return personIn(header)
  }
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
