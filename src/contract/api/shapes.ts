// What the parts of the API share: how an operation is declared, and inputs and outputs that many have.
import { z } from 'zod'
import { ProjectId } from '../id-types.ts'
import { isNoSecret, NO_SECRET } from '../secrets.ts'

export const operation = <I extends z.ZodObject, O extends z.ZodObject>(input: I, output: O) => ({ input, output })
export const page = { limit: z.int().min(1).optional(), cursor: z.string().optional() }
export const more = { next_cursor: z.string().optional(), truncated: z.boolean().optional() }
export const project = z.object({ project_id: ProjectId })
/** A project by its id or by its folder. */
export const somewhere = { project_id: ProjectId.optional(), directory: z.string().min(1).max(4096).optional() }
export const EngineId = z.string().min(1).max(100).refine(isNoSecret, NO_SECRET)
export const Name = z.string().trim().min(1).max(200)
/** Lines around a change; git's own three by default. */
export const ContextLines = z.int().min(0).max(1_000_000)
