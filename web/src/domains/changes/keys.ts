// Apart from the queries: what follows events is loaded with the page, they are not.
export const keys = {
  worktrees: ['worktrees'] as const,
  files: (id: string) => ['worktree-changes', id, 'files'] as const,
  diff: (id: string) => ['worktree-changes', id, 'diff'] as const,
  linesOf: (id: string, path: string) => ['worktree-changes', id, 'lines', path] as const,
  branches: (project: string) => ['branches', project] as const,
  of: (id: string) => ['worktree-changes', id] as const,
  changes: ['worktree-changes'] as const,
  overlaps: ['overlaps'] as const,
  about: (id: string) => ['worktree-about', id] as const,
  abouts: ['worktree-about'] as const,
}
