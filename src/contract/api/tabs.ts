// Tabs and the messages between them.
import { z } from 'zod'
import { MessageId, ProjectId, RunId, TabId, TaskId } from '../id-types.ts'
import { TabPermission } from '../permission.ts'
import { TabRecord } from '../records.ts'
import { MessageView, TabStatus } from '../tabs.ts'
import { ChangedFileView } from '../worktrees.ts'
import { more, operation, page, somewhere } from './shapes.ts'

const tab = z.object({ tab_id: TabId })

const Launched = TabRecord.extend({
  exit_signal: z.string().nullable(),
  last_lines: z.array(z.string()).describe('Of one whose program ended at once: what it showed last'),
})

export const tabApi = {
  'tab.launch': operation(
    z.object({
      engine: z.string(),
      branch: z.string().optional().describe('Left out for a task, which has its own'),
      task_id: TaskId.optional().describe('Launched in the workspace of this task'),
      ...somewhere,
      base: z.string().optional(),
      prompt: z.string().optional(),
      permission: TabPermission.optional(),
    }),
    Launched,
  ),
  /** A tab that goes on with the conversation of a run that has ended, where the run worked. */
  'run.take': operation(z.object({ run_id: RunId }), Launched),
  'tab.list': operation(
    z.object({ project_id: ProjectId.optional(), all: z.boolean().optional(), ...page }),
    z.object({ tabs: z.array(TabRecord), ...more }),
  ),
  'tab.show': operation(
    tab,
    TabRecord.extend({
      messages: z.array(MessageView),
      screen: z.array(z.string()).nullable().describe('Of a live one: what it shows now'),
      last_screen: z.array(z.string()).nullable().describe('Of one that has ended: what it showed last'),
    }),
  ),
  'tab.screen': operation(
    tab,
    z.object({
      tab_id: TabId,
      status: TabStatus,
      lines: z.array(z.string()).describe('What it shows now; of one that has ended: what it showed last'),
    }),
  ),
  'tab.send': operation(
    z.object({ tab_id: TabId.optional(), project_id: ProjectId.optional(), message: z.string() }),
    z.object({ messages: z.array(MessageView) }),
  ),
  'tab.stop': operation(tab, TabRecord),
  'tab.files': operation(tab, z.object({ files: z.array(ChangedFileView), truncated: z.boolean() })),
  'tab.diff': operation(tab, z.object({ diff: z.string(), truncated: z.boolean() })),
  'message.list': operation(
    z.object({
      tab_id: TabId.optional().describe('Sent to it or by it'),
      project_id: ProjectId.optional(),
      ...page,
    }),
    z.object({ messages: z.array(MessageView).describe('The newest first'), ...more }),
  ),
  'message.cancel': operation(z.object({ message_id: MessageId }), MessageView),
}
