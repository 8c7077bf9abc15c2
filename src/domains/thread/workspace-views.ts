import type { Lang } from '#contract/errors.ts'
import { setupText } from '#contract/why-text.ts'
import type { WorkspaceView } from '#contract/thread.ts'
import { type Holder, idOf, portsOf, shortRef, type Workspace } from './workspace-model.ts'
import type { WorktreeFacts } from './workspace-ports.ts'

export function workspaceView(
  workspace: Workspace,
  { path, setup }: Pick<WorktreeFacts, 'path' | 'setup'>,
  holder: Holder | undefined,
  lang: Lang,
): WorkspaceView {
  return {
    task_id: workspace.taskId,
    worktree_id: workspace.worktreeId,
    path,
    branch: workspace.branch,
    base: shortRef(workspace.baseRef),
    ports: portsOf(workspace),
    holder: holder ? idOf(holder) : null,
    setup: setup.state,
    setup_error: setup.error && setupText(setup.error)[lang],
    released: workspace.releasedAt !== null,
  }
}
