import { expect, test } from 'vitest'
import { TabShop } from '#test/tabs.ts'
import { until } from '#test/until.ts'

test('a tab that waits is named after the agent that signed in there, else after its task, else its engine', async () => {
  await using shop = new TabShop({ config: { engines: {}, tabs: { toolsets: ['agent'] } } })
  const hub = await shop.hub()
  const project_id = shop.projectId
  for (const [id, name] of [
    ['agt_aoi', 'Aoi'],
    ['agt_ren', 'Ren'],
  ] as const) {
    await hub.api('agent.add', { id, name, engine: 'tui' })
    await hub.api('project.assign', { project_id, agent_id: id })
  }
  const { task_id } = await hub.api('task.add', { project_id, title: 'Roof', assignee_id: 'agt_ren' })
  const { passkey } = await hub.api('agent.rotate', { agent_id: 'agt_aoi' })
  const alone = await hub.api('tab.launch', { engine: 'tui', branch: 'feature/login', project_id })
  const onTask = await hub.api('tab.launch', { engine: 'tui', task_id })
  const waiting = async (tab: string) =>
    until(async () => (await hub.api('inbox.list', {})).items.find(({ tab_id }) => tab_id === tab))

  await shop.show(hub, alone.tab_id, 'menu', 'Run this command?')
  expect(await waiting(alone.tab_id)).toMatchObject({ engine: 'tui', agent_name: null })
  await shop.show(hub, onTask.tab_id, 'menu', 'Run this command?')
  expect(await waiting(onTask.tab_id)).toMatchObject({ agent_name: 'Ren', handle: expect.any(String) })

  await shop.show(hub, alone.tab_id, 'prompt', '> ')
  const said = JSON.stringify({ agent_id: 'agt_aoi', passkey, project_id })
  await hub.api('tab.send', { tab_id: alone.tab_id, message: `!call authenticate ${said}` })
  await until(() => shop.notesOf(alone.tab_id, 'calls').length > 0)
  await shop.show(hub, alone.tab_id, 'menu', 'Run this command?')
  expect(await waiting(alone.tab_id)).toMatchObject({ agent_id: 'agt_aoi', agent_name: 'Aoi', engine: 'tui' })
})
