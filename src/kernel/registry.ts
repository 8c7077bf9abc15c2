import type { CallerKind } from '#contract/caller.ts'
import { type ListedTool, listed, type Tool, type Toolset } from './tool.ts'

/**
 * Clients ask for the list once, when they connect. One that was started to sign in is shown what it may call then: until it
 * has, calls are refused.
 */
const LISTED_AS: Partial<Record<CallerKind, CallerKind>> = { starter: 'agent' }

/** One tool in the place of two of its name, for whoever has both of these toolsets. */
export type Merge<S> = { readonly toolsets: readonly [Toolset, Toolset]; readonly tool: Tool<S> }

/** All tools, by toolset and by name. Built once; what is listed depends only on toolsets and kind of caller. */
export class Registry<S> {
  readonly #tools: readonly Tool<S>[]
  readonly #byName = new Map<string, Tool<S>[]>()
  readonly #merges: readonly Merge<S>[]
  readonly #lists = new Map<string, ListedTool[]>()
  /** What was found before, by the toolsets of a connection. */
  readonly #found = new WeakMap<readonly Toolset[], Map<string, Tool<S>>>()

  constructor(tools: readonly Tool<S>[], merges: readonly Merge<S>[] = []) {
    this.#tools = tools
    this.#merges = merges
    for (const tool of tools) {
      const name = plain(tool.name)
      const same = this.#byName.get(name) ?? []
      for (const other of same)
        if (!this.#mergeOf(tool, other)) throw new Error(`two tools are named ${tool.name}, and no merge is declared`)
      this.#byName.set(name, [...same, tool])
    }
  }

  /** The same list for every connection with the same toolsets and kind of caller. */
  list(toolsets: readonly Toolset[], caller: CallerKind): ListedTool[] {
    const key = `${caller} ${toolsets.join(' ')}`
    let list = this.#lists.get(key)
    if (!list) {
      const kind = LISTED_AS[caller] ?? caller
      const chosen = this.#tools
        .filter(tool => toolsets.includes(tool.toolset))
        .map(tool => this.find(tool.name, toolsets) ?? tool)
      const offered = [...new Set(chosen)].filter(tool => tool.callers.includes(kind))
      list = offered.map(tool => listed(tool as Tool<never>))
      this.#lists.set(key, list)
    }
    return list
  }

  /** Underscore and hyphen spellings of a name are the same name. Who may call it is decided on the road. */
  find(name: string, toolsets: readonly Toolset[]): Tool<S> | undefined {
    let found = this.#found.get(toolsets)
    if (!found) this.#found.set(toolsets, (found = new Map()))
    const known = found.get(name)
    if (known) return known
    const tool = this.#search(name, toolsets)
    if (tool) found.set(name, tool)
    return tool
  }

  #search(name: string, toolsets: readonly Toolset[]): Tool<S> | undefined {
    const [tool, other] = (this.#byName.get(plain(name)) ?? []).filter(({ toolset }) => toolsets.includes(toolset))
    return tool && other ? this.#mergeOf(tool, other)?.tool : tool
  }

  all(): readonly Tool<S>[] {
    return [...this.#tools, ...this.#merges.map(({ tool }) => tool)]
  }

  #mergeOf(a: Tool<S>, b: Tool<S>): Merge<S> | undefined {
    return this.#merges.find(
      ({ tool, toolsets }) =>
        plain(tool.name) === plain(a.name) &&
        a.toolset !== b.toolset &&
        toolsets.includes(a.toolset) &&
        toolsets.includes(b.toolset),
    )
  }
}

function plain(name: string): string {
  return name.replaceAll('-', '_')
}
