// A line for the person who waits. People wonder after a second; before that, it would only flicker.
import type { Text } from '#contract/errors.ts'
import type { Context } from './context.ts'

const PATIENCE_MS = 1000

/** On stderr, once, when the work takes longer than that; never beside `--json`. */
export async function slowly<T>(
  { io, global }: Pick<Context, 'io' | 'global'>,
  text: Text,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => {
    if (!global.json) io.stderr.write(`${io.say(text)}\n`)
  }, PATIENCE_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
