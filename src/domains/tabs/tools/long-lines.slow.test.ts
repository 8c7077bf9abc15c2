// A program that takes whole lines, as a shell script does: the system cuts a line beyond its buffer without a word.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { TestClock } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { answer, launch, TabShop } from '#test/tabs.ts'
import { headerOf } from '../encoder.ts'

type Read = { message: string; state: string; reason: string | null }[]

test.runIf(process.platform === 'linux')('a long letter or first prompt is never delivered in part', async () => {
  const clock = new TestClock()
  const read = { terminal: ['/bin/sh', '-c', 'echo reading; exec cat > received'] }
  await using shop = new TabShop({ config: { engines: { reader: read } }, hub: { clock } })
  const hub = await shop.hub()
  // An unknown program is written to after ten seconds.
  const patience = setInterval(() => clock.advance(1000), 20)
  try {
    const tab = await launch(hub, 'whole', { agent_id: 'reader', prompt: '始'.repeat(1500) })
    const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
    const received = () => fs.readFileSync(`${String(info['worktree_path'])}/received`, 'utf8')
    const frame = Buffer.byteLength(`\u001B[200~${headerOf('operator')}\u001B[201~`)
    const longest = 'x'.repeat(4095 - frame)
    for (const message of [longest, `${longest}y`, '語'.repeat(2700), 'short'])
      answer(await hub.call('gwt_send_message', { target_tab_id: tab, message }))
    const messages = async () => answer(await hub.call('gwt_read_messages', { tab_id: tab }))['messages'] as Read
    await until(async () => (await messages()).every(({ state }) => state !== 'queued'))
    expect((await messages()).map(({ message, state, reason }) => [message.slice(0, 5), state, reason])).toEqual([
      ['xxxxx', 'delivered', null],
      ['xxxxx', 'undeliverable', 'line_too_long'],
      ['語語語語語', 'undeliverable', 'line_too_long'],
      ['short', 'delivered', null],
    ])
    // The first prompt is not among the messages.
    const { problem } = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
    expect(problem).toBe(
      'The first prompt was not delivered: it is too long for a program that takes whole lines. Write it into a file of the worktree and send the path.',
    )
    expect(eventsOf(await rowsOf(hub, 'events'), 'message.undeliverable').map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'line_too_long'),
    )
    const line = (text: string) => `\u001B[200~${headerOf('operator')}${text}\u001B[201~\n`
    await until(() => received().endsWith(line('short')))
    expect(received()).toBe(line(longest) + line('short'))
  } finally {
    clearInterval(patience)
  }
})
