// People know agents by their names; the hub answers with ids.
import type { Connection } from './connect.ts'
import type { Context } from './context.ts'
import { listAll } from './list-all.ts'

const LOOKED_AT = 2000

/** Of two with the same name, and of one that is not there any more, the id says which it is. */
export async function agentNames(
  { global }: Pick<Context, 'global'>,
  hub: Connection,
): Promise<(id: string) => string> {
  // For programs, which get ids alone.
  if (global.json === true) return id => id
  const { agents } = await listAll(LOOKED_AT, 'agents', page => hub.call('agent.list', page))
  const names = new Map(agents.map(({ agent_id, name }) => [agent_id as string, name]))
  const counts = new Map<string, number>()
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return id => {
    const name = names.get(id)
    if (name === undefined || name === id) return id
    return counts.get(name) === 1 ? name : `${name} (${id})`
  }
}
