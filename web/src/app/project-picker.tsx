import { FolderPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useProjects } from '../domains/projects/project-list.ts'
import { ADD_PROJECT, addingProject } from '../domains/projects/setup-store.ts'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/select.tsx'
import { useStore } from '../parts/use-store.ts'
import { useOwnWords, useWords } from '../parts/use-words.ts'
import { overlay } from './commands.ts'

type Props = { project: string | null; choose: (project: string | null) => void }

/** Narrows every view. */
export function ProjectPicker({ project, choose }: Props) {
  const words = useWords()
  const add = useOwnWords(ADD_PROJECT)
  const projects = useProjects().data ?? []
  const ref = useRef<HTMLSpanElement>(null)
  const wanted = useStore(overlay) === 'projects'
  useEffect(() => {
    if (!wanted) return
    const select = ref.current?.querySelector('select')
    select?.focus()
    // Not everywhere, and not without a key or click of the person: then the focus has to do.
    try {
      select?.showPicker()
    } catch {
      // It has the focus, and opens with a key.
    }
    overlay.set(undefined)
  }, [wanted])
  return (
    <span ref={ref} className="flex min-w-0 shrink-[20] items-center gap-1">
      <Select
        label={words.project.pick}
        value={project ?? ''}
        className="w-full max-w-56 truncate"
        onChange={event => choose(event.target.value || null)}
      >
        <option value="">{words.project.all}</option>
        {projects.map(({ project_id, name }) => (
          <option key={project_id} value={project_id}>
            {name}
          </option>
        ))}
      </Select>
      <Button
        look="quiet"
        className="!px-2 max-md:hidden"
        aria-label={add}
        title={add}
        onClick={() => addingProject.set(true)}
      >
        <FolderPlus size={16} aria-hidden="true" />
      </Button>
    </span>
  )
}
