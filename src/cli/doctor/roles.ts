// The doctor's look at the roles, as the hub sees them: its environment and configuration decide, not this terminal's.
import type { Connection } from '../connect.ts'
import { doctorTexts } from '../texts-doctor.ts'
import type { Finding } from './finding.ts'

export async function roleFindings(hub: Connection): Promise<Finding[]> {
  const { roles } = await hub.call('role.list', { refresh: true })
  return [...byReason(roles)].flatMap(([reason, group]): Finding[] => {
    const engine = group[0]?.engine ?? '-'
    if (reason !== undefined) {
      const ids = group.map(({ id }) => id)
      const text = doctorTexts.rolesMissing(ids.join(', '), reason)
      return [{ check: `role.${ids[0]}`, level: 'warn', text, fix: doctorTexts.roleFix(engine) }]
    }
    return group.map(({ id, engine, model, toolsets = [] }) => {
      const text = doctorTexts.roleOk(id, engine ?? '-', model, toolsets.join(', '))
      return { check: `role.${id}`, level: 'ok', text }
    })
  })
}

/** One cause is one finding, however many roles it concerns. */
function byReason<R extends { reason?: string | undefined }>(roles: readonly R[]): Map<string | undefined, R[]> {
  const groups = new Map<string | undefined, R[]>()
  for (const role of roles) groups.set(role.reason, [...(groups.get(role.reason) ?? []), role])
  return groups
}
