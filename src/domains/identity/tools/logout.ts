import { z } from 'zod'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Identity } from '../service.ts'

export default tool({
  name: 'logout',
  toolset: 'agent',
  title: 'Sign out',
  description: 'End the session without a report. Use report_completed instead when the task is finished.',
  effect: 'write',
  callers: ['operator', 'agent', 'starter', 'run', 'tab'],
  evenFenced: true,
  input: z.object({ session_token: z.string().describe('From authenticate') }),
  output: z.object({ ...success }),
  async run({ identity }: { identity: Identity }, input, call) {
    const session = await identity.session(input.session_token, call.caller)
    await identity.end(session, 'logout', null, call.caller)
    const { connection } = call
    const next = connection && (await identity.onConnection(connection.secret))
    call.afterCommit(() => connection?.identifyAs(next))
    return { ...SUCCESS }
  },
})
