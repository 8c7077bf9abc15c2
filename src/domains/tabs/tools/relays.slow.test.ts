// How far a message goes from mouth to mouth, and whom a message to all reaches (T27).
import { describe, expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { until } from '#test/bridge/world.ts'
import { TestClock, type TestHub } from '#test/hub.ts'
import { callBy, invoke } from '#test/scene.ts'
import { answer, becomes, launch, TabShop } from '#test/tabs.ts'

type Sent = { message_id: string; sent_count: number }

/** As the agent in a tab, whatever its screen shows. */
async function by(shop: TabShop, hub: TestHub, tab: string, tool: string, args: object): Promise<Sent> {
  const caller = { kind: 'tab', tabId: tab, projectId: shop.projectId, depth: 1 } as Caller
  const outcome = await invoke(hub, tool, args, callBy(caller))
  if (!outcome.ok) throw outcome.error
  return outcome.value as Sent
}

/** How often what this tab says now was passed on. */
async function hopsOf(shop: TabShop, hub: TestHub, tab: string, to: string): Promise<unknown> {
  const { message_id } = await by(shop, hub, tab, 'gwt_send_message', { target_tab_id: to, message: 'so I was told' })
  const { messages } = await hub.api('tab.show', { tab_id: to })
  return messages.find(message => message.message_id === message_id)?.hops
}

const heard = (shop: TabShop, hub: TestHub, tab: string) =>
  until(async () => {
    const { messages } = await hub.api('tab.show', { tab_id: tab })
    return messages.every(({ state }) => state === 'delivered') && shop.lines(tab).length > 0
  })

describe('what a tab says counts as passed on', () => {
  test('when an agent that is no person told it', async () => {
    await using shop = new TabShop()
    const hub = await shop.hub()
    const [one, two] = [await launch(hub, 'one'), await launch(hub, 'two')]
    const agent = await hub.api('agent.add', { name: 'worker', engine: 'claude' })
    await hub.api('project.assign', { project_id: shop.projectId, agent_id: agent.agent_id })
    const worker = await hub.connect()
    await worker.signIn(agent.agent_id, agent.passkey, shop.projectId)
    answer(await worker.call('gwt_send_message', { target_tab_id: one, message: 'tell two' }))
    await heard(shop, hub, one)
    expect(await hopsOf(shop, hub, one, two)).toBe(2)
  })

  test('when it was told long ago, but could hear it only now', async () => {
    const clock = new TestClock()
    await using shop = new TabShop({ hub: { clock } })
    const hub = await shop.hub()
    const [one, two] = [await launch(hub, 'one'), await launch(hub, 'two')]
    await becomes(hub, one, 'idle')
    await by(shop, hub, two, 'gwt_send_message', { target_tab_id: one, message: 'tell !ask me' })
    await becomes(hub, one, 'waiting')
    clock.advance(11 * 60_000)
    await shop.show(hub, one, 'prompt', '> [gwt msg')
    await heard(shop, hub, one)
    expect(await hopsOf(shop, hub, one, two)).toBe(2)
    clock.advance(11 * 60_000)
    expect(await hopsOf(shop, hub, one, two)).toBe(1)
  })

  test('when it may have read it, although it was not typed yet', async () => {
    await using shop = new TabShop()
    const hub = await shop.hub()
    const [one, two] = [await launch(hub, 'one'), await launch(hub, 'two')]
    await shop.show(hub, one, 'menu', '1. Yes')
    await by(shop, hub, two, 'gwt_send_message', { target_tab_id: one, message: 'tell me' })
    expect(await hopsOf(shop, hub, one, two)).toBe(2)
    expect(shop.notesOf(one, 'bytes')).toBe('')
  })
})

test('a tab that takes nothing any more keeps no other from hearing what is said to all', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const [deaf, one, two] = [await launch(hub, 'deaf'), await launch(hub, 'one'), await launch(hub, 'two')]
  await shop.show(hub, deaf, 'menu', '1. Yes')
  for (let n = 0; n < 500; n++) await invoke(hub, 'gwt_send_message', { target_tab_id: deaf, message: `m${n}` })
  expect(await by(shop, hub, one, 'gwt_broadcast_message', { message: 'main is red' })).toMatchObject({ sent_count: 1 })
  await until(() => shop.lines(two).length > 0)
  expect(shop.lines(two)).toEqual([`[gwt msg from ${one}]: main is red`])
  // It can read it all the same, should it ever look.
  const { messages } = await hub.api('tab.show', { tab_id: deaf })
  expect(messages.at(-1)).toMatchObject({ message: 'main is red', state: 'undeliverable', reason: 'mailbox_full' })
  await expect(by(shop, hub, one, 'gwt_send_message', { target_tab_id: deaf, message: 'x' })).rejects.toMatchObject({
    code: 'MAILBOX_FULL',
  })
})
