// Work that waited for a task begins on a base that has what came of it. Merged on another machine, that is in another clone until it
// is pushed there and pulled here.
import type { Text } from '#contract/errors.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { GitError } from '#kernel/git/git-error.ts'
import type { MergeId } from '#contract/id-types.ts'
import { HubError } from '#contract/errors.ts'
import type { Task } from '#domains/projects/model.ts'
import { machineOf } from '../machine-of.ts'
import type { Kernel, Services } from '../services.ts'

type Needs = Pick<Services, 'merges' | 'workspaces' | 'tasks' | 'runs' | 'runners'>
type Missing = Awaited<ReturnType<Services['merges']['mergedAway']>>[number]

/** What it waited for and is not known to be on the base here. Asks no git. */
export async function missingOnBase(
  { merges, workspaces }: Pick<Needs, 'merges' | 'workspaces'>,
  contained: ReadonlySet<MergeId>,
  { id, dependsOn }: Pick<Task, 'id' | 'dependsOn'>,
): Promise<Missing[]> {
  if (dependsOn.length === 0) return []
  // Begun before; what it began with does not change any more.
  if ((await workspaces.find(id))?.releasedAt === null) return []
  return (await merges.mergedAway(dependsOn)).filter(({ mergeId }) => !contained.has(mergeId))
}

/** The same, after a look at the base. Slow; not for use inside a transaction. What was found there once is not looked for again. */
export async function lookAtBase(needs: Needs, kernel: Pick<Kernel, 'tabs' | 'contained'>, task: Task) {
  const missing = await missingOnBase(needs, kernel.contained, task)
  if (missing.length === 0) return undefined
  const from = await needs.workspaces.startsFrom(task)
  if (!from) return undefined
  for (const { mergeId, commit } of missing)
    if (await contains(kernel.tabs.repositories, from, commit)) kernel.contained.add(mergeId)
  const [first] = missing.filter(({ mergeId }) => !kernel.contained.has(mergeId))
  return first && whyBehind(needs, first, from.ref.replace('refs/heads/', ''))
}

/** For whoever would begin in a new workspace: an agent that came on its own, a tab, a crew. Not for use inside a transaction. */
export async function mustHaveBase(
  needs: Needs,
  kernel: Pick<Kernel, 'tabs' | 'contained'>,
  task: Task,
): Promise<void> {
  const why = await lookAtBase(needs, kernel, task)
  if (why) throw ThreadError.BASE_BEHIND({ why })
}

/** A folder that cannot be read does not have it. */
async function contains(
  repositories: Kernel['tabs']['repositories'],
  { directory, ref }: { directory: string; ref: string },
  commit: string,
): Promise<boolean> {
  try {
    return await repositories.contains(directory, ref, commit)
  } catch (error) {
    if (error instanceof HubError || error instanceof GitError) return false
    throw error
  }
}

async function whyBehind(needs: Needs, { taskId, commit }: Missing, base: string): Promise<Text> {
  const handle = (await needs.tasks.find(taskId))?.handle ?? taskId
  const { name } = await machineOf(needs, taskId)
  const short = commit.slice(0, 8)
  return {
    en: `Waits for ${handle}: it is merged on ${name ?? 'another machine'} (${short}), and ${base} in the folder here does not have it yet. Push it there and pull it here.`,
    ja: `${handle} を待っています。${name === null ? '別のマシン' : ` ${name} `}ではマージ済み (${short}) ですが、このマシンのフォルダーの ${base} にはまだありません。そちらで push し、ここで pull してください。`,
  }
}
