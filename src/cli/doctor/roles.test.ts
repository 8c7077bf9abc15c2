import { expect, test } from 'vitest'
import type { Connection } from '../connect.ts'
import { roleFindings } from './roles.ts'

test('a role without a model of its own is said in both languages', async () => {
  const role = { id: 'planner', available: true, engine: 'claude', model: 'default', toolsets: [] }
  const hub = { call: async () => ({ roles: [role] }) } as unknown as Connection
  const [finding] = await roleFindings(hub)
  expect(finding?.text).toEqual({ en: 'Role planner: claude (default)', ja: 'ロール planner: claude (既定)' })
})
