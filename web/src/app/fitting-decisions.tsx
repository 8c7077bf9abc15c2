// What memory knows about a question, for Needs you: domains do not import each other.
import { Suspense } from 'react'
import { later } from '../parts/later.tsx'

const Fitting = later(async () => (await import('../domains/memory/fitting.tsx')).Fitting)

export const fittingDecisions = (project: string, question: string) => (
  <Suspense>
    <Fitting project={project} question={question} />
  </Suspense>
)
