// What really arrives in a terminal: through the encoder, the host's queue and a PTY in raw mode, byte for byte (T09).
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { until } from '#test/scripted.ts'
import { Onlooker, TerminalShop } from '#test/terminals.ts'
import { cleaned, headerOf, typed } from './encoder.ts'

const SINK = fileURLToPath(new URL('../../../test/fixtures/raw-sink.js', import.meta.url))

const NASTY = [
  '\u001B[201~',
  '\u001B[200~',
  '\r',
  '\n',
  '\u0003',
  '\u009B201~',
  '\u001B]52;c;eA==\u0007',
  '\u202E',
  '\u{E0041}',
  '\u2028',
  '\u0000',
]
const message = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NASTY, '日本語', '👨‍👩‍👧', 'ok '),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ maxLength: 20 }),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''))

async function sink(shop: TerminalShop) {
  const hub = await shop.hub()
  const file = shop.file('received')
  fs.writeFileSync(file, '')
  const options = shop.terminal('', { program: process.execPath, args: [SINK, file] })
  await hub.open(options)
  await until(() => fs.existsSync(options.logFile) && fs.readFileSync(options.logFile, 'utf8').includes('ready'))
  return { hub, id: options.id, received: () => fs.readFileSync(file) }
}

describe.runIf(process.platform === 'linux')('in a terminal', () => {
  test('T09: 20,000 hostile messages arrive as one paste and one Enter each, and nothing else', async () => {
    await using shop = new TerminalShop()
    const { hub, id, received } = await sink(shop)
    const lines = fc.sample(message, 20_000).map(body => headerOf('tab_x') + cleaned(body).text)
    const expected: Buffer[] = []
    let waiting: Promise<unknown>[] = []
    for (const [n, line] of lines.entries()) {
      const { paste, enter } = typed(line)
      expected.push(Buffer.from(paste), Buffer.from(enter))
      waiting.push(hub.type(id, { key: `msg_${n}`, paste, enter, pauseMs: 0 }))
      if (waiting.length < 500) continue
      await Promise.all(waiting)
      waiting = []
    }
    const wanted = Buffer.concat(expected)
    await until(() => received().length >= wanted.length)
    const got = received()
    expect(got.equals(wanted)).toBe(true)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(got)
    expect(text.match(/\r/g)).toHaveLength(lines.length)
    expect(text.split('\u001B[200~[gwt msg from tab_x]: ')).toHaveLength(lines.length + 1)
    // Beside the frames and the Enters there is no control character at all.
    const rest = ['\u001B[200~', '\u001B[201~', '\r'].reduce((left, sign) => left.replaceAll(sign, ''), text)
    expect(rest).not.toMatch(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u)
  })

  test('the same key is typed once, also by the next hub', async () => {
    await using shop = new TerminalShop()
    const { hub, id, received } = await sink(shop)
    const stroke = { key: 'msg_1', ...typed('once'), pauseMs: 300 }
    // Its hub goes in the middle of it.
    void hub.type(id, stroke).catch(() => {})
    await until(() => received().length > 0)
    await hub.dispose('leave')
    const next = await shop.hub()
    expect(await next.type(id, stroke)).toBe('typed')
    expect(await next.type(id, { ...stroke, ifSeq: -1 })).toBe('typed')
    expect(await next.type(id, { ...stroke, key: 'msg_2', pauseMs: 0 })).toBe('typed')
    const one = '\u001B[200~once\u001B[201~\r'
    await until(() => received().length >= one.length * 2)
    expect(received().toString()).toBe(one + one)
  })

  test('nothing is typed when the screen has changed since it was looked at', async () => {
    await using shop = new TerminalShop()
    const { hub, id, received } = await sink(shop)
    const { seq } = await hub.screen(id)
    using person = await Onlooker.at(hub, id)
    person.type('h')
    await until(() => received().length > 0)
    expect(await hub.type(id, { key: 'k', ...typed('late'), pauseMs: 0, ifSeq: seq })).toBe('changed')
    const now = await hub.screen(id)
    expect(now).toMatchObject({ unsent: true, seq: seq + 1 })
    expect(await hub.type(id, { key: 'k', ...typed('now'), pauseMs: 0, ifSeq: now.seq })).toBe('typed')
    await until(() => received().includes('\r'))
    expect(received().toString()).toBe('h\u001B[200~now\u001B[201~\r')
  })

  test("a person's keys wait until the line is sent", async () => {
    await using shop = new TerminalShop()
    const { hub, id, received } = await sink(shop)
    using person = await Onlooker.at(hub, id)
    const typing = hub.type(id, { key: 'k', ...typed('whole'), pauseMs: 400 })
    await until(() => received().length > 0)
    person.type('me')
    await typing
    await until(() => received().includes('me'))
    expect(received().toString()).toBe('\u001B[200~whole\u001B[201~\rme')
  })
})
