// What `--json` prints where that is not the answer of one operation. Loaded by the generated reference and by tests, never by a
// command: zod would take longer to load than most commands to run.
import { z } from 'zod'
import { api } from '#contract/api.ts'
import { MemoryRecord } from '#contract/memory.ts'
import type { CommandSpec } from './define.ts'

const answerOf = <O extends keyof typeof api>(name: O): (typeof api)[O]['output'] => api[name].output

export const own = {
  completion: z.object({ shell: z.string(), script: z.string() }),
  export: z.object({
    file: z.string(),
    rows: z.int(),
    bytes: z.int(),
    secrets: z.boolean().describe("Whether it holds the hashes of the agents' passkeys"),
  }),
  import: z.object({ rows: z.int(), secrets: z.boolean() }),
  initiated: z.object({
    directory: z.string(),
    repository: z.boolean().describe('Whether the folder is a git repository'),
    project: answerOf('project.here').shape.project,
    steps: z.array(
      z.object({
        step: z.enum(['project', 'trust', 'check', 'agent']),
        name: z.string(),
        detail: z.string().describe('A path, a command line, an engine'),
        state: z.enum(['there', 'missing', 'added', 'declined']),
      }),
    ),
    complete: z.boolean().describe('Nothing is missing or was declined'),
  }),
  logs: z.object({ file: z.string(), entries: z.array(z.unknown()).describe('With -f: one entry per line instead') }),
  logLine: z.object({ line: z.string().describe('As the program wrote it') }),
  memoryAdded: z.union([
    answerOf('memory.decision.add').extend({ decision_id: z.int() }),
    answerOf('memory.log.add').extend({ log_id: z.int() }),
    answerOf('memory.topic.add').extend({ topic_id: z.int() }),
  ]),
  memoryExported: z.union([
    z.object({ file: z.string(), records: z.int() }),
    z.object({ records: z.array(MemoryRecord).describe('Without a file') }),
  ]),
  memoryImported: z.object({
    records: z.int(),
    topics: z.record(z.string(), z.int()).describe('Number in the file → number here'),
    decisions: z.record(z.string(), z.int()).describe('Number in the file → number here'),
  }),
  open: z.object({ url: z.string(), expires_at: z.string(), opened: z.boolean() }),
  checksToTrust: answerOf('project.check.list').extend({ seen: z.string().describe('For --seen') }),
  pullPlan: answerOf('task.pr').extend({ commands: z.array(z.unknown()).describe('What would be run') }),
  registration: z.object({
    files: z.array(
      z.object({
        engine: z.string(),
        file: z.string(),
        state: z.string(),
        warning: z.boolean(),
        message: z.string(),
        diff: z.string().optional().describe('With --dry-run: what would change'),
      }),
    ),
  }),
  restore: z.object({ db: z.string(), restored_from: z.string(), replaced: z.string().nullable(), bytes: z.int() }),
  status: z.union([
    answerOf('hub.status').extend({ running: z.literal(true) }),
    z.object({ running: z.literal(false), pid: z.null(), url: z.null(), db: z.string(), version: z.null() }),
  ]),
  stop: z.union([
    z.object({ stopped: z.literal(true), pid: z.int() }),
    z.object({ stopping: z.literal(true), pid: z.int() }).describe('With --url'),
  ]),
  tasksAdded: z.union([answerOf('task.add'), z.object({ tasks: z.array(answerOf('task.add')) })]),
  token: z.object({ token: z.string() }),
  up: z.object({ url: z.string(), pid: z.int(), db: z.string() }),
  whoami: answerOf('hub.whoami').extend({ name_from: z.enum(['config', 'git', 'system']).nullable() }),
} satisfies Record<string, z.ZodType>

/** The forms that a command may print. @public */
export function schemasOf({ output }: Pick<CommandSpec, 'output'>): z.ZodType[] {
  const named = output === undefined || output === null ? [] : [output].flat()
  return named.map(name => (name in own ? own[name as keyof typeof own] : api[name as keyof typeof api].output))
}
