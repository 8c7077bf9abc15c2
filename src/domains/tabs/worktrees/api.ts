import type { Lang } from '#contract/errors.ts'
import { z } from 'zod'
import type { ProjectId } from '#contract/id-types.ts'
import { WorktreeError, type WorktreeView } from '#contract/worktrees.ts'
import { operation } from '#kernel/operation.ts'
import type { Running } from '#kernel/tool.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import { COUNTED_BYTES, type Setup, type Worktree } from './model.ts'
import type { WorktreeProjects } from './ports.ts'
import { worktreeView } from './views.ts'
import type { Worktrees } from './worktrees.ts'

const DIFF_BYTES = 1_000_000
const PRESENT = ['creating', 'ready', 'removing', 'restoring'] as const
const AWAY = ['trashed'] as const

/** Folders change in `prepare`, which may take its time; what is left for the transaction is the answer. */
export function worktreeOperations(worktrees: Worktrees, projects: WorktreeProjects) {
  return [
    operation({
      name: 'worktree.list',
      effect: 'read',
      async run(_services: unknown, input, { lang }) {
        const limit = limitOf(input.limit)
        const states = input.trashed ? AWAY : PRESENT
        const filter = { projectId: input.project_id, branch: input.branch, states }
        const rows = await worktrees.list(filter, readCursor(input.cursor, z.string()), limit + 1)
        const views = new Map<Worktree, WorktreeView>()
        for (const row of rows) views.set(row, await view(worktrees, row, lang))
        const { items, ...page } = pageOf(
          rows,
          limit,
          row => views.get(row) as WorktreeView,
          row => row.id,
        )
        return { worktrees: items, ...page }
      },
    }),
    operation({
      name: 'worktree.show',
      effect: 'read',
      run: async (_services: unknown, input, { lang }) => view(worktrees, await worktrees.get(input.worktree_id), lang),
    }),
    operation({
      name: 'worktree.ensure',
      effect: 'write',
      async prepare(_services: unknown, input, call) {
        const { directory } = await projects.get(input.project_id)
        if (directory === null) throw WorktreeError.NOT_A_REPOSITORY({ directory })
        const wish = { projectId: input.project_id, directory, branch: input.branch, base: input.base }
        return view(worktrees, await worktrees.ensure(wish, call.caller, { signal: call.signal }), call.lang)
      },
      run: prepared,
    }),
    operation({
      name: 'worktree.remove',
      effect: 'write',
      prepare: async (_services: unknown, input, call) =>
        view(worktrees, await worktrees.remove(input.worktree_id, { force: input.force }, call.caller), call.lang),
      run: prepared,
    }),
    operation({
      name: 'worktree.restore',
      effect: 'write',
      prepare: async (_services: unknown, input, call) =>
        view(worktrees, await worktrees.restore(input.worktree_id, call.caller), call.lang),
      run: prepared,
    }),
    operation({
      name: 'worktree.files',
      effect: 'read',
      async run(_services: unknown, { worktree_id, count, base }, { signal }) {
        if (!count) return worktrees.changedFiles(worktree_id, signal, base)
        const changes = await worktrees.countedFiles(worktree_id, COUNTED_BYTES, signal, base)
        return { ...changes, ...(await worktrees.distance(worktree_id, signal, base)) }
      },
    }),
    operation({
      name: 'worktree.diff',
      effect: 'read',
      run: async (_services: unknown, { worktree_id, path, context, base }, call) =>
        worktrees.diff(worktree_id, DIFF_BYTES, call.signal, { path, context }, base),
    }),
    operation({
      name: 'worktree.setup',
      effect: 'write',
      prepare: async (_services: unknown, input, call) =>
        view(worktrees, await worktrees.beginSetup(input.worktree_id, call.caller), call.lang),
      run: prepared,
    }),
    operation({
      name: 'worktree.setup.show',
      effect: 'read',
      run: async (_services: unknown, input) => setupView(input.project_id, await worktrees.setupOf(input.project_id)),
    }),
    operation({
      name: 'worktree.setup.trust',
      effect: 'write',
      prepare: async (_services: unknown, input, call) =>
        setupView(input.project_id, await worktrees.trustSetup(input.project_id, input.seen, call.caller)),
      run: preparedPlan,
    }),
  ]
}

async function prepared(_services: unknown, _input: unknown, call: Running<WorktreeView>): Promise<WorktreeView> {
  return call.prepared
}

async function preparedPlan(_services: unknown, _input: unknown, call: Running<SetupPlan>): Promise<SetupPlan> {
  return call.prepared
}

async function view(worktrees: Worktrees, worktree: Worktree, lang: Lang): Promise<WorktreeView> {
  const { id } = worktree
  return worktreeView(worktree, await worktrees.trashOf(id), await worktrees.setupLogOf(id), lang)
}

type SetupPlan = { project_id: ProjectId; command: string[] | null; trusted: boolean }

function setupView(projectId: ProjectId, { state, command }: Setup): SetupPlan {
  return { project_id: projectId, command, trusted: state === 'pending' }
}
