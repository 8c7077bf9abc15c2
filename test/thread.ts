// Reported work in a real repository: a project whose tasks have workspaces, an agent that has one, and what is stored of it.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { locate, type Target } from '#client/locate.ts'
import type { ApiInput } from '#contract/api.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { Services } from '#hub/services.ts'
import { tool } from '#kernel/tool.ts'
import { type Repo, Yard } from './git.ts'
import { type TestConnection, type TestHub, type TestHubOptions, testHub } from './hub.ts'
import { migratedPostgres } from './postgres.ts'
import { callBy, operator, rowsOf } from './scene.ts'
import { until } from './until.ts'

export type Shop = {
  yard: Yard
  repo: Repo
  hub: TestHub
  target: Target
  passkey: string
  taskId: string
  /** Its workspace. */
  path: string
}

type Settings = Partial<Pick<ApiInput<'project.add'>, 'accept' | 'workspace'>>

/** A hub over a repository, in which one task of one agent has a workspace. Runs the story, and takes all of it down. */
export async function inShop(
  options: TestHubOptions & { settings?: Settings },
  story: (shop: Shop) => Promise<void>,
): Promise<void> {
  using yard = new Yard()
  const { settings, ...rest } = options
  const home = join(yard.home, 'toryo')
  const postgres = options.database === 'postgres' ? await migratedPostgres() : undefined
  const db = postgres?.url ?? join(home, 'toryo.db')
  const target = locate(db, { env: { HOME: home, TORYO_HOME: home } })
  const repo = yard.repository('shop')
  repo.write('README', 'shop\n')
  repo.write('.gitignore', 'ignored/\n')
  repo.commit()
  try {
    await using hub = await testHub({ ...rest, target })
    await story(await furnish(yard, repo, hub, target, settings))
  } finally {
    await postgres?.drop()
  }
}

/** Another person's hub on the same database, with a home of its own. */
export function beside({ hub, yard }: Pick<Shop, 'hub' | 'yard'>): Promise<TestHub> {
  const home = mkdtempSync(join(yard.home, 'beside-'))
  return testHub({ target: locate(hub.target.db, { env: { HOME: home, TORYO_HOME: home } }) })
}

async function furnish(yard: Yard, repo: Repo, hub: TestHub, target: Target, settings: Settings = {}): Promise<Shop> {
  const wish = { workspace: 'task' as const, accept: 'person' as const, ...settings }
  await hub.api('project.add', { id: 'prj_shop', name: 'shop', directory: repo.root, ...wish })
  const { passkey } = await hub.api('agent.add', { id: 'agt_kim', name: 'Kim', engine: 'claude' })
  await hub.api('project.assign', { project_id: 'prj_shop', agent_id: 'agt_kim' })
  const shop = { yard, repo, hub, target, passkey, taskId: 'tsk_cart', path: '' }
  return { ...shop, path: await newTask(shop, 'tsk_cart') }
}

/** A task in progress, with a workspace. Answers its folder. */
export async function newTask({ hub }: Pick<Shop, 'hub'>, id: string, project_id = 'prj_shop'): Promise<string> {
  const task = { id, project_id, title: 'Build the cart', assignee_id: 'agt_kim' }
  await hub.api('task.add', { ...task, status: 'in_progress' })
  return workspaceOf({ hub }, id)
}

/** The folder of its workspace, made where there is none. */
export async function workspaceOf({ hub }: Pick<Shop, 'hub'>, id: string): Promise<string> {
  const making = tool({
    ...{ name: 'make', toolset: 'api', title: '', description: '', effect: 'read' },
    ...{ callers: ['operator'], input: z.object({}), output: z.object({ path: z.string() }) },
    async run({ workspaces, tasks }: Services, _input, { caller }) {
      const { path } = await workspaces.ensure(await tasks.get(id as TaskId, caller), caller)
      return { path }
    },
  })
  const outcome = await hub.running.hub.invoker.invoke(making, {}, callBy(operator))
  if (!outcome.ok) throw outcome.error
  return (outcome.value as { path: string }).path
}

export function put(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

/** The agent signs in, gets its task and reports it. Answers what it got. */
export async function report(
  { hub, passkey }: Pick<Shop, 'hub' | 'passkey'>,
  said: Record<string, unknown> = {},
  before: (agent: TestConnection) => void | Promise<void> = () => {},
  agentId = 'agt_kim',
  projectId = 'prj_shop',
): Promise<Record<string, unknown>> {
  const agent = await hub.connect()
  const session_token = await agent.signIn(agentId, passkey, projectId)
  const { body } = await agent.call('get_my_task', { session_token })
  await before(agent)
  const answer = await agent.call('report_completed', { session_token, result: 'success', summary: 'Done', ...said })
  if (answer.isError) throw new Error(answer.text)
  await agent.close()
  return body
}

export type Row = Record<string, unknown>

export async function rows(hub: TestHub, table: string): Promise<Row[]> {
  return (await rowsOf(hub, table))[table] ?? []
}

/** Once the stage of the task is this one. */
export async function reached(hub: TestHub, stage: string, task_id = 'tsk_cart') {
  return until(async () => {
    const task = await hub.api('task.show', { task_id })
    return task.stage === stage && task
  })
}
