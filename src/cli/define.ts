// What a command is: data, and one function. program.ts makes it callable; nothing here is loaded before its command is named.
import type { Text } from '#contract/errors.ts'
import type { Context } from './context.ts'

export type OptionSpec = {
  readonly flags: string
  readonly text: Text
  readonly choices?: readonly string[]
  readonly default?: string | number | boolean
  readonly required?: boolean
  /** For shell completion. */
  readonly takes?: 'file' | 'folder'
  /** Throws a HubError of kind `invalid` for a value that cannot be. `before` is what the option gave when it was met before. */
  readonly parse?: (value: string, before: unknown) => unknown
}

export type ArgumentSpec = {
  /** `<name>` or `[name]`. */
  readonly name: string
  readonly text: Text
  readonly choices?: readonly string[]
  readonly takes?: 'file' | 'folder'
}

/** What a command has to say: one JSON document with `--json`, else text for people. */
export type Answer = {
  readonly json: unknown
  /** A function when it is laid out in columns: it is called once widths can be measured. */
  readonly text: string | (() => string)
  /** For people only, on stderr. */
  readonly note?: string
  readonly code?: number
}

type Parts<A extends (string | undefined)[], O extends object> = {
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: readonly OptionSpec[]
  /** Command lines with what they do. */
  readonly examples?: readonly (readonly [line: string, does: Text])[]
  /** More than the summary says. */
  readonly about?: Text
  /** An exit code, when it has written its output itself. */
  run(cx: Context, options: O, ...args: A): Promise<Answer | number>
}

export type CommandSpec = Parts<(string | undefined)[], object>

/** The arguments and options arrive as `arguments` and `options` declare them; commander has checked that. */
export function command<A extends (string | undefined)[] = [], O extends object = object>(
  parts: Parts<A, O>,
): CommandSpec {
  return parts
}
