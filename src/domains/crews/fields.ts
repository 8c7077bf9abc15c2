import { z } from 'zod'
import { PROMPT_MAX, RunStatus } from '#contract/crews.ts'

const MOST_MS = 7 * 24 * 3600 * 1000

export const askedRun = z.object({
  role: z.string().describe('The role, by its id; list_roles shows them'),
  prompt: z
    .string()
    .max(PROMPT_MAX)
    .regex(/\S/, 'must not be empty')
    .describe('What to do; it sees nothing else of you'),
  workingDirectory: z.string().max(4096).optional().describe('Absolute path; without it your own folder'),
  timeout_ms: z.number().positive().max(MOST_MS).optional().describe('Ends it after this many milliseconds'),
})

export const startedRun = z.object({
  agentId: z.string(),
  groupId: z.string(),
  role: z.string(),
  model: z.string(),
  status: RunStatus,
})
