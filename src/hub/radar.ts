// The radar over workspaces, tabs and worktrees of this machine.
import type { WorktreeId } from '#contract/id-types.ts'
import { type Member, Radar } from '#domains/thread/radar.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import { HUB } from './own-caller.ts'
import type { Bind, Services } from './services.ts'

const MOST = 10_000

export function radarOf(options: ComposeOptions, { git, worktrees }: Parts, bind: Bind): Radar {
  const { database, log, clock, lang, thread } = options
  return new Radar({
    ...{ git, log, clock, by: HUB, pauseMs: thread.radarMs },
    async members() {
      const home = await worktrees.usedHome()
      return home === undefined ? undefined : { home, members: await membersAt(home, bind(database)) }
    },
    readNow: (id, what, read, signal) => worktrees.readNow(id, what, read, signal),
    baseOf: async id => (await worktrees.open(id)).base,
    record: (home, now, atWork, by) =>
      database.tx(tx => {
        const { overlaps, tabs, messages } = bind(tx)
        return overlaps.record(
          home,
          now,
          atWork,
          async (tabId, text) => {
            const tab = await tabs.find(tabId)
            if (tab) await messages.inform(tab, text[lang], by)
          },
          by,
        )
      }),
  })
}

/** A tab in the workspace of a task is not a second one. Those of which there is just one in a project are left out. */
async function membersAt(
  home: string,
  { workspaces, tabs, worktrees }: Pick<Services, 'workspaces' | 'tabs' | 'worktrees'>,
): Promise<Member[]> {
  const sides = new Map<WorktreeId, Pick<Member, 'projectId' | 'taskId' | 'tabId'>>()
  for (const { worktreeId, projectId, taskId } of await workspaces.listLive())
    sides.set(worktreeId, { projectId, taskId, tabId: null })
  for (const { worktreeId, projectId, id } of await tabs.listOwn())
    if (worktreeId !== null)
      sides.set(worktreeId, { projectId, taskId: sides.get(worktreeId)?.taskId ?? null, tabId: id })
  const counts = new Map<string, number>()
  for (const { projectId } of sides.values()) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  const several = [...sides].filter(([, { projectId }]) => (counts.get(projectId) ?? 0) > 1)
  if (several.length === 0) return []
  const present = await worktrees.list({ home, states: ['ready'] }, undefined, MOST)
  const places = new Map(present.map(worktree => [worktree.id, worktree]))
  const members: Member[] = []
  for (const [worktreeId, side] of several) {
    const place = places.get(worktreeId)
    if (!place) continue
    const isHeld = side.taskId !== null && (await workspaces.holderOf(side.taskId)) !== undefined
    const { repository: commonDir, objectFormat } = place
    const repository = { commonDir, objectFormat }
    members.push({ worktreeId, ...side, repository, active: side.tabId !== null || isHeld })
  }
  return members
}
