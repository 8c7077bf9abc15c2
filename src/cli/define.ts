// What a command is: data, and one function. program.ts makes it callable; nothing here is loaded before its command is named.
import type { Operation } from '#contract/api.ts'
import type { Text } from '#contract/errors.ts'
import type { Context } from './context.ts'
import type { own } from './outputs.ts'
import type { GROUPS } from './words.ts'

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

type Output = Operation | keyof typeof own

type Parts<A extends (string | undefined)[], O extends object> = {
  /** One line in the list of commands. `npm run gen` copies it into the catalogue, so that help loads no command. */
  readonly summary: Text
  /** The first line of its help: when one would use it. At most 80 columns. A test asks for it. */
  readonly when?: Text
  /** Under which title it is listed; only of a command of one word. */
  readonly group?: keyof typeof GROUPS
  /** Its place among its neighbours in the help. */
  readonly order: number
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: readonly OptionSpec[]
  /** Command lines with what they do. */
  readonly examples?: readonly (readonly [line: string, does: Text])[]
  /** More than the summary says. */
  readonly about?: Text
  /**
   * What `--json` prints: the answer of an operation, or a form in outputs.ts; one of several where options decide. Null: the
   * command has no JSON output.
   */
  readonly output?: Output | readonly Output[] | null
  /** An exit code, when it has written its output itself. */
  run(cx: Context, options: O, ...args: A): Promise<Answer | number>
}

export type CommandSpec = Parts<(string | undefined)[], object>

/** What is known of a command before its file is loaded. */
export type Entry = {
  readonly path: string
  readonly summary: Text
  readonly group?: keyof typeof GROUPS
  /** Of a word that only holds others: when one would use them. */
  readonly when?: Text
  /** Missing for such a word. */
  readonly load?: () => Promise<{ default: CommandSpec }>
}

/** The arguments and options arrive as `arguments` and `options` declare them; commander has checked that. */
export function command<A extends (string | undefined)[] = [], O extends object = object>(
  parts: Parts<A, O>,
): CommandSpec {
  return parts
}
