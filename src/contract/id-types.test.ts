import { expect, test } from 'vitest'
import { AgentId, CrewId, ExecutionId, ProjectId, RunId, type SessionId, TabId, TaskId } from './id-types.ts'

const opened = (projectId: ProjectId, agentId: AgentId) => [projectId, agentId].join()

test('an id of one kind does not pass for another, and plain text passes for none', () => {
  const project = ProjectId.parse('prj_1')
  const agent = AgentId.parse('agt_1')
  expect(opened(project, agent)).toBe('prj_1,agt_1')
  // @ts-expect-error: the two are the wrong way round.
  opened(agent, project)
  // @ts-expect-error: text that nothing has read as an id.
  opened('prj_1', agent)
  // @ts-expect-error: a run is not a crew.
  const crew: CrewId = RunId.parse('run_1')
  // @ts-expect-error: a task is not a tab.
  const tab: TabId = TaskId.parse('tsk_1')
  // @ts-expect-error: a session is not an agent.
  const session: SessionId = agent
  const text: string[] = [crew, tab, session]
  expect(text).toEqual(['run_1', 'tsk_1', 'agt_1'])
})

test('executions and runs of crews are runs', () => {
  const run: RunId = ExecutionId.parse('exec_1')
  expect(run).toBe('exec_1')
})

test('an id is plain text on the wire: whether it exists is for its verb to say', () => {
  for (const schema of [ProjectId, AgentId, TaskId, RunId, CrewId, TabId])
    for (const text of ['', 'x', 'prj_1', '../..']) expect(schema.parse(text)).toBe(text)
  expect(ProjectId.safeParse(7).success).toBe(false)
})
