// What really arrives in a terminal: through the encoder, the host's queue and a PTY in raw mode, byte for byte (T09).
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { until } from '#test/scripted.ts'
import { TestViewer, TerminalShop } from '#test/terminals.ts'
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
  // Twenty thousand messages through a real terminal: minutes where much else runs.
  const LONG = { timeout: 240_000 }

  test('T09: 20,000 hostile messages arrive as one paste and one Enter each, and nothing else', LONG, async () => {
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
    using person = await TestViewer.at(hub, id)
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
    using person = await TestViewer.at(hub, id)
    const typing = hub.type(id, { key: 'k', ...typed('whole'), pauseMs: 400 })
    await until(() => received().length > 0)
    person.type('me')
    await typing
    await until(() => received().includes('me'))
    expect(received().toString()).toBe('\u001B[200~whole\u001B[201~\rme')
  })

  describe('a program that takes whole lines', () => {
    /** So many bytes in the terminal, with the frame of the paste. */
    const strokeOf = (key: string, bytes: number, letter = 'x') => {
      const frame = typed('').paste.length
      const letters = Math.floor((bytes - frame) / Buffer.byteLength(letter))
      const line = letter.repeat(letters) + '.'.repeat(bytes - frame - letters * Buffer.byteLength(letter))
      return { key, ...typed(line), pauseMs: 0 }
    }
    const sentBy = ({ paste }: { paste: Uint8Array }) => `${Buffer.from(paste).toString()}\n`

    test.each(['x', '日', '👩'])('gets lines of %s whole or not at all, and reads on', async letter => {
      await using shop = new TerminalShop()
      const hub = await shop.hub()
      const file = shop.file('received')
      const options = shop.terminal(`echo ready; exec cat > '${file}'`)
      await hub.open(options)
      await until(() => fs.existsSync(options.logFile) && fs.readFileSync(options.logFile, 'utf8').includes('ready'))
      const received = () => fs.readFileSync(file, 'utf8')
      const fits = strokeOf('fits', 4095, letter)
      expect(await hub.type(options.id, fits)).toBe('typed')
      for (const bytes of [4096, 4097, 5000, 8192, 65_536])
        await expect(hub.type(options.id, strokeOf(`long ${bytes}`, bytes, letter))).rejects.toMatchObject({
          problem: 'too-long',
        })
      const last = strokeOf('last', 100, letter)
      expect(await hub.type(options.id, last)).toBe('typed')
      await until(() => received().endsWith(sentBy(last)))
      expect(received()).toBe(sentBy(fits) + sentBy(last))
    })

    test('is noticed also when it has just begun to', async () => {
      await using shop = new TerminalShop()
      const hub = await shop.hub()
      const file = shop.file('received')
      const script = `stty raw -echo; echo raw; head -c 5001 > /dev/null; stty sane; echo cooked; exec cat > '${file}'`
      const options = shop.terminal(script)
      await hub.open(options)
      using person = await TestViewer.at(hub, options.id)
      await person.sees('raw')
      // Seen as one that reads key by key while it does so the last time.
      expect(await hub.type(options.id, strokeOf('first', 5000))).toBe('typed')
      await person.sees('cooked')
      await expect(hub.type(options.id, strokeOf('long', 5000))).rejects.toMatchObject({ problem: 'too-long' })
      const last = strokeOf('last', 100)
      expect(await hub.type(options.id, last)).toBe('typed')
      await until(() => fs.readFileSync(file, 'utf8').endsWith(sentBy(last)))
      expect(fs.readFileSync(file, 'utf8')).toBe(sentBy(last))
    })
  })

  test('a program that reads key by key gets the longest line whole', async () => {
    await using shop = new TerminalShop()
    const { hub, id, received } = await sink(shop)
    const stroke = { key: 'long', ...typed('日本語👩'.repeat(5000)), pauseMs: 0 }
    expect(await hub.type(id, stroke)).toBe('typed')
    const wanted = Buffer.concat([stroke.paste, stroke.enter])
    await until(() => received().length >= wanted.length)
    expect(received().equals(wanted)).toBe(true)
  })
})
