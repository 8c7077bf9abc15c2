import { completeAgent } from '#domains/identity/complete-agent.ts'
import getAgentProfile from '#domains/identity/tools/get-agent-profile.ts'
import { completeTask } from '#domains/projects/complete-task.ts'
import { latestHandoff } from '#domains/projects/latest-handoff.ts'
import { contextSummary, handoffTemplate, taskStart } from '#domains/projects/prompts.ts'
import getProject from '#domains/projects/tools/get-project.ts'
import getTask from '#domains/projects/tools/get-task.ts'
import getTaskContext from '#domains/projects/tools/get-task-context.ts'
import getExecutionLog from '#domains/runs/tools/get-execution-log.ts'
import listExecutionLogs from '#domains/runs/tools/list-execution-logs.ts'
import type { Prompt, Resource } from '#kernel/resource.ts'
import type { Services } from './services.ts'

export const resources: Resource<Services>[] = [
  {
    scheme: 'agent',
    parameter: 'id',
    name: 'agent',
    title: 'Agent',
    description: 'A registered agent',
    tool: getAgentProfile,
    args: id => ({ agent_id: id }),
    value: output => output['agent'],
  },
  {
    scheme: 'project',
    parameter: 'id',
    name: 'project',
    title: 'Project',
    description: 'A project with its agents',
    tool: getProject,
    args: id => ({ project_id: id }),
    value: output => output['project'],
  },
  {
    scheme: 'task',
    parameter: 'id',
    name: 'task',
    title: 'Task',
    description: 'A task',
    tool: getTask,
    args: id => ({ task_id: id }),
    value: output => output['task'],
  },
  {
    scheme: 'context',
    parameter: 'taskId',
    name: 'context',
    title: 'Saved context',
    description: 'What was saved about a task, newest first',
    tool: getTaskContext,
    args: id => ({ task_id: id, include_history: true }),
    value: ({ context, history }) => ({ context, history }),
  },
  {
    scheme: 'handoff',
    parameter: 'taskId',
    name: 'handoff',
    title: 'Latest handoff',
    description: 'The newest handoff of a task',
    tool: latestHandoff,
    args: id => ({ task_id: id }),
    value: output => output['handoff'],
  },
  {
    scheme: 'execution',
    parameter: 'id',
    name: 'execution',
    title: 'Execution',
    description: 'One execution of a task',
    tool: getExecutionLog,
    args: id => ({ execution_id: id }),
    value: output => output['log'],
  },
  {
    scheme: 'executions',
    parameter: 'taskId',
    name: 'executions',
    title: 'Executions of a task',
    description: 'The executions of a task, newest first',
    tool: listExecutionLogs,
    args: id => ({ task_id: id, limit: 200 }),
    value: ({ logs, next_cursor }) => ({ logs, ...(next_cursor !== undefined && { next_cursor }) }),
  },
]

const taskId = { name: 'task_id', description: 'The task', complete: completeTask }

export const prompts: Prompt<Services>[] = [
  {
    name: 'task_start',
    title: 'Start a task',
    description: 'Guidance for beginning a task, with what is known about it',
    arguments: [taskId, { name: 'agent_id', description: 'The agent that begins', complete: completeAgent }],
    tool: taskStart,
  },
  {
    name: 'handoff_template',
    title: 'Hand a task over',
    description: 'What a good handoff says',
    arguments: [taskId, { name: 'from_agent_id', description: 'The agent that hands over', complete: completeAgent }],
    tool: handoffTemplate,
  },
  {
    name: 'context_summary',
    title: 'Summarise a task',
    description: 'Where a task stands, from what was saved',
    arguments: [taskId],
    tool: contextSummary,
  },
]
