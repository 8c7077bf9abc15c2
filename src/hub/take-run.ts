// A run's conversation, taken into a tab: a person goes on with what an agent said and did without them.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import type { ProjectId, RunId, TaskId } from '#contract/id-types.ts'
import { RunError } from '#contract/runs.ts'
import { TabError } from '#contract/tabs.ts'
import { launchSteps } from '#domains/tabs/api.ts'
import type { Prepared, TakeWish } from '#domains/tabs/launching.ts'
import { operation } from '#kernel/operation.ts'
import type { Services } from './services.ts'

/** Which runs are this hub's: conversations stay on the machine that had them. */
export type Here = { runner: string; place: string }

export function takeOperations(here: Here) {
  return [
    operation<'run.take', Services, Prepared>({
      name: 'run.take',
      effect: 'write',
      prepare: async (services, { run_id: id }, { caller }) => {
        const had = id.startsWith('exec_')
          ? await execution(services, id, caller, here)
          : await crewRun(services, id, here)
        return services.launches.prepareTaken(await conversation(services, id, had), caller)
      },
      ...launchSteps,
    }),
  ]
}

type Had = {
  isOpen: boolean
  isHere: boolean
  engine: string | null
  session: string | undefined
  taskId: TaskId | null
  projectId: ProjectId | null
  /** Null: the folder of its project. */
  directory: string | null
}

async function execution({ runs }: Services, id: RunId, by: Caller, { runner }: Here): Promise<Had> {
  const run = await runs.get(id, by)
  const { engine, taskId, projectId, facts } = run
  const isHere = run.runner === null || run.runner === runner
  return { isOpen: run.endedAt === null, isHere, engine, session: facts?.session, taskId, projectId, directory: null }
}

async function crewRun({ crewRuns }: Services, id: RunId, { place }: Here): Promise<Had> {
  const run = await crewRuns.find(id)
  if (!run) throw RunError.RUN_NOT_FOUND({ runId: id })
  const { engine, taskId, projectId, facts, directory } = run
  const isHere = run.place === place
  return { isOpen: run.endedAt === null, isHere, engine, session: facts.session, taskId, projectId, directory }
}

/** It comes from a program's output and goes into a program's arguments: it must not read as an option. */
const SESSION = /^[\dA-Za-z][\w.:-]{0,199}$/

async function conversation(services: Services, run: RunId, had: Had): Promise<TakeWish> {
  const refuse = (reason: Text) => TabError.CANNOT_TAKE({ run, reason })
  const { engine, session, taskId, projectId } = had
  if (had.isOpen) throw refuse(STILL_RUNS)
  if (engine === null) throw refuse(NO_ENGINE)
  if (!had.isHere) throw refuse(ELSEWHERE)
  if (session === undefined || !SESSION.test(session)) throw refuse(NO_SESSION)
  const workspace = taskId === null ? undefined : await services.workspaces.find(taskId)
  if (workspace && taskId !== null) {
    if (workspace.releasedAt !== null) throw refuse(RELEASED)
    return { run, engine, session, at: { taskId } }
  }
  const directory = had.directory ?? (projectId === null ? null : (await services.projects.get(projectId)).directory)
  if (directory === null) throw refuse(NO_FOLDER)
  return { run, engine, session, at: { directory, projectId } }
}

const STILL_RUNS = {
  en: 'it is still running. Stop it first, or wait for its end.',
  ja: 'まだ実行中です。先に停止するか、終了を待ってください。',
}
const NO_ENGINE = {
  en: 'a person started its agent, so the conversation is in that program already.',
  ja: 'エージェントは人が起動したもので、会話はそのプログラムにあります。',
}
const ELSEWHERE = {
  en: 'it ran on another machine, where its engine keeps the conversation.',
  ja: '別のマシンで実行されたため、会話はそのマシンのエンジンにあります。',
}
const NO_SESSION = {
  en: 'its engine did not say how the conversation is called.',
  ja: 'エンジンが会話の ID を出力していません。',
}
const RELEASED = {
  en: 'the workspace that it was held in is gone, as after a merge. Start the task again for a new one.',
  ja: '会話が行われたワークスペースは、マージなどで削除されています。タスクをもう一度開始してください。',
}
const NO_FOLDER = { en: 'its project has no folder.', ja: 'プロジェクトに作業フォルダーがありません。' }
