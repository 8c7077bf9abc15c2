import { z } from 'zod'
import { GIVEN_TOOLSETS, type GivenToolset } from '#contract/toolsets.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import { operation } from '#kernel/operation.ts'
import type { Agents } from './agents.ts'
import { hashPasskey } from './passkeys.ts'
import type { Memberships } from './ports.ts'
import { agentRecord, fullAgent } from './views.ts'

type Services = { agents: Agents; projects: Memberships; secrets: { passkey(): string } }

/** A fresh passkey and its hash, made before the transaction. */
async function freshPasskey({ secrets }: Services): Promise<{ passkey: string; hash: string }> {
  const passkey = secrets.passkey()
  return { passkey, hash: await hashPasskey(passkey) }
}

export const agentOperations = [
  operation({
    name: 'agent.add',
    effect: 'write',
    prepare: freshPasskey,
    async run({ agents }: Services, input, call) {
      const fresh = {
        ...(input.id !== undefined && { id: input.id }),
        name: input.name,
        engine: input.engine,
        role: input.role ?? '',
        systemPrompt: input.system_prompt ?? '',
        toolsets: inOrder(input.toolsets),
      }
      const agent = await agents.add(fresh, call.prepared.hash, call.caller)
      return { ...fullAgent(agent), passkey: call.prepared.passkey }
    },
  }),
  operation({
    name: 'agent.edit',
    effect: 'write',
    async run({ agents }: Services, input, call) {
      const { agent_id: id, name, engine, role, system_prompt: systemPrompt } = input
      const agent = await agents.edit(id, { name, engine, role, systemPrompt }, call.caller)
      return { ...fullAgent(agent), system_prompt: agent.systemPrompt }
    },
  }),
  operation({
    name: 'agent.list',
    effect: 'read',
    async run({ agents }: Services, input) {
      const limit = limitOf(input.limit)
      const rows = await agents.list(readCursor(input.cursor, z.string()) ?? '', limit + 1)
      const { items, ...page } = pageOf(rows, limit, fullAgent, agent => agent.id)
      return { agents: items, ...page }
    },
  }),
  operation({
    name: 'agent.show',
    effect: 'read',
    async run({ agents, projects }: Services, input) {
      const agent = await agents.get(input.agent_id)
      const project_ids = await projects.projectsOf(agent.id)
      return { ...fullAgent(agent), system_prompt: agent.systemPrompt, project_ids }
    },
  }),
  operation({
    name: 'agent.disable',
    effect: 'write',
    run: async ({ agents }: Services, input, call) =>
      agentRecord(await agents.setEnabled(input.agent_id, false, call.caller)),
  }),
  operation({
    name: 'agent.enable',
    effect: 'write',
    run: async ({ agents }: Services, input, call) =>
      agentRecord(await agents.setEnabled(input.agent_id, true, call.caller)),
  }),
  operation({
    name: 'agent.toolsets',
    effect: 'write',
    run: async ({ agents }: Services, input, call) =>
      fullAgent(await agents.setToolsets(input.agent_id, inOrder(input.toolsets), call.caller)),
  }),
  operation({
    name: 'agent.rotate',
    effect: 'write',
    prepare: freshPasskey,
    async run({ agents }: Services, input, call) {
      const agent = await agents.rotate(input.agent_id, call.prepared.hash, call.caller)
      return { ...agentRecord(agent), passkey: call.prepared.passkey }
    },
  }),
]

/** Each once, whatever was given. */
function inOrder(given: readonly GivenToolset[] = []): GivenToolset[] {
  return GIVEN_TOOLSETS.filter(name => given.includes(name))
}
