import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { RawSocket } from '#test/raw-socket.ts'
import { answer, launch, TabShop } from '#test/tabs.ts'
import { until } from '#test/until.ts'

test.each(databases)(
  'what the program in a tab calls its conversation is the tab’s session_id (%s)',
  async database => {
    await using shop = new TabShop({ database })
    const hub = await shop.hub()
    const [own, other] = [await launch(hub, 'own'), await launch(hub, 'other')]
    const sessionOf = async (tab: string) =>
      answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))['session_id'] as unknown
    const credential = fs.readFileSync(path.join(shop.home, 'toryo', 'tabs', own, 'ticket'), 'utf8')
    const socket = await RawSocket.open(hub, { credential, secret: 'its own connection' })
    const look = (threadId: unknown) =>
      socket.request('tools/call', { name: 'gwt_list_tabs', arguments: {}, _meta: { threadId } })

    for (const wrong of [7, '', '../x', 'x'.repeat(201)]) await look(wrong)
    expect(await sessionOf(own)).toBe(null)
    await look('019a-first')
    await until(async () => (await sessionOf(own)) !== null)
    // A program may hold other conversations beside it.
    await look('019a-second')
    expect([await sessionOf(own), await sessionOf(other)]).toEqual(['019a-first', null])
    socket.cut()

    // Of a person's own client there is no tab to keep it for.
    const person = await RawSocket.open(hub)
    const said = await person.request('tools/call', { name: 'gwt_list_tabs', arguments: {}, _meta: { threadId: 'x' } })
    expect(said.error).toBeUndefined()
    expect(await sessionOf(other)).toBe(null)
    person.cut()
  },
)
