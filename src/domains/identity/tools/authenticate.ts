import { z } from 'zod'
import { AgentId, ProjectId } from '#contract/id-types.ts'
import { say } from '#contract/lang.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import { mayClaim } from '../access.ts'
import { SESSION_MS } from '../model.ts'
import type { Identity, SignIn } from '../service.ts'

const NEXT = {
  en: 'Call get_my_task to get your task.',
  ja: 'get_my_task を呼び出して、自分のタスクを受け取ってください。',
}

export default tool({
  name: 'authenticate',
  toolset: 'agent',
  title: 'Sign in',
  description: 'Sign in as an agent on a project and get a session_token, your role and what to do next.',
  effect: 'write',
  callers: ['operator', 'agent', 'starter', 'run', 'tab'],
  offeredTo: ['instance'],
  evenFenced: true,
  input: z.object({
    agent_id: AgentId,
    passkey: z.string().optional().describe('Passkey of the agent; leave it out when the hub started you'),
    project_id: ProjectId.describe('Project to work on (prj_…)'),
  }),
  output: z.object({
    ...success,
    session_token: z.string(),
    expires_in: z.int(),
    agent_name: z.string(),
    project_name: z.string(),
    system_prompt: z.string(),
    instruction: z.string(),
  }),
  async prepare({ identity }: { identity: Identity }, input, call): Promise<SignIn['proof']> {
    if (input.passkey !== undefined)
      return (await identity.provePasskey(input.agent_id, input.passkey)) ? 'passkey' : 'none'
    // Its ticket is still its own when it has signed in for another project since.
    const own = [call.caller, call.connection?.opener]
    return own.some(who => who && mayClaim(who, input.agent_id, input.project_id)) ? 'ticket' : 'none'
  },
  async run({ identity }, input, call) {
    const connection = call.connection
    const request = {
      agentId: input.agent_id,
      projectId: input.project_id,
      proof: call.prepared,
      connectionSecret: connection?.secret,
      opener: connection?.opener ?? call.caller,
    }
    const { token, session, agent, projectName } = await identity.signIn(request, call.caller)
    const { agentId, projectId, epoch } = session
    call.afterCommit(() => connection?.identifyAs({ kind: 'agent', agentId, projectId, epoch }))
    return {
      ...SUCCESS,
      session_token: token,
      expires_in: SESSION_MS / 1000,
      agent_name: agent.name,
      project_name: projectName,
      system_prompt: agent.systemPrompt,
      instruction: say(call.lang, NEXT),
    }
  },
})
