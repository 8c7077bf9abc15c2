// On whose machine the work of a task is, where it is not this one: known by the Runner that started its last agent.
import type { TaskId } from '#contract/id-types.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'

/** `name`: null where no Runner worked on it. `awaySince`: when its Runner was heard of last; null while it is there, or was never heard of. */
export type Machine = { name: string | null; awaySince: number | null }

export async function machineOf(
  { runs, runners }: Pick<Services, 'runs' | 'runners'>,
  taskId: TaskId,
): Promise<Machine> {
  const [last] = await runs.list({ taskId }, undefined, 1, HUB)
  const runner = last?.runner ?? null
  if (runner === null) return { name: null, awaySince: null }
  return { name: runner.split(':')[0] ?? null, awaySince: (await runners.awaySince(runner)) ?? null }
}
