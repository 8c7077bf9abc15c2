import { z } from 'zod'

export const CheckName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be up to 40 lower-case letters, digits and hyphens')
