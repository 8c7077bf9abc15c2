// Options that several programs share.
import { randomUUID } from 'node:crypto'
import type { EngineRequest, Invocation } from './engine.ts'

/** An option with its value; nothing where there is no value. */
export function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value]
}

export function modelAndSession({ model, session }: EngineRequest): string[] {
  return [...option('--model', model), ...option('--resume', session)]
}

/** In a terminal, for programs that let us name the session: it can be found again although nothing reads their output. */
export function withSessionId({ args, env }: Invocation, { session }: EngineRequest): Invocation {
  if (session !== undefined) return { args, env, session }
  const chosen = randomUUID()
  return { args: [...args, '--session-id', chosen], env, session: chosen }
}
