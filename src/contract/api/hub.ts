// The hub itself: its state, its engines, what it registered.
import { z } from 'zod'
import { ProjectId } from '../id-types.ts'
import { RegistrationView } from '../settings.ts'
import { EngineView, PauseView } from '../views.ts'
import { EngineId, operation } from './shapes.ts'

export const hubApi = {
  'engine.list': operation(z.object({}), z.object({ engines: z.array(EngineView) })),
  'engine.resume': operation(z.object({ engine: EngineId }), z.object({ engine: z.string(), was_paused: z.boolean() })),
  'hub.status': operation(
    z.object({}),
    z.object({
      pid: z.int(),
      version: z.string(),
      db: z.string(),
      url: z.string(),
      started_at: z.string(),
      background: z.boolean(),
      left: z.boolean().describe('Its `toryo up` was closed, and it goes on without it'),
      demo: z.boolean().describe('Its agents are scripted, and it is deleted when it ends'),
      program: z.string().describe('What calls this program on a command line of its machine, such as `toryo`'),
      connections: z.int(),
      rss_bytes: z.int(),
      last_event: z.int(),
      last_event_at: z.string().nullable().describe('Null: nothing has happened yet'),
      instances: z.int().describe('Engine processes that Runners started and that run'),
      runners: z.array(z.string()).describe('Runners that were heard of lately'),
      pauses: z.array(PauseView),
    }),
  ),
  /** Who the caller is to this hub, whatever it takes itself for. */
  'hub.whoami': operation(
    z.object({}),
    z.object({
      caller: z.string().describe('As in events'),
      kind: z.string(),
      person: z.string().nullable(),
      token: z.string().nullable().describe("The name of its token; null: the hub's own"),
      project_id: ProjectId.nullable().describe('The one that it works in; null: all of them, or none'),
      may: z.enum(['everything', 'its_project', 'its_own_work']),
      db: z.string(),
      url: z.string(),
    }),
  ),
  /** Another hub of the same database is about to take over: it finds the terminals as they are. */
  'hub.stop': operation(z.object({ keep_terminals: z.boolean().optional() }), z.object({ stopping: z.literal(true) })),
  /** Takes this hub's entries out of the engines' config files, while it goes on running. */
  'hub.unregister': operation(z.object({}), z.object({ files: z.array(RegistrationView) })),
  /** What the hub sees from where it runs. `toryo doctor` looks at the machine, too. */
  'doctor.run': operation(
    z.object({}),
    z.object({
      ok: z.boolean().describe('Nothing is to be fixed'),
      findings: z.array(
        z.object({
          check: z.string(),
          level: z.enum(['ok', 'warn', 'fail']),
          message: z.string(),
          fix: z.string().nullable().describe('What to do about it'),
        }),
      ),
    }),
  ),
  'hub.backup': operation(z.object({ file: z.string().min(1) }), z.object({ file: z.string(), bytes: z.int() })),
}
