// What Needs you borrows of the board: none of the domains imports another.
import { Suspense } from 'react'
import type { Helpers } from '../domains/inbox/steps.tsx'
import { create } from '../domains/projects/new-task-store.ts'
import { later } from '../parts/later.tsx'

const AgentPicker = later(async () => (await import('../domains/projects/agent-picker.tsx')).AgentPicker)

export const helpers: Helpers = {
  makeTask: (title, project) => create.set({ title, project }),
  pickAgent: props => (
    <Suspense>
      <AgentPicker {...props} />
    </Suspense>
  ),
}
