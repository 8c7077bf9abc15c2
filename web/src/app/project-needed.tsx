// For views of one project: with "All projects" they ask for one, unless there is only one.
import type { ReactNode } from 'react'
import { BeginProject } from '../domains/projects/begin-project.tsx'
import { useProjects } from '../domains/projects/project-list.ts'
import { Bars } from '../parts/bars.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { useProject } from '../parts/use-project.ts'
import { useWords } from '../parts/use-words.ts'
import { SafeText } from '../parts/safe-text.tsx'

type Props = { title: string; hint: string; children: (project: string) => ReactNode }

export function ProjectNeeded({ title, hint, children }: Props) {
  const words = useWords()
  const [chosen, choose] = useProject()
  const projects = useProjects()
  const all = projects.data
  if (chosen !== null) return children(chosen)
  if (projects.isError && !all) return <Failure error={projects.error} again={() => void projects.refetch()} />
  if (!all) return <Bars count={5} height={40} />
  const [first, second] = all
  if (!first)
    return (
      <Empty title={words.board.noProject} hint={words.board.noProjectHint} cli={words.board.noProjectCli}>
        <BeginProject />
      </Empty>
    )
  if (!second) return children(first.project_id)
  return (
    <Empty title={title} hint={hint}>
      <div className="flex flex-wrap justify-center gap-2">
        {all.map(({ project_id, name }) => (
          <Button key={project_id} onClick={() => choose(project_id)}>
            <SafeText text={name} />
          </Button>
        ))}
      </div>
    </Empty>
  )
}
