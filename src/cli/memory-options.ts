// Options that several memory commands share.
import type { OptionSpec } from './define.ts'
import { CliError } from './errors.ts'
import { memoryHelp, memoryTexts } from './texts-memory.ts'

export const projectOption: OptionSpec = { flags: '--project <project>', text: memoryHelp.projectOrHere }

export function idOption(flag: string, text: OptionSpec['text']): OptionSpec {
  return { flags: `${flag} <number>`, text, parse: value => number(flag, value) }
}

export function number(flag: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw CliError.USAGE({ text: memoryTexts.idWrong(flag, value) })
  return Number(value)
}

/** For an option that may be given several times. */
export function repeated(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? (before as string[]) : []), value]
}
