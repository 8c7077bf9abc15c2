import type { InboxItem } from '#contract/inbox.ts'
import { type Facts, item } from './item.ts'

const NAMED = 20

/** Two that work at the same time on the same lines, or that would not merge. Their agents know; a person can order them. */
export async function hotOverlaps({ services, projectId, names }: Facts): Promise<InboxItem[]> {
  const found = await services.overlaps.list(projectId)
  // A pair that would not merge touches the same lines, too: it is one item.
  const pairs = new Map<string, (typeof found)[number]>()
  for (const one of found) {
    const key = `${one.a.worktreeId}+${one.b.worktreeId}`
    if (one.kind === 'conflict' || !pairs.has(key)) pairs.set(key, one)
  }
  return Promise.all(
    [...pairs].map(async ([about, { a, b, views, files, at, projectId: project }]) =>
      item({
        ...{ kind: 'overlap' as const, about, at, detail: files.slice(0, NAMED).join('\n') },
        title: `${views.a.handle ?? views.a.tab_id ?? a.worktreeId} · ${views.b.handle ?? views.b.tab_id ?? b.worktreeId}`,
        project_id: project,
        project_name: await names.project(project),
        sides: [
          { task_id: a.taskId, handle: views.a.handle, tab_id: a.tabId },
          { task_id: b.taskId, handle: views.b.handle, tab_id: b.tabId },
        ],
        command: 'toryo overlaps',
      }),
    ),
  )
}
