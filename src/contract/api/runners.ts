// What Runners report and ask, and their tokens.
import { z } from 'zod'
import { AgentId, InstanceId, ProjectId } from '../id-types.ts'
import { OwnId } from '../own-id.ts'
import { Permission } from '../permission.ts'
import { RunEnd } from '../run-end.ts'
import { END_CAUSES, INSTANCE_STATES, RunSeen } from '../runner.ts'
import { AgentConfigSeen, RefusedStart } from '../trust.ts'
import { InstanceView, RunnerView, WaitingStart } from '../views.ts'
import { EngineId, operation } from './shapes.ts'

const LogPath = z.string().max(4096)

/** Names one process for good; `pid` 0 while it is only planned. By this a hub on the same machine knows it again. */
const StartedProcess = z.object({
  boot: z.string().max(200),
  pid: z.int().min(0),
  start: z.string().max(200),
  marker: z.string().min(8).max(200),
})

export const runnerApi = {
  /** Engine processes that Runners started for agents and that have not ended, the oldest first. */
  'instance.list': operation(
    z.object({ project_id: ProjectId.optional(), agent_id: AgentId.optional() }),
    z.object({ instances: z.array(InstanceView) }),
  ),
  'runner.hold': operation(
    z.object({
      engines: z.array(EngineId).max(200).describe('What can be started where this Runner is'),
      instances: z.array(InstanceId).max(1000).describe('Those whose processes run'),
      processes: z
        .array(StartedProcess.extend({ instance_id: InstanceId, log_path: LogPath.optional() }))
        .max(1000)
        .optional(),
      folders: z
        .object({
          list: z.string().max(100).describe('Which list of folders it looked for; empty before the first'),
          here: z.array(z.string().max(200)).max(20_000).describe('Ids of the projects whose folders it found'),
        })
        .optional()
        .describe('Missing from older Runners, which may be offered any folder'),
    }),
    z.object({
      /** Names the hub's database in the Runner's files. */
      hub: z.string(),
      runner: z.string(),
      hold_ms: z.int(),
      instances: z.array(z.object({ instance_id: InstanceId, state: z.enum(INSTANCE_STATES) })),
      folders: z
        .object({
          list: z.string(),
          /** Missing when the Runner knows this list. */
          look: z.array(z.object({ project_id: ProjectId, directory: z.string() })).optional(),
        })
        .optional()
        .describe('Which folders to look for. Missing from older hubs'),
    }),
  ),
  'runner.startable': operation(
    z.object({}),
    z.object({
      pairs: z
        .array(z.object({ agent_id: AgentId, project_id: ProjectId, working_directory: z.string() }))
        .describe('What to ask should_start about now; of all others the answer would be no'),
    }),
  ),
  'runner.begin': operation(
    z.object({
      agent_id: AgentId,
      project_id: ProjectId,
      ticket: z.string(),
      process: StartedProcess.optional().describe('What is about to be started, known by its mark alone so far'),
    }),
    z.object({
      instance_id: InstanceId,
      epoch: z.int(),
      agent_name: z.string(),
      system_prompt: z.string(),
      engine: z.string(),
      /** Missing from older hubs. */
      permission: Permission.optional(),
      project_name: z.string(),
      directory: z.string(),
      workspace: z.boolean().optional().describe('It works in the workspace of its task; ask runner.workspace for it'),
    }),
  ),
  'runner.workspace': operation(
    z.object({ instance_id: InstanceId }),
    z.object({
      state: z.enum(['making', 'ready', 'untrusted', 'failed']).describe('making: ask again'),
      directory: z.string().nullable(),
      env: z.record(z.string(), z.string()).describe('For its process'),
      problem: z.string().nullable().describe('What to tell people'),
    }),
  ),
  'runner.inspect': operation(
    z.object({ project_id: ProjectId, seen: AgentConfigSeen }),
    z.object({ trusted: z.boolean(), problem: z.string().nullable().describe('What to tell people') }),
  ),
  'runner.ended': operation(
    z.object({
      instance_id: InstanceId,
      cause: z.enum(END_CAUSES),
      exit_code: z.int().nullable(),
      signal: z.string().max(40).nullable(),
      message: z.string().max(4000).describe('What to tell people'),
      quota: z.object({ message: z.string().max(4000), resets_at: z.int().nullable() }).nullable(),
      /** Missing from Runners of earlier versions, as is what follows. */
      end: RunEnd.optional().describe('Why it ended, as far as its program tells'),
      log_path: LogPath.nullish().describe("Where its output is, on the Runner's machine"),
      seen: RunSeen.nullish(),
    }),
    z.object({
      known: z.boolean(),
      report: z.enum(['success', 'failed', 'blocked']).nullable().describe('What its agent said; null: nothing'),
      end: RunEnd.optional().describe('Why it ended, with what the hub knows'),
    }),
  ),
  /** What a process has output so far. Older hubs do not have it: then nothing is reported. */
  'runner.progress': operation(z.object({ instance_id: InstanceId, seen: RunSeen }), z.object({ known: z.boolean() })),
  'runner.add': operation(z.object({ name: OwnId }), z.object({ name: z.string(), token: z.string() })),
  'runner.list': operation(z.object({}), z.object({ runners: z.array(RunnerView) })),
  'runner.refused': operation(z.object({}), z.object({ refused: z.array(RefusedStart) })),
  'runner.waiting': operation(z.object({}), z.object({ waiting: z.array(WaitingStart) })),
  'runner.revoke': operation(z.object({ name: z.string() }), RunnerView),
}
