import type { z } from 'zod'
import { type Api, api, type Operation } from '#contract/api.ts'
import type { CallerKind } from '#contract/caller.ts'
import { type Call, type Running, type Tool, tool } from './tool.ts'

type In<O extends Operation> = z.output<Api[O]['input']>
type Out<O extends Operation> = z.input<Api[O]['output']>

type Definition<O extends Operation, S, P> = {
  readonly name: O
  readonly effect: Tool['effect']
  /** Default: the operator alone. */
  readonly callers?: readonly CallerKind[]
  readonly prepare?: (services: S, input: In<O>, call: Call) => Promise<P>
  readonly run: (services: S, input: In<O>, call: Running<P>) => Promise<Out<O>>
  readonly after?: (services: S, output: z.output<Api[O]['output']>, call: Call) => Promise<Out<O>>
}

const OPERATOR: readonly CallerKind[] = ['operator']

/** An operation of the HTTP API: a tool for people and for our own programs, declared in the contract, on the same road as every other call. */
export function operation<O extends Operation, S, P = undefined>(definition: Definition<O, S, P>): Tool<S> {
  const { name, callers = OPERATOR } = definition
  const { input, output } = api[name]
  // The contract's own schemas: TypeScript cannot see that those of one name belong together.
  const own = definition as unknown as Omit<Tool<S, z.ZodObject, z.ZodObject, P>, 'callers'>
  return tool<S, z.ZodObject, z.ZodObject, P>({
    ...own,
    toolset: 'api',
    title: name,
    description: name,
    callers,
    input,
    output,
  })
}
