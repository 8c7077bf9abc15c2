import type { CallerKind } from '#contract/caller.ts'
import { type ListedTool, listed, type Tool, type Toolset, type Work } from './tool.ts'

/**
 * Clients ask for the list once, when they connect. One that was started to sign in is shown what it may call then: until it
 * has, calls are refused.
 */
const LISTED_AS: Partial<Record<CallerKind, CallerKind>> = { starter: 'agent' }

/** One tool in the place of two of its name, for whoever has both of these toolsets. */
export type Merge<S> = { readonly toolsets: readonly [Toolset, Toolset]; readonly tool: Tool<S> }

/** What a connection can choose from: whole toolsets, and the tools of the work that its program was started for. */
export type Offer = {
  readonly toolsets: readonly Toolset[]
  readonly work?: Work
  /** Of all that, only what belongs to these. */
  readonly within?: readonly Toolset[]
}

/** All tools, by toolset and by name. Built once; what is listed depends only on the offer and the kind of caller. */
export class Registry<S> {
  readonly #tools: readonly Tool<S>[]
  readonly #byName = new Map<string, Tool<S>[]>()
  readonly #merges: readonly Merge<S>[]
  readonly #lists = new Map<string, ListedTool[]>()
  readonly #listed = new Map<Tool<S>, ListedTool>()
  /** What was found before, by the offer of a connection. */
  readonly #found = new WeakMap<Offer, Map<string, Tool<S>>>()

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

  /** The same list for every connection with the same offer and kind of caller. */
  list(offer: Offer, caller: CallerKind): ListedTool[] {
    const { toolsets, work = '', within = [] } = offer
    const key = [caller, work, toolsets.join(' '), within.join(' ')].join()
    let list = this.#lists.get(key)
    if (!list) {
      const kind = LISTED_AS[caller] ?? caller
      list = this.offered(offer)
        .filter(tool => tool.callers.includes(kind))
        .map(tool => this.#asListed(tool))
      this.#lists.set(key, list)
    }
    return list
  }

  /** All that a connection can call by name, whoever is at its other end. */
  offered(offer: Offer): Tool<S>[] {
    const chosen = this.#tools.filter(tool => isIn(tool, offer)).map(tool => this.find(tool.name, offer) ?? tool)
    return [...new Set(chosen)]
  }

  /** Underscore and hyphen spellings of a name are the same name. Who may call it is decided on the road. */
  find(name: string, offer: Offer): Tool<S> | undefined {
    let found = this.#found.get(offer)
    if (!found) this.#found.set(offer, (found = new Map()))
    const known = found.get(name)
    if (known) return known
    const tool = this.#search(name, offer)
    if (tool) found.set(name, tool)
    return tool
  }

  /** Whether some connection has a tool of this name, as it is listed. */
  knows(name: string): boolean {
    return this.#byName.get(plain(name))?.some(tool => tool.name === name && tool.toolset !== 'api') ?? false
  }

  #search(name: string, offer: Offer): Tool<S> | undefined {
    const [tool, other] = (this.#byName.get(plain(name)) ?? []).filter(one => isIn(one, offer))
    return tool && other ? this.#mergeOf(tool, other)?.tool : tool
  }

  #asListed(tool: Tool<S>): ListedTool {
    let known = this.#listed.get(tool)
    if (!known) this.#listed.set(tool, (known = listed(tool)))
    return known
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

function isIn<S>({ toolset, offeredTo }: Tool<S>, { toolsets, work, within }: Offer): boolean {
  if (within && !within.includes(toolset)) return false
  return toolsets.includes(toolset) || (work !== undefined && offeredTo?.includes(work) === true)
}

function plain(name: string): string {
  return name.replaceAll('-', '_')
}
