import { z } from 'zod'
import { isId } from './ids.ts'
import { isNoSecret, NO_SECRET } from './secrets.ts'

/** Ids that people choose themselves. */
export const OwnId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'use letters, digits, dot, dash and underscore, at most 100')
  .refine(isNoSecret, NO_SECRET)
  .refine(isId, 'do not end with a dot, and do not use a device name of Windows such as "nul"')
