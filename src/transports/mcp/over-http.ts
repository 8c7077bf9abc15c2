import type { Caller } from '#contract/caller.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Hub } from '../hub.ts'
import type { Streamable } from './streamable.ts'

/** MCP over HTTP. With the first request for it comes the SDK, which bridges need for little, and most of them never. */
export class McpOverHttp<S> {
  readonly #load: () => Promise<Streamable<S>>
  #loading: Promise<Streamable<S>> | undefined
  #loaded: Streamable<S> | undefined

  constructor(hub: Hub<S>, clock: Clock) {
    this.#load = async () => (this.#loaded = new (await import('./streamable.ts')).Streamable(hub, clock))
  }

  get size(): number {
    return this.#loaded?.size ?? 0
  }

  async handle(request: Request, credential: string, caller: Caller): Promise<Response> {
    this.#loading ??= this.#load()
    return (await this.#loading).handle(request, credential, caller)
  }

  touched(uri: string): void {
    this.#loaded?.touched(uri)
  }

  secrets(): string[] {
    return this.#loaded?.secrets() ?? []
  }

  async dispose(): Promise<void> {
    await (await this.#loading)?.dispose()
  }
}
