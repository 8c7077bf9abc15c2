// What waits for a person. Nothing of it is stored: each item is derived from facts, so that it is gone wherever it was dealt with.
import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { AgentId, CrewId, EvidenceId, ProjectId, RunId, TabId, TaskId } from './id-types.ts'
import { INBOX_KINDS } from './inbox-values.ts'
import { Priority } from './projects.ts'

export const InboxItem = z.object({
  item_id: z.string().describe('The kind and what it is about: blocked:tsk_…'),
  kind: z.enum(INBOX_KINDS),
  project_id: ProjectId.nullable(),
  project_name: z.string().nullable(),
  since: z.string().nullable().describe('Null where that is not known'),
  until: z.string().nullable().describe('When it ends without a person; null: never'),
  title: z.string().describe("What it is about: the task's title, the tab's branch, the engine …"),
  detail: z.string().nullable().describe('What the agent asks, or what the hub says of it'),
  agent_id: AgentId.nullable(),
  agent_name: z.string().nullable(),
  engine: z.string().nullable(),
  task_id: TaskId.nullable(),
  handle: z.string().nullable(),
  priority: Priority.nullable(),
  run_id: RunId.nullable(),
  tab_id: TabId.nullable(),
  crew_id: CrewId.nullable().describe('Of a run that failed: its crew; or the crew that has ended'),
  sides: z
    .array(z.object({ task_id: TaskId.nullable(), handle: z.string().nullable(), tab_id: TabId.nullable() }))
    .describe('Of an overlap: the two that touch the same lines'),
  runner: z
    .string()
    .nullable()
    .describe("Of a folder that is not trusted: the Runner that saw it; null: the hub's own"),
  merge: z
    .enum(['conflict', 'failed'])
    .nullable()
    .describe('Of blocked or reported work: how its last merge ended, which its agent could go on from'),
  check: z
    .object({ evidence_id: EvidenceId, name: z.string(), tail: z.string().describe('The last lines of its output') })
    .nullable()
    .describe('Of a blocked task: the check that failed last'),
  files: z.array(z.string()).describe('Of a folder that is not trusted: what has not been reviewed'),
  seen: z
    .string()
    .nullable()
    .describe('Of a folder that is not trusted: `seen` of `project.trust`, so that nothing else is trusted'),
  allows: z
    .object({
      check: z.string().nullable().describe("Its name; null: the project's setup"),
      command: z.array(z.string()),
    })
    .nullable()
    .describe('Of a command from another machine: what a person allows here'),
  command: z.string().nullable().describe('What does the same on a command line'),
  quiet: z.boolean().describe('A person caused it: it is listed without a notification'),
  held_up: z.int().describe('How many tasks wait for it'),
})
export type InboxItem = z.infer<typeof InboxItem>

export const InboxSeen = eventType('inbox.seen', z.object({ itemId: z.string() }))
export const InboxSnoozed = eventType('inbox.snoozed', z.object({ itemId: z.string(), until: z.int() }))

export const InboxError = errors({
  SNOOZE_IN_PAST: error('invalid', (p: { until: string }) => ({
    en: `${p.until} has passed; choose a later time.`,
    ja: `${p.until} は過ぎています。これより後の時刻を指定してください。`,
  })),
})
