// A refusal that advises a tool helps only where the connection has that tool.
import { expect } from 'vitest'
import { onBoth, type Scene, toolsOf } from './scene.ts'
import { TOOLSETS } from '#contract/toolsets.ts'
import type { Toolset } from '#kernel/tool.ts'

type Refused = [tool: string, args: (scene: Scene) => Record<string, unknown>]

const refused: Partial<Record<Toolset, Refused[]>> = {
  agent: [
    ['authenticate', s => ({ agent_id: s.peerId, passkey: s.peerPasskey, project_id: 'prj_x' })],
    ['authenticate', s => ({ agent_id: s.peerId, passkey: s.peerPasskey, project_id: s.other.projectId })],
    ['get_my_task', () => ({ session_token: 'x' })],
  ],
  projects: [
    ['get_project', () => ({ project_id: 'prj_x' })],
    ['list_tasks', () => ({ project_id: 'prj_x' })],
    ['get_task', () => ({ task_id: 'tsk_x' })],
    ['get_agent_profile', () => ({ agent_id: 'agt_x' })],
    ['assign_task', s => ({ task_id: s.taskId, assignee_id: 'agt_x' })],
    ['accept_handoff', s => ({ handoff_id: 'hof_x', agent_id: s.agentId })],
    ['get_execution_log', () => ({ execution_id: 'exec_x' })],
  ],
  legacy: [
    ['report_execution_start', s => ({ session_token: 'x', task_id: s.taskId })],
    [
      'report_execution_complete',
      () => ({ session_token: 'x', execution_log_id: 'exec_x', exit_code: 0, duration_seconds: 1 }),
    ],
    ['get_pending_tasks', () => ({ agent_id: 'agt_x' })],
  ],
  crews: [
    ['get_agent_status', () => ({ agentId: 'run_x' })],
    ['run_agents', () => ({ groupId: 'grp-x', agents: [{ role: 'x', prompt: 'p' }] })],
  ],
  phases: [
    ['inject_phase_prompt', () => ({ phase: 'phase0', project_id: 'prj_x' })],
    ['get_phase_context', () => ({ phase: 'phase0', project_id: 'prj_x' })],
    [
      'transition_to_next_phase',
      s => ({ currentPhase: 'phase1', result: { status: 'completed' }, project_id: s.projectId }),
    ],
  ],
  memory: [
    ['get-topics', () => ({ project_id: 'prj_x' })],
    ['recall', () => ({ project_id: 99_999, query: 'q' })],
    ['get-logs', () => ({ topic_id: 99_999 })],
    ['add-decision', () => ({ decision: 'd', reason: 'r', supersedes: 99_999 })],
  ],
  tabs: [
    ['gwt_launch_agent', () => ({ agent_id: 'claude', branch: 'b', project_id: 'prj_x' })],
    ['gwt_get_tab_info', () => ({ tab_id: 'tab_x' })],
  ],
}

onBoth('no refusal names a tool that the connection does not have', async scene => {
  const all = toolsOf(scene.hub, TOOLSETS).map(({ name }) => name)
  const wrong: string[] = []
  for (const [toolset, calls] of Object.entries(refused)) {
    const connection = await scene.hub.connect({ toolsets: toolset })
    const own = (await connection.client.listTools()).tools.map(({ name }) => name)
    const missing = all.filter(name => !own.includes(name))
    for (const [tool, args] of calls) {
      const { text, isError } = await connection.call(tool, args(scene))
      expect([tool, isError]).toEqual([tool, true])
      const named = missing.filter(name => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text))
      if (named.length > 0) wrong.push(`${toolset}: ${tool} advises ${named.join(', ')}: ${text}`)
    }
  }
  expect(wrong).toEqual([])
})
