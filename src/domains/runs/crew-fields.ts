import { z } from 'zod'
import { PROMPT_MAX, RunStatus } from '#contract/crews.ts'

const MOST_MS = 7 * 24 * 3600 * 1000

export const askedRun = z.object({
  role: z.string().describe('Role id, from list_roles'),
  prompt: z
    .string()
    .max(PROMPT_MAX)
    .regex(/\S/, 'must not be empty')
    .describe('What to do, in full: it sees nothing of your conversation'),
  workingDirectory: z.string().max(4096).optional().describe('Absolute path (default: your own folder)'),
  timeout_ms: z.number().positive().max(MOST_MS).optional().describe("Time limit in milliseconds (default: the hub's)"),
})

export const startedRun = z.object({
  agentId: z.string(),
  groupId: z.string(),
  role: z.string(),
  model: z.string(),
  status: RunStatus,
})
