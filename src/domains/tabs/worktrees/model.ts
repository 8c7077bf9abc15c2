import type { SetupFailure } from '#contract/why.ts'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import type { SetupState, WorktreeState } from '#contract/worktrees.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'

/** `keep`: it stays in the trash until a person takes it out of there. */
export type RemoveOptions = { force?: boolean | undefined; keep?: boolean | undefined }

export type Worktree = {
  id: WorktreeId
  projectId: ProjectId
  /** Which folder of worktrees it belongs to: other machines may share the database. */
  home: string
  /** The repository's git folder. */
  repository: string
  objectFormat: Checkout['objectFormat']
  /** The repository's notes about this checkout. */
  gitDir: string
  path: string
  /** Names the folder, whatever stands at its path. */
  device: string
  inode: string
  branch: string | null
  /** What it is compared with: a ref by its full name, and the commit that was meant when it was made. */
  baseRef: string | null
  baseCommit: string
  own: boolean
  /** The branch was made with it. */
  madeBranch: boolean
  state: WorktreeState
  /** Its commit when it was removed. */
  head: string | null
  setup: Setup
  lfsMissing: number
  drivers: string[]
  copied: number
  createdAt: number
  trashedAt: number | null
  purgeAt: number | null
}

export type Setup = {
  state: SetupState
  command: string[] | null
  error: SetupFailure | null
  /** Stored before the process starts, so that a crash can find it. */
  record: ProcessRecord | null
}

/** So much of the changed files is read to count their lines. */
export const COUNTED_BYTES = 4_000_000

export const NO_SETUP: Setup = { state: 'none', command: null, error: null, record: null }

export function checkoutOf({ path, gitDir, repository, objectFormat }: Worktree): Checkout {
  return { path, gitDir, commonDir: repository, objectFormat }
}

/** Keeps what only a removed worktree leads to from being collected. */
export function keepRef(id: string): string {
  return `refs/toryo/trash/${id}`
}
