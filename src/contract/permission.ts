// What an engine may do that somebody started, and the rule that it is never more than what its starter may.
import { z } from 'zod'
import { error, errors } from './errors.ts'

/** From the least to the most. */
const PERMISSIONS = ['read', 'edit', 'full'] as const
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.infer<typeof Permission>

/** What tabs, and instances of agents, are started with. */
export const USUAL_PERMISSION: Permission = 'edit'

export const PermissionError = errors({
  /** `role` is null for a tab, which has none. */
  PERMISSION_EXCEEDED: error('forbidden', (p: { role: string | null; wanted: Permission; own: Permission }) =>
    p.role === null
      ? {
          en: `A tab has the permission ${p.wanted}, and you were started with ${p.own}: what you start may do no more than you. Ask the operator to launch it.`,
          ja: `タブの権限は ${p.wanted} ですが、あなたは ${p.own} で起動されています。自分より強い権限のものは起動できません。オペレーターに起動を依頼してください。`,
        }
      : {
          en: `Role ${p.role} has the permission ${p.wanted}, and you were started with ${p.own}: what you start may do no more than you. Choose a role with less (list_roles shows them), or ask the operator to start it.`,
          ja: `ロール ${p.role} の権限は ${p.wanted} ですが、あなたは ${p.own} で起動されています。自分より強い権限のものは起動できません。権限の弱いロール (list_roles で確認できます) を選ぶか、オペレーターに起動を依頼してください。`,
        },
  ),
})

/** Refuses what would be allowed more than whoever starts it. `own` is undefined for a person. */
export function mayGrant(wanted: Permission, own: Permission | undefined, role: string | null): void {
  if (own !== undefined && PERMISSIONS.indexOf(wanted) > PERMISSIONS.indexOf(own))
    throw PermissionError.PERMISSION_EXCEEDED({ role, wanted, own })
}

/** The weakest of what is known. */
export function leastOf(all: readonly (Permission | undefined)[]): Permission | undefined {
  return PERMISSIONS.find(permission => all.includes(permission))
}
