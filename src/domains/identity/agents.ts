// The verbs on registered agents. An agent is an identity, never a process.
import { freeAgentName } from '#contract/agent-names.ts'
import type { Caller } from '#contract/caller.ts'
import type { AgentId } from '#contract/id-types.ts'
import {
  AgentAdded,
  AgentDisabled,
  AgentEdited,
  AgentEnabled,
  AgentToolsetsChanged,
  IdentityError,
  PasskeyRotated,
} from '#contract/identity.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Agent } from './model.ts'
import { AgentStore } from './agent-store.ts'

export type NewAgent = Pick<Agent, 'name' | 'engine' | 'role' | 'systemPrompt' | 'toolsets'> & { id?: AgentId }

export type AgentChanges = { [K in 'name' | 'engine' | 'role' | 'systemPrompt']?: Agent[K] | undefined }

export class Agents {
  readonly #deps: { db: Db; events: EventLog; clock: Clock; ids: Ids }

  constructor(deps: { db: Db; events: EventLog; clock: Clock; ids: Ids }) {
    this.#deps = deps
  }

  async get(id: AgentId): Promise<Agent> {
    const agent = await this.find(id)
    if (!agent) throw IdentityError.AGENT_NOT_FOUND({ agentId: id })
    return agent
  }

  find(id: AgentId): Promise<Agent | undefined> {
    return new AgentStore(this.#deps.db).find(id)
  }

  async enabledAmong(ids: readonly AgentId[]): Promise<Set<AgentId>> {
    return new Set((await new AgentStore(this.#deps.db).enabledAmong(ids)).map(({ id }) => id))
  }

  list(after: string, limit: number): Promise<Agent[]> {
    return new AgentStore(this.#deps.db).list(after, limit)
  }

  idsStartingWith(prefix: string, limit: number): Promise<string[]> {
    return new AgentStore(this.#deps.db).idsStartingWith(prefix, limit)
  }

  count(): Promise<number> {
    return new AgentStore(this.#deps.db).count()
  }

  /** `passkey` is already hashed: hashing is slow on purpose and must not hold the transaction. */
  add(fresh: NewAgent, passkey: string, by: Caller): Promise<Agent> {
    return this.#deps.db.tx(async tx => {
      const store = new AgentStore(tx)
      const { clock, ids, events } = this.#deps
      const id = fresh.id ?? ids.next('agt')
      if (await store.find(id)) throw IdentityError.AGENT_EXISTS({ what: `id ${id}` })
      if (await store.findByName(fresh.name)) throw IdentityError.AGENT_EXISTS({ what: `name ${fresh.name}` })
      const agent: Agent = { ...fresh, id, passkey, enabled: true, createdAt: clock.now() }
      await store.insert(agent)
      await events.publish(tx, AgentAdded, { agentId: id }, by)
      return agent
    })
  }

  /** One like it, with a name of its own. */
  copy(id: AgentId, name: string | undefined, passkey: string, by: Caller): Promise<Agent> {
    return this.#deps.db.tx(async tx => {
      const { engine, role, systemPrompt, toolsets, name: of } = await this.get(id)
      const store = new AgentStore(tx)
      const own = name ?? (await freeAgentName(of, async taken => (await store.findByName(taken)) !== undefined))
      return this.add({ name: own, engine, role, systemPrompt, toolsets }, passkey, by)
    })
  }

  /** What is left out stays as it is. Its passkey and sessions do, too; an instance that runs goes on as it was started. */
  edit(id: AgentId, changes: AgentChanges, by: Caller): Promise<Agent> {
    return this.#deps.db.tx(async tx => {
      const store = new AgentStore(tx)
      const agent = await this.get(id)
      const { name = agent.name, engine = agent.engine } = changes
      const { role = agent.role, systemPrompt = agent.systemPrompt } = changes
      const changed = { ...agent, name, engine, role, systemPrompt }
      const fields = changedFields(agent, changed)
      if (fields.length === 0) return agent
      if (name !== agent.name && (await store.findByName(name)))
        throw IdentityError.AGENT_EXISTS({ what: `name ${name}` })
      await store.save(changed)
      await this.#deps.events.publish(tx, AgentEdited, { agentId: id, fields }, by)
      return changed
    })
  }

  setEnabled(id: AgentId, enabled: boolean, by: Caller): Promise<Agent> {
    return this.#deps.db.tx(async tx => {
      const agent = await this.get(id)
      if (agent.enabled === enabled) return agent
      const changed = { ...agent, enabled }
      await new AgentStore(tx).save(changed)
      await this.#deps.events.publish(tx, enabled ? AgentEnabled : AgentDisabled, { agentId: id }, by)
      return changed
    })
  }

  /** Counts for connections that are opened from now on. */
  setToolsets(id: AgentId, toolsets: Agent['toolsets'], by: Caller): Promise<Agent> {
    return this.#deps.db.tx(async tx => {
      const agent = await this.get(id)
      if (agent.toolsets.join() === toolsets.join()) return agent
      const changed = { ...agent, toolsets }
      await new AgentStore(tx).save(changed)
      await this.#deps.events.publish(tx, AgentToolsetsChanged, { agentId: id, toolsets: [...toolsets] }, by)
      return changed
    })
  }

  rotate(id: AgentId, passkey: string, by: Caller): Promise<Agent> {
    return this.#deps.db.tx(async tx => {
      const changed = { ...(await this.get(id)), passkey }
      const store = new AgentStore(tx)
      await store.save(changed)
      await store.clearFailures(id)
      await this.#deps.events.publish(tx, PasskeyRotated, { agentId: id }, by)
      return changed
    })
  }
}

const WIRE_NAMES = { name: 'name', engine: 'engine', role: 'role', systemPrompt: 'system_prompt' } as const

function changedFields(before: Agent, after: Agent): string[] {
  const names = Object.keys(WIRE_NAMES) as (keyof typeof WIRE_NAMES)[]
  return names.filter(name => before[name] !== after[name]).map(name => WIRE_NAMES[name])
}
