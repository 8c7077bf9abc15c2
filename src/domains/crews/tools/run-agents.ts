import { z } from 'zod'
import { tool } from '#kernel/tool.ts'
import { askedRun, startedRun } from '../fields.ts'
import type { Runs } from '../ports.ts'
import type { Crews } from '../service.ts'
import type { Spec, Specs } from '../specs.ts'
import type { Wake } from '../wake.ts'

export default tool({
  name: 'run_agents',
  toolset: 'crews',
  title: 'Start agents',
  description: 'Start one or more agents side by side in a group. Returns at once; call wait_agent to wait for them.',
  effect: 'write',
  openWorld: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ groupId: z.string(), agents: z.array(askedRun).max(1000) }),
  output: z.object({ agents: z.array(startedRun), total: z.int() }),
  prepare: ({ specs }: { specs: Specs; crews: Crews; members: Runs; launching: Wake }, input, call): Promise<Spec[]> =>
    specs.of(input.agents, call),
  async run({ crews, members, launching }, input, call) {
    const { caller: by, connection, prepared } = call
    const ids = await crews.start(input.groupId, prepared, { by, opener: connection?.opener ?? by })
    call.afterCommit(() => launching.wake())
    const agents = await members.states(ids)
    return { agents, total: agents.length }
  },
})
