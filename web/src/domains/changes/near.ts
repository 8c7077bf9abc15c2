// Pure: who works on the same files without touching the same lines. The page knows the changed paths already, so the hub does nothing
// for it; no agent gets a message, and it never needs a person.
import type { ChangedFileView, WorktreeView } from '#contract/worktrees.ts'
import type { Overlap } from './model.ts'

/** `manifest`: nothing but the files in which packages are named, which many a change touches. */
export type Near = Pick<Overlap, 'a' | 'b'> & { kind: 'file' | 'manifest'; files: string[] }

type Changed = {
  worktree: Pick<WorktreeView, 'worktree_id' | 'project_id' | 'branch'>
  files: readonly Pick<ChangedFileView, 'path'>[]
}

const MANIFEST =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.yaml|yarn\.lock|bun\.lockb?|deno\.(?:jsonc?|lock)|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|pyproject\.toml|(?:poetry|uv)\.lock|Pipfile(?:\.lock)?|requirements[^/]*\.txt|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|mix\.(?:exs|lock)|Package\.(?:swift|resolved)|pubspec\.(?:yaml|lock)|[^/]+\.csproj)$/

/** Pairs that overlap are left out: that is said already. */
export function nearOf(changed: readonly Changed[], overlaps: readonly Overlap[]): Near[] {
  const sides = new Map(overlaps.flatMap(({ a, b }) => [a, b]).map(side => [side.worktree_id, side]))
  const told = new Set(overlaps.map(({ a, b }) => keyOf(a.worktree_id, b.worktree_id)))
  const at = new Map<string, Changed['worktree'][]>()
  const found = new Map<string, Near>()
  for (const { worktree, files } of changed)
    for (const { path } of files) {
      const place = `${worktree.project_id}\0${path}`
      const others = at.get(place) ?? []
      for (const other of others) {
        const key = keyOf(other.worktree_id, worktree.worktree_id)
        if (told.has(key)) continue
        const near = found.get(key) ?? { a: sideOf(other), b: sideOf(worktree), kind: 'manifest', files: [] }
        near.files.push(path)
        if (!MANIFEST.test(path)) near.kind = 'file'
        found.set(key, near)
      }
      at.set(place, [...others, worktree])
    }
  return [...found.values()].sort((a, b) =>
    a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : b.files.length - a.files.length,
  )

  function sideOf({ worktree_id, branch }: Changed['worktree']): Overlap['a'] {
    return sides.get(worktree_id) ?? { worktree_id, handle: branch, tab_id: null }
  }
}

function keyOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
