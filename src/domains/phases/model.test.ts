import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProjectId } from '#contract/id-types.ts'
import { OUTCOMES, PHASES, type Phase } from '#contract/phases.ts'
import { currentOf, ended, nextOf, type PhaseState, requestDigest, started, startsWhenAsked } from './model.ts'

test('whatever is asked for in whatever order, phases end in order and at most one is in progress', () => {
  const step = fc.record({ phase: fc.constantFrom(...PHASES), outcome: fc.constantFrom('ask' as const, ...OUTCOMES) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const states = new Map<Phase, PhaseState>()
      for (const { phase, outcome } of steps) {
        const state = states.get(phase)
        if (outcome === 'ask') {
          if (startsWhenAsked(phase, state)) states.set(phase, started('p' as ProjectId, phase, 0, 1, state))
        } else if (state?.status === 'in_progress') {
          states.set(phase, ended(state, { status: outcome }, 2))
          const next = outcome === 'failed' ? null : nextOf(phase)
          if (next) states.set(next, started('p' as ProjectId, next, 0, 2))
        }
        const all = [...states.values()]
        expect(all.filter(known => known.status === 'in_progress').length).toBeLessThanOrEqual(1)
        const current = currentOf(all)
        if (current === null) continue
        for (const earlier of PHASES.slice(0, PHASES.indexOf(current)))
          expect(states.get(earlier)?.status).toBe('completed')
      }
    }),
  )
})

test('the digest of a result sees every field and no order', () => {
  const digest = requestDigest({ status: 'completed', outputFiles: ['a', 'b'], summary: 's' })
  expect(requestDigest({ summary: 's', outputFiles: ['a', 'b'], status: 'completed' })).toBe(digest)
  for (const other of [
    { status: 'partial' as const, outputFiles: ['a', 'b'], summary: 's' },
    { status: 'completed' as const, outputFiles: ['b', 'a'], summary: 's' },
    { status: 'completed' as const, outputFiles: ['a', 'b'] },
    { status: 'completed' as const, outputFiles: ['a', 'b'], summary: 's', extra: 1 },
  ])
    expect(requestDigest(other)).not.toBe(digest)
})
