// Whether a function takes time in proportion to its text. No limit in seconds: each size is compared with a quarter of it, in
// the same run, and only what stays far off in several tries counts. What is quadratic is found long before it gets slow.

/** In characters; the last is about a megabyte. */
const SIZES = [16_384, 65_536, 262_144]
/** A quarter of the text should take a quarter of the time; with the square of the length it would be a sixteenth. */
const MOST = 9
/** Below this a measurement says nothing about the function. */
const LEAST_MS = 25
const TRIES = 6

export type TextFunction = (text: string) => unknown

/** Undefined when it is linear; else at which size it is not, and how far off. */
export function whyNotLinear(run: TextFunction, make: (length: number) => string): string | undefined {
  let before = { length: 0, ms: Number.POSITIVE_INFINITY }
  for (const length of SIZES) {
    const measure = (size: number) => {
      const text = make(size)
      const from = performance.now()
      attempt(run, text)
      return performance.now() - from
    }
    let ms = measure(length)
    // Something else may have had the processor meanwhile: the best of several counts.
    for (let tries = 1; tries < TRIES && ms > LEAST_MS && ms > MOST * before.ms; tries++)
      ms = Math.min(ms, measure(length))
    if (ms > LEAST_MS && ms > MOST * before.ms)
      return `${before.length} characters took ${before.ms.toFixed(1)} ms, ${length} took ${ms.toFixed(1)} ms`
    before = { length, ms: Math.max(ms, LEAST_MS / MOST) }
  }
  return undefined
}

/** A refusal is an answer, too. */
function attempt(run: TextFunction, text: string): void {
  try {
    run(text)
  } catch {
    // Whatever it says, it has said it in time.
  }
}

export function repeated(unit: string, around: readonly [string, string] = ['', '']): (length: number) => string {
  const [head, tail] = around
  return length => head + unit.repeat(Math.ceil((length - head.length - tail.length) / unit.length)) + tail
}
