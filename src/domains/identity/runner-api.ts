// What a Runner reports to the hub beyond the three tools, and what people do about Runners.
import type { CallerKind } from '#contract/caller.ts'
import { HOLD_MS } from '#contract/runner.ts'
import { operation } from '#kernel/operation.ts'
import type { Runners } from './runners.ts'
import type { Claims } from './claims.ts'
import type { Starts } from './starts.ts'
import { instanceView, runnerView } from './views.ts'

type Services = { claims: Claims; runners: Runners; starts: Starts }

const RUNNERS: readonly CallerKind[] = ['runner']

/** `hub` names this hub's database in the Runner's files. */
export function runnerOperations(hub: string) {
  return [
    operation({
      name: 'runner.hold',
      effect: 'write',
      callers: RUNNERS,
      async run({ runners, starts }: Services, input, { caller }) {
        const runner = caller.kind === 'runner' ? caller.name : ''
        const folders = await runners.seen(runner, input.engines, input.folders)
        const processes = new Map(
          input.processes?.map(({ instance_id, log_path: logPath, ...record }) => [instance_id, { record, logPath }]),
        )
        const states = await starts.hold(input.instances, processes, caller)
        const instances = states.map(({ id, state }) => ({ instance_id: id, state }))
        return { hub, runner, hold_ms: HOLD_MS, instances, folders }
      },
    }),
    operation({
      name: 'runner.startable',
      effect: 'read',
      callers: RUNNERS,
      async run({ claims }: Services, _input, { caller }) {
        const pairs = await claims.listStartable(caller)
        return {
          pairs: pairs.map(({ agentId, projectId, directory }) => ({
            agent_id: agentId,
            project_id: projectId,
            working_directory: directory,
          })),
        }
      },
    }),
    operation({
      name: 'runner.begin',
      effect: 'write',
      callers: RUNNERS,
      async run({ starts }: Services, input, { caller }) {
        const begun = await starts.begin(input.agent_id, input.project_id, input.ticket, input.process, caller)
        return {
          instance_id: begun.instance.id,
          epoch: begun.instance.epoch,
          agent_name: begun.agent.name,
          system_prompt: begun.agent.systemPrompt,
          engine: begun.instance.engine,
          permission: begun.instance.permission,
          project_name: begun.projectName,
          directory: begun.directory,
          workspace: begun.instance.taskId !== null,
        }
      },
    }),
    operation({
      name: 'runner.ended',
      effect: 'write',
      callers: RUNNERS,
      async run({ starts }: Services, input, { caller }) {
        const { cause, signal, message, end, log_path: logPath = null, seen = null } = input
        const quota = input.quota && { message: input.quota.message, resetsAt: input.quota.resets_at ?? undefined }
        const ended = {
          cause,
          signal,
          message,
          exitCode: input.exit_code,
          quota: quota ?? undefined,
          end,
          logPath,
          seen,
        }
        const { report, ...settled } = await starts.ended(input.instance_id, ended, caller)
        return { ...settled, report: report ?? null }
      },
    }),
    operation({
      name: 'runner.progress',
      effect: 'write',
      callers: RUNNERS,
      run: async ({ starts }: Services, { instance_id, seen }, { caller }) => ({
        known: await starts.progressed(instance_id, seen, caller),
      }),
    }),
    operation({
      name: 'instance.list',
      effect: 'read',
      async run({ starts }: Services, { project_id: projectId, agent_id: agentId }) {
        return { instances: (await starts.listOpen({ projectId, agentId })).map(instanceView) }
      },
    }),
    operation({
      name: 'runner.add',
      effect: 'write',
      async run({ runners }: Services, input, call) {
        const { runner, token } = await runners.add(input.name, call.caller)
        return { name: runner.name, token }
      },
    }),
    operation({
      name: 'runner.list',
      effect: 'read',
      async run({ runners }: Services) {
        const all = await runners.list()
        return { runners: all.map(({ runner, instances }) => runnerView(runner, instances)) }
      },
    }),
    operation({
      name: 'runner.revoke',
      effect: 'write',
      run: async ({ runners }: Services, input, call) => runnerView(await runners.revoke(input.name, call.caller), 0),
    }),
  ]
}
