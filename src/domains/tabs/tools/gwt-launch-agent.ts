import { z } from 'zod'
import { ProjectId, TabId } from '#contract/id-types.ts'
import { ENGINE_IDS } from '#contract/known-engines.gen.ts'
import { TabStatus } from '#contract/tabs.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Launching, Prepared } from '../launching.ts'
import { endingOf, launched } from '../outcome.ts'
import type { Worktrees } from '../ports.ts'
import type { Tabs } from '../service.ts'

type Services = { tabs: Tabs; launches: Launching; worktrees: Worktrees }

const input = z.object({
  agent_id: z.string().describe(`Engine: ${ENGINE_IDS.join(', ')} or a configured one`),
  branch: z.string().describe('Branch to work on in a worktree of its own; created from base if missing'),
  project_id: ProjectId.optional().describe('Project id (prj_…; default: the project of your folder)'),
  prompt: z.string().optional().describe('First prompt for the agent (default: none)'),
  base: z.string().optional().describe('Branch, tag or commit to start a new branch from (default: HEAD)'),
})
const output = z.object({
  tab_id: TabId,
  status: TabStatus.describe('exited: its program ended at once'),
  exit_code: z.int().nullable().optional().describe('Of a program that ended at once'),
  exit_signal: z.string().nullable().optional(),
  last_lines: z.array(z.string()).optional().describe('What it showed last'),
})

export default tool<Services, typeof input, typeof output, Prepared>({
  name: 'gwt_launch_agent',
  toolset: 'tabs',
  title: 'Launch an agent',
  description: 'Start an agent in a new tab: a terminal on a git worktree of the branch.',
  effect: 'write',
  openWorld: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input,
  output,
  prepare({ launches }, { agent_id, branch, project_id, prompt, base }, call) {
    const directory = call.connection?.directory
    return launches.prepare({ engine: agent_id, branch, projectId: project_id, directory, prompt, base }, actorOf(call))
  },
  async run({ launches }, _input, call) {
    const tab = await launches.launch(call.prepared, actorOf(call))
    return { tab_id: tab.id, status: 'starting' as const }
  },
  async after(services, { tab_id }, call) {
    const tab = await launched(services, tab_id, call)
    return { tab_id, status: await services.tabs.status(tab), ...(await endingOf(services.tabs, tab)) }
  },
})
