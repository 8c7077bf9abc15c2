import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { RawSocket } from '#test/raw-socket.ts'
import { answer, launch, TabShop } from '#test/tabs.ts'
import { until } from '#test/until.ts'

const programs = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-programs-'))
afterAll(() => fs.rmSync(programs, { recursive: true }))

test.each(databases)(
  'what the program in a tab calls its conversation is the tab’s session_id (%s)',
  async database => {
    await using shop = new TabShop({ database })
    const hub = await shop.hub()
    const [own, other] = [await launch(hub, 'own'), await launch(hub, 'other')]
    const sessionOf = async (tab: string) => answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))['session_id']
    const credential = fs.readFileSync(path.join(shop.home, 'toryo', 'tabs', own, 'ticket'), 'utf8').trim()
    const socket = await RawSocket.open(hub, { credential, secret: 'its own connection', toolsets: 'tabs' })
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
    const person = await RawSocket.open(hub, { toolsets: 'tabs' })
    const said = await person.request('tools/call', { name: 'gwt_list_tabs', arguments: {}, _meta: { threadId: 'x' } })
    expect(said.error).toBeUndefined()
    expect(await sessionOf(other)).toBe(null)
    person.cut()
  },
)

const UUID = '01a1e977-70bc-72a3-8fa2-61d0c3d611ad'

/** Program, what it shows last, and the id in it. */
const FAREWELLS: [string, string, string | null][] = [
  ['codex', `Token usage: total=120\\nTo continue this session, run:\\n  codex resume ${UUID}\\n`, UUID],
  [
    'opencode',
    '  Session   A title\\n  Continue  opencode -s ses_e168a9561ffecA622OUdzt589K\\n\\n',
    'ses_e168a9561ffecA622OUdzt589K',
  ],
  ['codex', `someone wrote:\\n  codex resume ${UUID}\\nand then it fell\\n`, null],
  ['opencode', '  Continue  opencode -s ../../etc\\n', null],
]

test.each(FAREWELLS)('%s names its conversation when it ends: %s', async (engine, shown, id) => {
  await using shop = new TabShop({ hub: { engineEnv: { PATH: `${programs}:/usr/bin:/bin`, HOME: programs } } })
  fs.writeFileSync(path.join(programs, engine), `#!/bin/sh\nprintf '${shown}'\n`, { mode: 0o755 })
  const hub = await shop.hub()
  const wish = { agent_id: engine, branch: 'work', project_id: shop.projectId }
  const { tab_id } = answer(await hub.call('gwt_launch_agent', wish))
  const shownTab = async () => answer(await hub.call('gwt_get_tab_info', { tab_id }))
  await until(async () => (await shownTab())['status'] === 'exited')
  expect((await shownTab())['session_id']).toBe(id)
})
