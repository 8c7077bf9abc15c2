import { z } from 'zod'
import type { CrewMode } from '#contract/crews.ts'
import { CoreError } from '#contract/errors.ts'
import { CrewId, type ProjectId, type TaskId } from '#contract/id-types.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Call, Running } from '#kernel/tool.ts'
import type { OnFailure } from './crew-model.ts'
import type { CrewRuns } from './crew-runs.ts'
import type { Crews } from './crews.ts'
import type { TaskWorkspaces } from './ports.ts'
import type { RunProcesses } from './processes.ts'
import { crewRecord, crewRunRecord, roleRecord } from './records.ts'
import { roleView, type Roles } from './roles.ts'
import type { AskedRun, Spec, Specs } from './specs.ts'

export type CrewServices = {
  crews: Crews
  crewRuns: CrewRuns
  processes: Pick<RunProcesses, 'wake'>
  roles: Roles
  specs: Specs
  workplaces: TaskWorkspaces
}

export type PreparedCrew = { stages: Spec[][]; projectId: ProjectId | null }

const Before = z.object({ createdAt: z.number(), id: CrewId })
/** A crew may have had thousands; people look at its latest. */
const SHOWN = 200

export const crewOperations = [
  operation({
    name: 'role.list',
    effect: 'read',
    run: async ({ roles }: CrewServices, input) => ({
      roles: (await roles.list(input.refresh)).map(role => roleRecord(roleView(role))),
    }),
  }),
  operation({
    name: 'crew.run',
    effect: 'write',
    prepare: prepareCrew,
    run: (services: CrewServices, input, call: Running<PreparedCrew>) =>
      startCrew(services, input, call.prepared, call),
  }),
  operation({
    name: 'crew.list',
    effect: 'read',
    async run({ crews, crewRuns }: CrewServices, input) {
      const limit = limitOf(input.limit)
      const found = await crews.list(readCursor(input.cursor, Before), limit + 1)
      const rows = await Promise.all(
        found.map(async crew => ({ crew, ids: await crewRuns.ids(crew.id), open: await crewRuns.countOpen(crew.id) })),
      )
      const { items, ...page } = pageOf(
        rows,
        limit,
        ({ crew, ids, open }) => {
          const { run_ids: _, ...view } = crewRecord(crew, [])
          return { ...view, runs: ids.length, open }
        },
        ({ crew: { createdAt, id } }) => ({ createdAt, id }),
      )
      return { crews: items, ...page }
    },
  }),
  operation({
    name: 'crew.show',
    effect: 'read',
    async run({ crews, crewRuns }: CrewServices, input, call) {
      const crew = await crews.get(input.crew_id, call.caller)
      // Before the rows are read: what comes in between is in them, too.
      const last = await crews.latestEvent()
      const ids = await crewRuns.ids(crew.id)
      const runs = await crewRuns.states(ids.slice(-SHOWN), call.lang)
      return { crew: crewRecord(crew, ids), runs: runs.map(crewRunRecord), last_event: last }
    },
  }),
  operation({
    name: 'crew.stop',
    effect: 'destroy',
    async run({ crews, crewRuns }: CrewServices, input, { caller, lang }) {
      const stopped = await crews.stop(input.crew_id, caller)
      const crew = await crews.get(input.crew_id, caller)
      const runs = await crewRuns.states(stopped, lang)
      return { crew: crewRecord(crew, await crewRuns.ids(crew.id)), runs: runs.map(crewRunRecord) }
    },
  }),
  operation({
    name: 'crew.delete',
    effect: 'destroy',
    async run({ crews, crewRuns }: CrewServices, input, { caller }) {
      await crews.delete(input.crew_id, caller)
      const crew = await crews.get(input.crew_id, caller)
      return { crew: crewRecord(crew, await crewRuns.ids(crew.id)) }
    },
  }),
]

export type CrewWish = {
  description?: string | undefined
  mode: CrewMode
  stages: readonly { tasks: readonly AskedRun[] }[]
  on_failure?: OnFailure | undefined
  directory?: string | undefined
  task_id?: TaskId | undefined
}

export async function prepareCrew(services: CrewServices, wish: CrewWish, call: Call): Promise<PreparedCrew> {
  const { specs, roles, workplaces } = services
  const { stages, directory, task_id: taskId } = wish
  const asked = stages.flatMap(({ tasks }) => tasks)
  const isWriting = async () => (await Promise.all(asked.map(({ role }) => roles.find(role)))).some(mayWrite)
  if (taskId !== undefined && (await isWriting())) await workplaces.mustBeFree(taskId)
  const place = taskId === undefined ? undefined : await workplaces.ensure(taskId, call.caller)
  const workingDirectory = place?.folder ?? directory
  if (workingDirectory === undefined) throw CoreError.INVALID_ARGUMENT({ reason: NOWHERE })
  const look = async (tasks: readonly AskedRun[]): Promise<Spec[]> => {
    const looked = await specs.of(
      tasks.map(task => ({ workingDirectory, ...task })),
      call,
    )
    return looked.map(spec => (taskId === undefined ? spec : { ...spec, taskId }))
  }
  return {
    stages: await Promise.all(stages.map(({ tasks }) => look(tasks))),
    projectId: place?.projectId ?? (await specs.projectOf(call, workingDirectory)),
  }
}

export async function startCrew(
  services: CrewServices,
  wish: CrewWish,
  prepared: PreparedCrew,
  call: Pick<Running<unknown>, 'caller' | 'afterCommit'>,
) {
  const { crews, crewRuns, processes, workplaces } = services
  const by = call.caller
  if (wish.task_id !== undefined) await oneWrites(wish.task_id, prepared.stages, workplaces)
  const asking = { by, opener: by }
  const [first = []] = prepared.stages
  const described = wish.description ?? wish.stages[0]?.tasks[0]?.prompt.slice(0, 200) ?? ''
  const crew = await crews.create(described, wish.mode, prepared.projectId, by)
  const ids =
    wish.mode === 'concurrent'
      ? await crews.start(crew.id, first, asking)
      : (await crews.submit(crew.id, prepared.stages, wish.on_failure ?? 'stop', asking)).flat()
  call.afterCommit(() => processes.wake())
  const runs = await crewRuns.states(ids)
  const begun = { ...crew, onFailure: wish.on_failure ?? crew.onFailure }
  return { crew: crewRecord(begun, ids), runs: runs.map(crewRunRecord) }
}

function mayWrite(role: { permission: string } | undefined): boolean {
  return role !== undefined && role.permission !== 'read'
}

/** In the transaction of the call. Runs that only read are no conflict. */
async function oneWrites(
  taskId: TaskId,
  stages: readonly (readonly Spec[])[],
  workplaces: TaskWorkspaces,
): Promise<void> {
  const writers = stages.map(stage => stage.filter(({ role }) => mayWrite(role)).length)
  if (writers.some(count => count > 1)) throw CoreError.INVALID_ARGUMENT({ reason: TOO_MANY })
  if (writers.some(count => count > 0)) await workplaces.mustBeFree(taskId)
}

const NOWHERE = {
  en: 'Name the directory to work in, or a task.',
  ja: '作業するフォルダーかタスクを指定してください。',
}
const TOO_MANY = {
  en: 'In the workspace of a task one run at a time may change files; put the others into stages of their own, or give them roles that only read.',
  ja: 'タスクのワークスペースでファイルを変更できる実行は同時に 1 つだけです。別のステージに分けるか、読み取り専用のロールを使ってください。',
}
