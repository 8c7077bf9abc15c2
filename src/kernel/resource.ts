import type { Tool } from './tool.ts'

/** A thing that clients read by its URI `<scheme>://<id>`. Reading it is a call like any other. */
export type Resource<S> = {
  readonly scheme: string
  readonly parameter: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly tool: Tool<S>
  args(id: string): Record<string, unknown>
  /** What of the tool's answer is the resource. */
  value(output: Record<string, unknown>): unknown
}

/** A text that people ask their client for. The tool writes it, as `{ text }`. */
export type Prompt<S> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument<S>[]
  readonly tool: Tool<S>
}

export type PromptArgument<S> = {
  readonly name: string
  readonly description: string
  /** Answers `{ values }` for what was typed so far. */
  readonly complete: Tool<S>
}
