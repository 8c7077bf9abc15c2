// Ways from one worktree, and from one file, to the next.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useLocation, useSearch } from 'wouter'
import type { WorktreeView } from '#contract/worktrees.ts'
import { Button } from '../../parts/button.tsx'
import type { FileDiff } from '../../parts/diff/parse.ts'
import { useQueryValue } from '../../parts/diff/preferences.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useProject } from '../../parts/use-project.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { useBranches, useWorktrees } from './queries.ts'
import { changesWords } from './words.ts'

/** Its name; where there are others, a choice among them, without the way back to the list. */
export function WorktreeTitle({ worktree: { worktree_id: worktreeId, branch } }: { worktree: WorktreeView }) {
  const words = useOwnWords(changesWords)
  const [project] = useProject()
  const search = useSearch()
  const [, navigate] = useLocation()
  const all = useWorktrees(project).data ?? []
  const isOne = all.every(one => one.worktree_id === worktreeId)
  const go = (id: string) => {
    const query = new URLSearchParams(search)
    // Of the one before.
    for (const name of ['file', 'base']) query.delete(name)
    navigate(`/changes/${id}${query.size === 0 ? '' : `?${query}`}`)
  }
  return (
    <>
      <h2 className={isOne ? 'line-clamp-any min-w-0 text-base font-semibold' : 'sr-only'}>
        <SafeText text={branch ?? words.detached} />
      </h2>
      {!isOne && (
        <Select
          label={words.pick}
          value={worktreeId}
          className="max-w-96 font-semibold max-md:flex-[2_1_50%]"
          data-worktree-pick
          onChange={event => go(event.target.value)}
        >
          {all.map(one => (
            <option key={one.worktree_id} value={one.worktree_id}>
              {one.branch ?? words.detached}
            </option>
          ))}
        </Select>
      )}
    </>
  )
}

/** What it is compared with: its own base, or another branch, in the address. */
export function BasePick({ worktree: { project_id, branch, base } }: { worktree: WorktreeView }) {
  const words = useOwnWords(changesWords)
  const [chosen, choose] = useQueryValue('base')
  const branches = useBranches(project_id).data ?? []
  const others = branches.map(({ name }) => name).filter(name => name !== branch && name !== base)
  if (chosen !== undefined && chosen !== base && !others.includes(chosen)) others.unshift(chosen)
  if (others.length === 0)
    return (
      <span className="line-clamp-any min-w-0 text-soft">
        <SafeText text={words.against(base)} />
      </span>
    )
  return (
    <Select
      label={words.compareWith}
      value={chosen ?? ''}
      className="max-w-72 text-soft max-md:flex-[1_1_35%]"
      data-base-pick
      onChange={event => choose(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{words.against(base)}</option>
      {others.map(name => (
        <option key={name} value={name}>
          {words.against(name)}
        </option>
      ))}
    </Select>
  )
}

type StepsProps = { files: readonly FileDiff[]; top: number; show: (path: string) => void }

/** On a phone, which has no room for the list of files. */
export function FileSteps({ files, top, show }: StepsProps) {
  const words = useOwnWords(changesWords)
  const step = (by: number) => {
    const next = files[top + by]
    if (next) show(next.path)
  }
  return (
    <nav aria-label={words.fileSteps} className="flex items-center justify-between border-t border-line px-2 text-sm">
      <Button look="quiet" aria-label={words.lastFile} disabled={top === 0} onClick={() => step(-1)}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Button>
      <span role="status">{words.fileOf(top + 1, files.length)}</span>
      <Button look="quiet" aria-label={words.nextFile} disabled={top >= files.length - 1} onClick={() => step(1)}>
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </nav>
  )
}
