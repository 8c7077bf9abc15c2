import { z } from 'zod'
import { RoleView } from '#contract/crews.ts'
import { tool } from '#kernel/tool.ts'
import { roleView, type Roles } from '../roles.ts'

export default tool({
  name: 'list_roles',
  toolset: 'crews',
  title: 'List roles',
  description: 'List the roles that agents can be started in, whether each is available, and why not.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({}),
  output: z.object({ roles: z.array(RoleView) }),
  async run({ roles }: { roles: Roles }) {
    return { roles: (await roles.list()).map(roleView) }
  },
})
