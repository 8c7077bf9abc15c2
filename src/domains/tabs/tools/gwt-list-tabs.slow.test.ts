import { expect, test } from 'vitest'
import { callBy, invoke } from '#test/scene.ts'
import { answer, becomes, launch, STRANGER, TabShop } from '#test/tabs.ts'

test('lists the live tabs that the caller may see, and none that has ended', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  expect(JSON.parse((await hub.call('gwt_list_tabs')).text)).toEqual([])
  const [tab, gone] = [await launch(hub, 'a'), await launch(hub, 'b')]
  await becomes(hub, tab, 'idle')
  answer(await hub.call('gwt_stop_tab', { tab_id: gone }))
  const { text, result } = await hub.call('gwt_list_tabs')
  const shown = [{ tab_id: tab, agent_type: 'tui', branch: 'a', status: 'idle', project_id: shop.projectId }]
  expect(JSON.parse(text)).toEqual(shown)
  expect(result['structuredContent']).toEqual({ tabs: shown })
  expect(await invoke(hub, 'gwt_list_tabs', {}, callBy(STRANGER))).toMatchObject({ ok: true, value: { tabs: [] } })
})
