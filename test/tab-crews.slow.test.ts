// Crews that an agent in a tab starts, through the bridge of its own program.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from './bridge/world.ts'
import { crewOn, scriptedConfig } from './crews.ts'
import type { TestHub } from './hub.ts'
import { rowsOf } from './scene.ts'
import { answer, launch, TabShop } from './tabs.ts'

test("a crew works in the worktree of the tab that started it, for the tab's project", async () => {
  const { engines, roles } = scriptedConfig()
  await using shop = new TabShop({ config: { engines, roles, tabs: { toolsets: ['crews'] } } })
  const hub = await shop.hub()
  const [tab, other] = [await launch(hub, 'one'), await launch(hub, 'two')]
  const { groupId } = await callIn(shop, hub, tab, 'create_group', { description: 'roof' })
  const agents = [{ role: 'worker', prompt: '!write roof.txt oak' }]
  const started = await callIn(shop, hub, tab, 'run_agents', { groupId, agents })
  const [{ agentId } = { agentId: '' }] = started['agents'] as { agentId: string }[]

  const worktree = await worktreeOf(hub, tab)
  const [run] = await crewOn(hub, worktree).ended(agentId)
  expect(run).toMatchObject({ status: 'completed', workingDirectory: worktree })
  expect(fs.readFileSync(path.join(worktree, 'roof.txt'), 'utf8')).toContain('oak')
  expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([{ id: agentId, project_id: shop.projectId }])

  // Its project's folder is open to it, another tab's worktree is not.
  const at = (workingDirectory: string) => ({ groupId, agents: [{ ...agents[0], workingDirectory }] })
  expect(await callIn(shop, hub, tab, 'run_agents', at(shop.repository))).toMatchObject({ total: 1 })
  const foreign = await callIn(shop, hub, tab, 'run_agents', at(await worktreeOf(hub, other)))
  expect(foreign).toMatchObject({ error: true, code: 'NOT_ALLOWED' })
})

async function worktreeOf(hub: TestHub, tab: string): Promise<string> {
  return String(answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))['worktree_path'])
}

/** A call that the program in the tab makes. */
async function callIn(shop: TabShop, hub: TestHub, tab: string, tool: string, args: object) {
  const before = shop.notesOf(tab, 'calls').length
  const message = `!call ${tool} ${JSON.stringify(args)}`
  answer(await hub.call('gwt_send_message', { target_tab_id: tab, message }))
  await until(() => shop.notesOf(tab, 'calls').length > before)
  return JSON.parse(shop.notesOf<{ text: string }>(tab, 'calls').at(-1)?.text ?? '{}') as Record<string, unknown>
}
