import { type CallerKind, SIGNS_IN_AS } from '#contract/caller.ts'
import type { Work } from '#contract/toolsets.ts'
import { formsOf, type ListedTool, listed, type Tool, type Toolset } from './tool.ts'

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
  readonly #byName = new Map<string, Tool<S>>()
  readonly #lists = new Map<string, ListedTool[]>()
  readonly #listed = new Map<Tool<S>, ListedTool>()
  readonly #schemas = new Map<Tool<S>, string>()
  /** What was found before, by the offer of a connection. */
  readonly #found = new WeakMap<Offer, Map<string, Tool<S>>>()

  /** `schemas`: the input schema of each tool in each of its forms, as JSON, where the build has made them. */
  constructor(tools: readonly Tool<S>[], schemas: readonly string[] = []) {
    this.#tools = tools
    const forms = schemas.length > 0 ? tools.flatMap(formsOf) : []
    for (const [index, schema] of schemas.entries()) this.#schemas.set(forms[index] as Tool<S>, schema)
    for (const tool of tools) {
      const name = plain(tool.name)
      if (this.#byName.has(name)) throw new Error(`two tools are named ${tool.name}`)
      this.#byName.set(name, tool)
    }
  }

  /** The same list for every connection with the same offer and kind of caller. */
  list(offer: Offer, caller: CallerKind): ListedTool[] {
    const { toolsets, work = '', within = [] } = offer
    const key = [caller, work, toolsets.join(' '), within.join(' ')].join()
    let list = this.#lists.get(key)
    if (!list) {
      // Clients ask for the list once, when they connect: one that will sign in is shown what it may call then.
      const kind = SIGNS_IN_AS[caller] ?? caller
      list = this.offered(offer)
        .filter(tool => tool.callers.includes(kind))
        .map(tool => this.#asListed(tool))
      this.#lists.set(key, list)
    }
    return list
  }

  /** All that a connection can call by name, whatever its caller may do. */
  offered(offer: Offer): Tool<S>[] {
    return this.#tools.flatMap(tool => formFor(tool, offer) ?? [])
  }

  /** Underscore and hyphen spellings of a name are the same name. invoke() decides who may call it. */
  find(name: string, offer: Offer): Tool<S> | undefined {
    let found = this.#found.get(offer)
    if (!found) this.#found.set(offer, (found = new Map()))
    const known = found.get(name)
    if (known) return known
    const one = this.#byName.get(plain(name))
    const tool = one && formFor(one, offer)
    if (tool) found.set(name, tool)
    return tool
  }

  /** Whether some connection has a tool of this name, as it is listed. */
  knows(name: string): boolean {
    const tool = this.#byName.get(plain(name))
    return tool?.name === name && tool.toolset !== 'api'
  }

  #asListed(tool: Tool<S>): ListedTool {
    let known = this.#listed.get(tool)
    if (!known) this.#listed.set(tool, (known = listed(tool, this.#schemas.get(tool))))
    return known
  }

  /** Every tool, in each of its forms. */
  all(): readonly Tool<S>[] {
    return this.#tools.flatMap(formsOf)
  }
}

/** The tool as a connection with this offer has it; undefined: it does not. */
function formFor<S>(tool: Tool<S>, offer: Offer): Tool<S> | undefined {
  const own = isIn(tool, offer)
  const has = (toolset: Toolset) => (toolset === tool.toolset ? own : isIn({ toolset }, offer))
  return tool.also?.findLast(({ toolsets }) => toolsets.every(has))?.tool ?? (own ? tool : undefined)
}

function isIn({ toolset, offeredTo }: Pick<Tool, 'toolset' | 'offeredTo'>, { toolsets, work, within }: Offer): boolean {
  if (within && !within.includes(toolset)) return false
  return toolsets.includes(toolset) || (work !== undefined && offeredTo?.includes(work) === true)
}

function plain(name: string): string {
  return name.replaceAll('-', '_')
}
