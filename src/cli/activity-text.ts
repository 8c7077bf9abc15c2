// What a run wrote, for people: what it says as it is, each call in one line, results cut.
import { withoutSecrets } from '#contract/secrets.ts'
import { activityOf, type Activity } from '#engines/activity.ts'
import { BUILT_IN } from '#engines/built-in.gen.ts'
import type { BuiltInEngine } from '#engines/engine.ts'
import type { Reader } from '#engines/reader.ts'
import { visible, visibleLine } from './escape.ts'
import type { Io } from './io.ts'
import { cut } from './width.ts'

const RESULT_LINES = 3

/** One line of output in, what people read of it out. */
export class ActivityText {
  readonly #io: Pick<Io, 'colors' | 'width'>
  readonly #reader: Reader | undefined
  /** Where it works: paths there are shown from here on. */
  readonly #folder: string | null
  #isSpeaking = false
  #said = ''

  /** `engine`: as the run has it; one of the configuration is read as the program whose form it writes, where that is known. */
  constructor(engine: string | null, io: Pick<Io, 'colors' | 'width'>, folder: string | null) {
    this.#io = io
    this.#folder = folder
    this.#reader = BUILT_IN.find(({ id }) => id === engine)?.reader()
  }

  /** Undefined where the form of the output is not known: then it is shown as it is. */
  static of(
    engine: string | null,
    firstLine: string,
    io: Pick<Io, 'colors' | 'width'>,
    folder: string | null = null,
  ): ActivityText | undefined {
    const isKnown = (one: BuiltInEngine) => one.id === engine
    const isLike = (one: BuiltInEngine) => one.outputBegins?.test(firstLine) === true
    const known = BUILT_IN.find(isKnown) ?? BUILT_IN.find(isLike)
    return known && new ActivityText(known.id, io, folder)
  }

  lines(line: string): string[] {
    const facts = this.#reader?.push(Buffer.from(`${line}\n`)) ?? []
    if (facts.length === 0 && line.trim() !== '' && !/^\s*[{[]/.test(line)) return [asWritten(line)]
    return facts.flatMap(fact => {
      const seen = activityOf(fact, this.#folder)
      return seen ? this.#shown(seen) : []
    })
  }

  #shown({ kind, text, more }: Activity): string[] {
    const { colors } = this.#io
    const width = this.#io.width ?? 200
    const isFirst = !(more && this.#isSpeaking)
    this.#isSpeaking = kind === 'says'
    switch (kind) {
      case 'says':
        // Some programs repeat their last words in the line that ends the run.
        if (isFirst && text.trim() === this.#said) return []
        this.#said = isFirst ? text.trim() : ''
        return visible(text.trimEnd())
          .split('\n')
          .map((line, at) => (isFirst && at === 0 ? colors.bold('● ') : '  ') + line)
      case 'does':
        return [colors.cyan(cut(`→ ${visibleLine(text)}`, width))]
      case 'trouble':
        return [colors.red(cut(`! ${visibleLine(text)}`, width))]
      default: {
        const all = visible(text.trim()).split('\n')
        const shown = all.slice(0, RESULT_LINES).map(line => cut(`    ${line}`, width))
        const rest = all.length > RESULT_LINES ? [`    … +${all.length - RESULT_LINES}`] : []
        return [...shown, ...rest].map(line => (kind === 'failed' ? colors.red(line) : colors.dim(line)))
      }
    }
  }
}

/** A line that is shown as it is, but for credentials and escape sequences. */
export function asWritten(line: string): string {
  return visible(withoutSecrets(line))
}
