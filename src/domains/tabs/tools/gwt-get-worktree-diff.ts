import { z } from 'zod'
import { TabId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Worktrees } from '../ports.ts'
import type { Tabs } from '../service.ts'
import { cutText } from '../cut-text.ts'

const DIFF_BYTES = 1024 * 1024
const TEXT_BYTES = 256 * 1024

export default tool({
  name: 'gwt_get_worktree_diff',
  toolset: 'tabs',
  title: "Get a tab's changes as a diff",
  description: "Get what changed in a tab's worktree since its base, committed or not, as a diff.",
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({ tab_id: TabId }),
  output: z.object({ diff: z.string(), truncated: z.boolean() }),
  async run({ tabs, worktrees }: { tabs: Tabs; worktrees: Worktrees }, input, call) {
    const { worktreeId } = await tabs.get(input.tab_id, actorOf(call))
    if (worktreeId === null) return { diff: '', truncated: false }
    const { diff, truncated } = await worktrees.diff(worktreeId, DIFF_BYTES, call.signal)
    return { diff, truncated }
  },
  text: ({ diff, truncated }) => {
    const short = cutText(diff, TEXT_BYTES)
    return JSON.stringify({ diff: short, truncated: truncated || short.length < diff.length })
  },
})
