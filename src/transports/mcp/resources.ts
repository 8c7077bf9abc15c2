// The resources and prompts of a connection that has them: reading one is a call like any other.
import { type McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import { type Lang, quoted } from '#contract/errors.ts'
import type { Outcome } from '#kernel/invoke.ts'
import type { Prompt, Resource } from '#kernel/resource.ts'
import type { Tool } from '#kernel/tool.ts'
import { retry } from '../errors.ts'
import type { Hub } from '../hub.ts'
import { INTERNAL_ERROR, INVALID_PARAMS } from '../json-rpc.ts'
import { Watched } from './watched.ts'

type Invoke<S> = (tool: Tool<S>, args: unknown, context: ServerContext) => Promise<Outcome>

/** Answers what the connection watches. */
export function serveResources<S>({ server }: McpServer, hub: Hub<S>, invoke: Invoke<S>, lang: Lang): Watched {
  const subscribed = new Watched()
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: hub.resources.map(resource => ({
      uriTemplate: `${resource.scheme}://{${resource.parameter}}`,
      name: resource.name,
      title: resource.title,
      description: resource.description,
      mimeType: 'application/json',
    })),
  }))
  server.setRequestHandler('resources/read', async (request, context) => {
    const { uri } = request.params
    const { resource, id } = findResource(hub.resources, uri)
    const output = valueOf(await invoke(resource.tool, resource.args(id), context), lang)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(resource.value(output)) }] }
  })
  server.setRequestHandler('resources/subscribe', async (request, context) => {
    const { uri } = request.params
    const { resource, id } = findResource(hub.resources, uri)
    // A caller that may not read it may not watch it either.
    valueOf(await invoke(resource.tool, resource.args(id), context), lang)
    subscribed.add(await namedById(hub, resource, id), uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', request => {
    subscribed.delete(request.params.uri)
    return {}
  })

  server.setRequestHandler('prompts/list', () => ({
    prompts: hub.prompts.map(prompt => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: prompt.arguments.map(({ name, description }) => ({ name, description, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', async (request, context) => {
    const prompt = findPrompt(hub.prompts, request.params.name)
    const output = valueOf(await invoke(prompt.tool, request.params.arguments ?? {}, context), lang)
    const text = String(output['text'])
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  server.setRequestHandler('completion/complete', async (request, context) => {
    const { ref, argument } = request.params
    const complete = completer(hub, ref, argument.name)
    if (!complete) return { completion: { values: [] } }
    const output = valueOf(await invoke(complete, { prefix: argument.value }, context), lang)
    return { completion: { values: output['values'] as string[] } }
  })
  return subscribed
}

/** The address as events have it: with the id, also where a short name was given. */
async function namedById<S>(hub: Hub<S>, resource: Resource<S>, id: string): Promise<string> {
  const given = resource.args(id)
  const meant = await hub.invoker.withIds(resource.tool, given)
  const field = Object.keys(given).find(name => given[name] === id)
  return `${resource.scheme}://${field === undefined ? id : String(meant[field])}`
}

/** Resources and prompts have no error result of their own: a refusal is a protocol error that carries our code. */
function valueOf(outcome: Outcome, lang: Lang): Record<string, unknown> {
  if (outcome.ok) return outcome.value as Record<string, unknown>
  const { error } = outcome
  const isOurs = error.kind === 'internal' || error.kind === 'unavailable' || error.kind === 'limit'
  const data = { code: error.code, ...retry(error) }
  throw new ProtocolError(isOurs ? INTERNAL_ERROR : INVALID_PARAMS, error.text[lang], data)
}

function findResource<S>(resources: readonly Resource<S>[], uri: string): { resource: Resource<S>; id: string } {
  const [, scheme, id] = /^([a-z]+):\/\/([^/?#]+)$/.exec(uri) ?? []
  const resource = resources.find(candidate => candidate.scheme === scheme)
  if (!resource || id === undefined) {
    const shown = quoted(uri)
    throw new ProtocolError(INVALID_PARAMS, `Resource not found: ${shown}`, { uri: shown })
  }
  return { resource, id: decode(id) }
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    // A stray percent sign: taken as it stands, it names nothing.
    return id
  }
}

function findPrompt<S>(prompts: readonly Prompt<S>[], name: string): Prompt<S> {
  const prompt = prompts.find(candidate => candidate.name === name)
  if (!prompt) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${quoted(name)}`)
  return prompt
}

type CompletionRef = { type: string; name?: string; uri?: string }

function completer<S>(hub: Hub<S>, ref: CompletionRef, argument: string): Tool<S> | undefined {
  if (ref.type !== 'ref/prompt') return undefined
  return findPrompt(hub.prompts, ref.name ?? '').arguments.find(({ name }) => name === argument)?.complete
}
