// The checks that a repository names in .toryo/config.json. It is text; nothing of it runs before a person has trusted it.
import { ConfigError, parseConfig } from '#kernel/config.ts'
import { readInside } from '#kernel/git/inside.ts'
import type { Check } from './model.ts'

const TEXT_BYTES = 256 * 1024

export async function proposedChecks(directory: string): Promise<Check[]> {
  const text = await readInside(directory, '.toryo/config.json', TEXT_BYTES)
  if (text === undefined) return []
  try {
    const { checks } = parseConfig(text.replace(/^\uFEFF/, ''), '.toryo/config.json')
    return Object.entries(checks).map(([name, check]) => ({ name, ...check, source: 'repository' as const }))
  } catch (error) {
    if (error instanceof ConfigError) return [] // The reader of the rest of the file reports what is wrong with it.
    throw error
  }
}
