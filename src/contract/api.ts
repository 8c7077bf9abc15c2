// What the CLI, the dashboard and Runners call over HTTP: `POST /api/<operation>`. Both ends are typed from here;
// each domain declares its operations in a file of `api/`.
import type { z } from 'zod'
import { activityApi } from './api/activity.ts'
import { agentApi } from './api/agents.ts'
import { demoApi } from './api/demo.ts'
import { handoffApi } from './api/handoffs.ts'
import { hubApi } from './api/hub.ts'
import { inboxApi } from './api/inbox.ts'
import { memoryApi } from './api/memory.ts'
import { peopleApi } from './api/people.ts'
import { phaseApi } from './api/phases.ts'
import { projectApi } from './api/projects.ts'
import { runnerApi } from './api/runners.ts'
import { runApi } from './api/runs.ts'
import { settingsApi } from './api/settings.ts'
import { tabApi } from './api/tabs.ts'
import { taskApi } from './api/tasks.ts'
import { threadApi } from './api/thread.ts'
import { trustApi } from './api/trust.ts'
import { worktreeApi } from './api/worktrees.ts'

export const api = {
  ...projectApi,
  ...agentApi,
  ...taskApi,
  ...handoffApi,
  ...threadApi,
  ...memoryApi,
  ...phaseApi,
  ...tabApi,
  ...worktreeApi,
  ...trustApi,
  ...runnerApi,
  ...peopleApi,
  ...activityApi,
  ...inboxApi,
  ...runApi,
  ...hubApi,
  ...settingsApi,
  ...demoApi,
}

export type Api = typeof api
export type Operation = keyof Api
export type ApiInput<O extends Operation> = z.input<Api[O]['input']>
export type ApiOutput<O extends Operation> = z.output<Api[O]['output']>
