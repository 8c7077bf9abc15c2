import type { z } from 'zod'
import { type Api, api, type Operation } from '#contract/api.ts'
import type { CallerKind } from '#contract/caller.ts'
import { type Call, type Running, type Tool, tool } from './tool.ts'

type In<O extends Operation> = z.output<Api[O]['input']>
type Out<O extends Operation> = z.input<Api[O]['output']>

/** An operation of the HTTP API: a tool for people (or Runners), declared in the contract, on the same road as every other call. */
export function operation<O extends Operation, S, P = undefined>(
  name: O,
  effect: Tool['effect'],
  run: (services: S, input: In<O>, call: Running<P>) => Promise<Out<O>>,
  prepare?: (services: S, input: In<O>, call: Call) => Promise<P>,
  callers: readonly CallerKind[] = ['operator'],
  after?: (services: S, output: z.output<Api[O]['output']>, call: Call) => Promise<Out<O>>,
): Tool<S> {
  const { input, output } = api[name]
  return tool<S, z.ZodObject, z.ZodObject, P>({
    name,
    toolset: 'api',
    title: name,
    description: name,
    effect,
    callers,
    input,
    output,
    run: run as unknown as (services: S, input: unknown, call: Running<P>) => Promise<Record<string, unknown>>,
    ...(prepare && { prepare: prepare as unknown as (services: S, input: unknown, call: Call) => Promise<P> }),
    ...(after && {
      after: after as unknown as (services: S, output: unknown, call: Call) => Promise<Record<string, unknown>>,
    }),
  })
}
