import { useInbox } from '../domains/inbox/queries.ts'
import { Terminals } from '../domains/tabs/terminals.tsx'

/** Since when a tab waits for a person is a fact of Needs you: domains do not import each other. */
export function TerminalsView() {
  const items = useInbox().data
  return (
    <Terminals waitsSince={id => items?.find(({ kind, tab_id }) => kind === 'tab_waits' && tab_id === id)?.since} />
  )
}
