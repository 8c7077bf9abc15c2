import type { WorkspaceView } from '#contract/thread.ts'
import { type Holder, nameOf, portsOf, shortRef, type Workspace } from './workspace-model.ts'

export function workspaceView(workspace: Workspace, path: string, holder: Holder | undefined): WorkspaceView {
  return {
    task_id: workspace.taskId,
    worktree_id: workspace.worktreeId,
    path,
    branch: workspace.branch,
    base: shortRef(workspace.baseRef),
    ports: portsOf(workspace),
    holder: holder ? nameOf(holder) : null,
    released: workspace.releasedAt !== null,
  }
}
