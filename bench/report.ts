import { cpus } from 'node:os'

/** One line of a report. Without a limit it is for information only. */
export type Figure = { what: string; value: string; gate: string; pass?: boolean }

export function figure(what: string, value: number, unit: string): Figure {
  return { what, value: `${format(value)}${unit}`, gate: '' }
}

export function atMost(what: string, value: number, limit: number, unit: string): Figure {
  return { what, value: `${format(value)}${unit}`, gate: `≤ ${format(limit)}${unit}`, pass: value <= limit }
}

export function atLeast(what: string, value: number, limit: number, unit: string): Figure {
  return { what, value: `${format(value)}${unit}`, gate: `≥ ${format(limit)}${unit}`, pass: value >= limit }
}

/** Prints the table (markdown, as bench/README.md has it) and fails the program when a gate is not met. */
export function report(title: string, figures: readonly Figure[]): void {
  const [cpu] = cpus()
  console.log(`\n## ${title}\n\n${cpus().length} × ${cpu?.model.trim()}, Node ${process.versions.node}\n`)
  console.log('| what | measured | gate | |\n|---|---|---|---|')
  for (const { what, value, gate, pass } of figures)
    console.log(`| ${what} | ${value} | ${gate || '–'} | ${pass === undefined ? '' : pass ? 'pass' : '**FAIL**'} |`)
  if (figures.some(({ pass }) => pass === false)) process.exitCode = 1
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

/** How long each of so many takes, one after another, in milliseconds. */
export async function timeEach(count: number, act: (index: number) => unknown): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const before = performance.now()
    await act(index)
    times.push(performance.now() - before)
  }
  return times
}

function format(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
