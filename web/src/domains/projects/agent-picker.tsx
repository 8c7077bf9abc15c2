import { Picker } from '../../parts/picker.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { useAgents, useMembers } from './queries.ts'

type Props = { project: string; choose: (agent: { id: string; name: string }) => void; close: () => void }

/** One of those that may work in the project. */
export function AgentPicker({ project, choose, close }: Props) {
  const own = useOwnWords(boardWords)
  const agents = useAgents().data
  const members = useMembers(project).data ?? []
  const name = (id: string) => agents?.get(id)?.name ?? id
  const options = members.map(id => ({ id, label: `${name(id)} · ${agents?.get(id)?.engine ?? ''}` }))
  return (
    <Picker
      label={own.pick.assignee(1)}
      options={options}
      choose={id => choose({ id, name: name(id) })}
      close={close}
    />
  )
}
