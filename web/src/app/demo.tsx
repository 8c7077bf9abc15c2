// The parts of a demo that print commands: the hub says what calls it on a command line.
import type { InboxItem } from '#contract/inbox.ts'
import { Guide } from '../domains/demo/guide.tsx'
import { StartDemo } from '../domains/demo/start-demo.tsx'
import { useStatus } from '../domains/status/queries.ts'

const useProgram = () => useStatus().data?.program ?? 'toryo'

export function DemoGuide({ items }: { items: readonly InboxItem[] | undefined }) {
  return <Guide items={items} program={useProgram()} />
}

export function DemoStart() {
  return <StartDemo program={useProgram()} />
}
