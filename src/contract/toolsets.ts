// The names of the toolsets, for all who may choose: `--toolsets`, the configuration, an agent's registration.
import { z } from 'zod'

export const TOOLSETS = [
  'runner',
  'agent',
  'projects',
  'planning',
  'legacy',
  'crews',
  'phases',
  'memory',
  'tabs',
  'review',
] as const
export type ToolsetName = (typeof TOOLSETS)[number]

/** What a program was started for: an agent's task, a run in a project or outside of all, a review, a tab. */
export type Work = 'instance' | 'run' | 'lone-run' | 'review' | 'tab'

/** `runner` is left out: its tools are for Runners, which ask for it themselves. `review` is for runs that were started to review. */
export const GIVEN_TOOLSETS = TOOLSETS.filter(name => name !== 'runner' && name !== 'review')

export type GivenToolset = (typeof GIVEN_TOOLSETS)[number]

/** What agents, roles, tabs and the registered bridge are given besides what they have anyway. */
export const GivenToolsets = z.array(
  z.enum(GIVEN_TOOLSETS, {
    error: issue => `toolset ${JSON.stringify(issue.input)} cannot be given; use any of ${GIVEN_TOOLSETS.join(', ')}`,
  }),
)
