import { z } from 'zod'
import { TabId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Worktrees } from '../ports.ts'
import type { Tabs } from '../service.ts'

export default tool({
  name: 'gwt_get_changed_files',
  toolset: 'tabs',
  title: "List a tab's changed files",
  description: "List the files that changed in a tab's worktree since its base, committed or not, with untracked ones.",
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({ tab_id: TabId }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), status: z.enum(['added', 'modified', 'deleted', 'renamed']) })),
    truncated: z.boolean(),
  }),
  async run({ tabs, worktrees }: { tabs: Tabs; worktrees: Worktrees }, input, call) {
    const { worktreeId } = await tabs.get(input.tab_id, actorOf(call))
    if (worktreeId === null) return { files: [], truncated: false }
    const { files, truncated } = await worktrees.changedFiles(worktreeId, call.signal)
    return { files: files.map(({ path, status }) => ({ path, status })), truncated }
  },
  text: ({ files }) => JSON.stringify(files),
})
