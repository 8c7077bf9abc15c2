// Trust in the agent configuration that a folder brings.
import { z } from 'zod'
import { ProjectId } from '../id-types.ts'
import { operation, somewhere } from './shapes.ts'

export const trustApi = {
  'project.trust': operation(
    z.object({
      ...somewhere,
      from: z.string().min(1).max(4096).optional().describe('Trust what this folder has, such as a worktree'),
      runner: z.string().max(100).optional().describe('Trust what this Runner saw on its machine'),
      seen: z.string().max(100).optional().describe('Hash of `trust.look`: refuses anything else than what it showed'),
    }),
    z.object({
      project_id: ProjectId.nullable(),
      directory: z.string(),
      remote: z.string(),
      files: z.array(z.string()),
    }),
  ),
  /** What `project.trust` would trust. */
  'trust.look': operation(
    z.object({ directory: z.string().min(1).max(4096) }),
    z.object({
      directory: z.string(),
      files: z.array(z.string()),
      unknown: z.array(z.string()).describe('Those that are not trusted as they are'),
      hash: z.string(),
    }),
  ),
}
