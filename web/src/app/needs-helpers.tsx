// What Needs you borrows of the board: none of the domains imports another.
import { lazy, Suspense } from 'react'
import type { Helpers } from '../domains/inbox/steps.tsx'
import { create } from '../domains/projects/new-task-store.ts'

const AgentPicker = lazy(async () => ({ default: (await import('../domains/projects/agent-picker.tsx')).AgentPicker }))

export const helpers: Helpers = {
  makeTask: (title, project) => create.set({ title, project }),
  pickAgent: props => (
    <Suspense>
      <AgentPicker {...props} />
    </Suspense>
  ),
}
