// Whether a function takes time in proportion to its text. No limit in seconds, and no clock: what counts is the processor time
// of this process, compared with that for a quarter of the text. What is quadratic is found long before it gets slow.

/**
 * In characters. What grows with the square of its text takes sixteen times as long at each step, and at the last one some four
 * thousand million steps: no processor does those in the time below.
 */
const SIZES = [4096, 16_384, 65_536]
/** For one text of each function: what a call can hold, such as its stack, ends somewhere. */
const UP_TO_A_MEGABYTE = [262_144, 1_048_576]
/** For a text four times as long; with the square of its length it would be sixteen. */
const MOST = 12
/** Below this a measurement says more about the process than about the function. */
const LEAST_MS = 150
const TRIES = 5

export type TextFunction = (text: string) => unknown
export type Made = (length: number) => string

/** Undefined when it is linear, with `whole` up to a megabyte; else at which size it is not, and how far off. */
export function whyNotLinear(run: TextFunction, make: Made, whole = false): string | undefined {
  let before = { length: 0, ms: Number.POSITIVE_INFINITY }
  for (const length of whole ? [...SIZES, ...UP_TO_A_MEGABYTE] : SIZES) {
    const text = make(length)
    let ms = cost(run, text)
    const isFarOff = () => ms > LEAST_MS && ms > MOST * before.ms
    // Garbage of what ran before may be collected meanwhile, by threads of this process: the best of several counts.
    for (let tries = 1; tries < TRIES && isFarOff(); tries++) ms = Math.min(ms, cost(run, text))
    if (isFarOff())
      return `${before.length} characters took ${before.ms.toFixed(1)} ms, ${length} took ${ms.toFixed(1)} ms`
    before = { length, ms: Math.max(ms, LEAST_MS / MOST) }
  }
  return undefined
}

/** In ms of processor time. A refusal is an answer, too; running out of stack is not. */
function cost(run: TextFunction, text: string): number {
  const before = process.cpuUsage()
  try {
    run(text)
  } catch (error) {
    if (error instanceof RangeError) throw error
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The unit again and again, between two others. */
export function repeated(unit: string, head = '', tail = ''): Made {
  return length => head + unit.repeat(Math.ceil((length - head.length - tail.length) / unit.length)) + tail
}
