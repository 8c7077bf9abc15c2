// What memory knows about a question, for Needs you: domains do not import each other.
import { lazy, Suspense } from 'react'

const Fitting = lazy(async () => ({ default: (await import('../domains/memory/fitting.tsx')).Fitting }))

export const fittingDecisions = (project: string, question: string) => (
  <Suspense>
    <Fitting project={project} question={question} />
  </Suspense>
)
