import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '#test/certificate.ts'
import { until } from '#test/scripted.ts'
import { TestViewer, TerminalShop } from '#test/terminals.ts'
import type { HostTerminals } from './host-terminals.ts'

const TALK = 'echo ready; while read line; do echo "<$line>"; done'

async function talking(shop: TerminalShop): Promise<{ hub: HostTerminals; id: string }> {
  const hub = await shop.hub()
  const options = shop.terminal(TALK)
  await hub.open(options)
  return { hub, id: options.id }
}

const descriptors = (pid: number | 'self') => fs.readdirSync(`/proc/${pid}/fd`).length

describe.runIf(process.platform === 'linux')('viewers', () => {
  test('is handed over to the host: they stay when the hub goes, and the next hub knows of them', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    using viewer = await TestViewer.at(hub, id)
    await until(() => hub.viewers === 1)
    await hub.dispose('leave')
    viewer.type('still here\r')
    await viewer.sees('<still here>')
    const next = await shop.hub()
    expect(next.viewers).toBe(1)
    viewer[Symbol.dispose]()
    await until(() => next.viewers === 0)
  })

  test('is passed on to the host of an earlier hub, or when encrypted; such a connection ends with the hub', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    const { cert, key } = makeCertificate(shop.home)
    const tls = { cert: fs.readFileSync(cert), key: fs.readFileSync(key) }
    using encrypted = await TestViewer.at(hub, id, { tls })
    encrypted.type('over TLS\r')
    await encrypted.sees('<over TLS>')
    await hub.dispose('leave')
    expect(await encrypted.closed).toBe(1006)
    const next = await shop.hub()
    using late = await TestViewer.at(next, id)
    await late.sees('<over TLS>')
    late.type('to an earlier host\r')
    await late.sees('<to an earlier host>')
    expect(next.viewers).toBe(1)
    await next.dispose('leave')
    expect(await late.closed).toBe(1006)
  })

  test('leaves nothing behind, neither in the hub nor in the host', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    const { pid } = shop.host().record
    const watch = async () => {
      using viewer = await TestViewer.at(hub, id)
      await viewer.heard()
    }
    await watch()
    const before = [descriptors('self'), descriptors(pid)]
    for (let round = 0; round < 20; round++) await watch()
    await until(() => hub.viewers === 0)
    await until(() => descriptors('self') <= (before[0] ?? 0) && descriptors(pid) <= (before[1] ?? 0))
  })

  test('is answered when a host that hangs goes on, and cut off when it dies', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    const { pid } = shop.host().record
    const twoShown = () => {
      let shown = 0
      const two = [1, 2].map(() => TestViewer.at(hub, id, { shown: () => void shown++ }))
      return { two, both: until(() => shown === 2) }
    }
    process.kill(pid, 'SIGSTOP')
    const { two, both } = twoShown()
    let answered = false
    void Promise.race(two).then(() => (answered = true))
    await both
    expect(answered).toBe(false)
    process.kill(pid, 'SIGCONT')
    const [viewer, other] = (await Promise.all(two)) as [TestViewer, TestViewer]
    viewer.type('at last\r')
    await viewer.sees('<at last>')

    process.kill(pid, 'SIGSTOP')
    const { two: unlucky, both: underWay } = twoShown()
    await underWay
    process.kill(pid, 'SIGKILL')
    for (const one of [...unlucky, viewer, other]) expect(await (await one).closed).toBe(1006)
    using told = await TestViewer.at(hub, id)
    expect(told.exits).toMatchObject([{ lost: true }])
  })

  test('is let go when the host can open nothing more, and leaves nothing behind', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    const { pid } = shop.host().record
    const limit = (most: string) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}`])
    limit(`${descriptors(pid)}:1024`)
    const before = descriptors('self')
    using viewer = await TestViewer.at(hub, id)
    expect(await viewer.closed).toBe(1006)
    expect(viewer.screens).toEqual([])
    await until(() => descriptors('self') <= before)
    limit('1024:1024')
    using next = await TestViewer.at(hub, id)
    await next.sees('ready')
  })

  test('floods with pings and reads nothing: the answers fill nobody’s memory', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    const { pid } = shop.host().record
    const resident = () => Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    using viewer = await TestViewer.at(hub, id)
    const before = resident()
    await viewer.flood(300_000)
    expect(resident() - before).toBeLessThan(50_000)
    using other = await TestViewer.at(hub, id)
    other.type('not disturbed\r')
    await other.sees('<not disturbed>')
  })

  test('cannot be shown by a host that does not answer, when their connection is passed on', async () => {
    await using shop = new TerminalShop()
    const { hub, id } = await talking(shop)
    const { pid } = shop.host().record
    await hub.dispose('leave')
    const next = await shop.hub()
    process.kill(pid, 'SIGSTOP')
    await expect(TestViewer.at(next, id)).rejects.toMatchObject({ problem: 'no-host' })
    await expect(next.screen(id)).rejects.toMatchObject({ problem: 'no-host' })
    process.kill(pid, 'SIGCONT')
    using viewer = await TestViewer.at(next, id)
    await viewer.sees('ready')
  })

  test.each(['handed over', 'passed on'])(
    'loses nothing of what came in one piece with the request, when %s',
    async way => {
      await using shop = new TerminalShop()
      const opened = await talking(shop)
      const { id } = opened
      let { hub } = opened
      if (way === 'passed on') {
        await hub.dispose('leave')
        hub = await shop.hub()
      }
      const door = http.createServer()
      let shown = ''
      door.on('upgrade', (request, socket, head) => {
        shown = head.toString('latin1')
        void hub.show(id, { request, socket, head, readOnly: false, size: undefined, revocable: false })
      })
      await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
      const eager = net.connect((door.address() as net.AddressInfo).port, '127.0.0.1')
      const lines = ['GET / HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: websocket', 'authorization: secret']
      const handshake = ['sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==']
      const request = Buffer.from(`${[...lines, ...handshake].join('\r\n')}\r\n\r\n`)
      // A binary frame with "hi\r", masked with zeros.
      eager.write(Buffer.concat([request, Buffer.from([0x82, 0x83, 0, 0, 0, 0, 0x68, 0x69, 0x0d])]))
      let heard = ''
      eager.on('data', chunk => (heard += chunk.toString()))
      await until(() => heard.includes('<hi>'))
      expect(shown).toHaveLength(9)
      expect(heard).toContain('101 Switching Protocols')
      eager.destroy()
      door.close()
    },
  )
})
