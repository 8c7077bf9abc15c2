import { z } from 'zod'
import { CrewId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import type { Crews } from '../crews.ts'

export default tool({
  name: 'delete_group',
  toolset: 'crews',
  title: 'Delete a group',
  description: 'Delete a group whose agents have all ended. What they reported can still be read.',
  effect: 'destroy',
  idempotent: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ groupId: CrewId }),
  output: z.object({ deleted: z.literal(true), groupId: z.string() }),
  async run({ crews }: { crews: Crews }, { groupId }, { caller }) {
    await crews.delete(groupId, caller)
    return { deleted: true as const, groupId }
  },
})
