// What became of the engines' config files, for people and as data.
import path from 'node:path'
import { HubError, type Text } from '#contract/errors.ts'
import { Unusable } from '#registration/format.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { Context } from './context.ts'
import type { Answer } from './define.ts'
import { CliError, EXIT } from './errors.ts'
import { visible } from './escape.ts'

/** dist/bridge.js, beside the hub. */
export function bridgeProgram({ hubProgram }: Context): string {
  return path.join(path.dirname(hubProgram), 'bridge.js')
}

export function registrationAnswer({ io }: Context, outcomes: readonly Outcome[], nothing: Text): Answer {
  const shown = outcomes.filter(({ state }) => state !== 'absent')
  const lines = shown.map(({ warning, text, diff }) => {
    const mark = warning ? io.colors.yellow('!') : io.colors.green('✓')
    return `${mark} ${visible(io.say(text))}${diff === undefined ? '' : `\n${visible(diff)}\n`}`
  })
  return {
    json: {
      files: outcomes.map(({ engine, file, state, warning, text, diff }) => ({
        engine,
        file,
        state,
        warning,
        message: io.say(text),
        ...(diff === undefined ? {} : { diff }),
      })),
    },
    text: lines.length > 0 ? lines.join('\n') : io.say(nothing),
    code: outcomes.some(({ state }) => state === 'skipped' || state === 'held') ? EXIT.failed : EXIT.done,
  }
}

/** A refusal of the whole, as the CLI's own. */
export function asRefusal(cause: unknown): unknown {
  return cause instanceof Unusable && !(cause instanceof HubError)
    ? CliError.FAILED({ text: cause.text }, cause)
    : cause
}
