import { CoreError, type HubError } from '#contract/errors.ts'
import { JSON_DEPTH, JSON_KEYS } from '#contract/limits.ts'

/** Refuses what one of the two databases, or a reader further on, could not hold: NUL, half characters, bottomless JSON. */
export function refusePortability(value: unknown): HubError | undefined {
  return weigh(value).problem
}

/** The same, and how many bytes of text there are: a pass over every string can count them, too. */
export function weigh(value: unknown): { problem: HubError | undefined; bytes: number } {
  let keys = 0
  let bytes = 0
  const problem = (node: unknown, depth: number): HubError | undefined => {
    if (typeof node === 'string') {
      bytes += Buffer.byteLength(node)
      return textProblem(node)
    }
    if (node === null || typeof node !== 'object') return undefined
    if (depth > JSON_DEPTH)
      return invalid(
        `Arguments are nested deeper than ${JSON_DEPTH} levels.`,
        `引数の入れ子が ${JSON_DEPTH} 段を超えています。`,
      )
    for (const key of Object.keys(node)) {
      const child = (node as Record<string, unknown>)[key]
      if (++keys > JSON_KEYS)
        return invalid(`Arguments have more than ${JSON_KEYS} entries.`, `引数の項目が ${JSON_KEYS} 個を超えています。`)
      const found = textProblem(key) ?? problem(child, depth + 1)
      if (found) return found
    }
    return undefined
  }
  // In this order: the bytes are counted on the way.
  const found = problem(value, 1)
  return { problem: found, bytes }
}

function textProblem(text: string): HubError | undefined {
  if (text.includes('\0')) return invalid('Text must not contain NUL characters.', '文字列に NUL 文字は使えません。')
  if (!text.isWellFormed())
    return invalid('Text contains half of a surrogate pair.', '文字列に不完全なサロゲートペアが含まれています。')
  return undefined
}

function invalid(en: string, ja: string): HubError {
  return CoreError.INVALID_ARGUMENT({ reason: { en, ja } })
}
