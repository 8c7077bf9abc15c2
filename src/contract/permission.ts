// What an engine may do that a caller started, and the rule that it is never more than what its starter may.
import { z } from 'zod'
import { CoreError } from './errors.ts'

/** From the least to the most. */
const PERMISSIONS = ['read', 'edit', 'full'] as const
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.infer<typeof Permission>

/** What instances of agents are started with, and what a tab counts as when it starts others. */
export const USUAL_PERMISSION: Permission = 'edit'

/** `own`: the program in the tab asks the person what it is set up to ask; nothing is allowed on its command line. */
export const TabPermission = z.enum(['own', ...PERMISSIONS])
export type TabPermission = z.infer<typeof TabPermission>

/** What may be passed on by a tab with this permission. */
export function grantedBy(permission: TabPermission): Permission {
  return permission === 'own' ? USUAL_PERMISSION : permission
}

/** Refuses what would be allowed more than its starter. `own` is undefined for a person. */
export function mayGrant(wanted: Permission, own: Permission | undefined, role: string | null): void {
  if (own !== undefined && PERMISSIONS.indexOf(wanted) > PERMISSIONS.indexOf(own))
    throw CoreError.PERMISSION_EXCEEDED({ role, wanted, own })
}

/** The weakest of what is known. */
export function leastOf(all: readonly (Permission | undefined)[]): Permission | undefined {
  return PERMISSIONS.find(permission => all.includes(permission))
}
