import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { launch } from '#kernel/processes/launch.ts'
import { isRunning, markedProcesses, newMarker, temporaryFolder, until } from '#test/scripted.ts'
import { TestViewer, TerminalShop, typeIn } from '#test/terminals.ts'
import { frame, FrameReader } from './frames.ts'
import { HostFiles, type HostState, reach } from './host-files.ts'
import { HostLink, NotTheHost } from './host-link.ts'
import { proof, sameProof } from './protocol.ts'

const nobody = { welcomed: () => {}, event: () => {}, closed: () => {} }

/** A socket to a host, and what it says. */
async function stranger({ socket }: HostState) {
  const { address, done } = reach(socket)
  const connection = net.connect(address)
  const reader = new FrameReader()
  const said: Record<string, unknown>[] = []
  let closed = false
  connection.on('error', () => {})
  connection.on('data', (chunk: Buffer) => {
    for (const message of reader.read(chunk)) said.push(message as Record<string, unknown>)
  })
  connection.on('close', () => (closed = true))
  await new Promise(resolve => connection.once('connect', resolve))
  done()
  return { connection, said, isClosed: () => closed }
}

describe.runIf(process.platform === 'linux')('the socket of a pty-host', () => {
  test('is for its owner alone, and so is all that stands beside it', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    await hub.open(shop.terminal('cat'))
    const mode = (file: string) => (fs.lstatSync(file).mode & 0o777).toString(8)
    expect(mode(shop.folder)).toBe('700')
    for (const name of fs.readdirSync(shop.folder))
      expect([name, mode(path.join(shop.folder, name))]).toEqual([name, '600'])
    // Not in a file that every user may read.
    const { secret, record } = shop.host()
    expect(fs.readFileSync(`/proc/${record.pid}/cmdline`, 'latin1')).not.toContain(secret)
    const environment = fs.readFileSync(`/proc/${record.pid}/environ`, 'latin1').split('\0').filter(Boolean)
    // Besides its mark it gets the channel to the hub that started it.
    expect(environment.filter(line => !line.startsWith('NODE_CHANNEL_'))).toEqual([`TORYO_MARK=${record.marker}`])
  })

  test.each([
    ['says nothing that is right', { hello: 'who are you' }],
    ['asks before it has proven itself', { do: 'stop', request: 1, id: 'tab_1' }],
    ['sends a very long greeting', { hello: 'toryo-pty', versions: [2], nonce: 'x'.repeat(100_000) }],
  ])('is closed to one who %s; the terminals do not notice', async (_name, message) => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('cat')
    await hub.open(options)
    const { connection, said, isClosed } = await stranger(shop.host())
    connection.write(frame(message))
    await until(isClosed)
    expect(said).toEqual([])
    await typeIn(hub, options.id, 'still here\r')
    using viewer = await TestViewer.at(hub, options.id)
    await viewer.sees('still here')
  })

  test('is closed to one who greets but does not know the secret, and to one who stays silent', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('cat')
    await hub.open(options)
    const silent = await stranger(shop.host())
    const { connection, said, isClosed } = await stranger(shop.host())
    connection.write(frame({ hello: 'toryo-pty', versions: [2], nonce: 'n'.repeat(20) }))
    await until(() => said.length === 1)
    // What the host proves is of no use for proving oneself.
    connection.write(frame({ proof: said[0]?.['proof'] }))
    await until(isClosed)
    expect(said).toHaveLength(1)
    await until(silent.isClosed)
    await typeIn(hub, options.id, 'x')
  })

  test('is not believed when somebody else listens there', async () => {
    using folder = temporaryFolder()
    const socket = path.join(folder.path, 'x.sock')
    const heard: string[] = []
    const server = net.createServer(connection => {
      const reader = new FrameReader()
      connection.on('error', () => {})
      connection.on('data', (chunk: Buffer) => {
        for (const message of reader.read(chunk)) {
          heard.push(JSON.stringify(message))
          const { nonce } = message as { nonce: string }
          connection.write(
            frame({
              version: 2,
              versions: [2],
              nonce: 'm'.repeat(20),
              proof: proof('wrong', 'host', nonce, 'm'.repeat(20)),
            }),
          )
        }
      })
    })
    await new Promise<void>(resolve => server.listen(socket, resolve))
    const secret = 's'.repeat(40)
    const record = { boot: '', pid: 1, start: '', marker: '' }
    const state = { socket, secret, record, release: '', startedAt: '' }
    await expect(HostLink.connect(state, nobody)).rejects.toBeInstanceOf(NotTheHost)
    expect(heard).toHaveLength(1)
    expect(heard[0]).not.toContain(secret)
    await new Promise(resolve => server.close(resolve))
  })

  test('is found in a folder whose path is longer than the system allows for sockets', async () => {
    await using shop = new TerminalShop()
    const folder = path.join(shop.home, 'a-rather-long-name-of-a-folder'.repeat(4), 'another-long-name'.repeat(5))
    const hub = await shop.hub({ folder })
    const options = shop.terminal('cat')
    await hub.open(options)
    expect(Buffer.byteLength(new HostFiles(folder).state()?.socket ?? '')).toBeGreaterThan(108)
    await hub.dispose('leave')
    const next = await shop.hub({ folder })
    expect(await next.list()).toMatchObject([{ id: options.id, exit: undefined }])
  })

  test('cannot be where others can enter', async () => {
    await using shop = new TerminalShop()
    fs.mkdirSync(shop.folder)
    fs.chmodSync(shop.folder, 0o755)
    const hub = await shop.hub()
    await expect(hub.open(shop.terminal('cat'))).rejects.toThrow(/others can enter .* chmod 700/)
    expect(shop.hubLog()).toContain('terminals could not be taken over')
    fs.chmodSync(shop.folder, 0o700)
    await hub.open(shop.terminal('cat'))
  })
})

describe.runIf(process.platform === 'linux')('a pty-host of another release', () => {
  const started: (() => void)[] = []
  afterEach(() => {
    for (const end of started.splice(0)) end()
  })

  /** Speaks an unknown protocol; its one terminal is a program in a session of its own. */
  async function foreignHost(shop: TerminalShop, version: number): Promise<{ host: number; marker: string }> {
    fs.mkdirSync(shop.folder, { mode: 0o700 })
    const files = new HostFiles(shop.folder)
    const socket = path.join(shop.folder, 'old.sock')
    const secret = 's'.repeat(40)
    const script = shop.file('old-host.cjs')
    fs.writeFileSync(
      script,
      `const { createHmac } = require('node:crypto')
       require('node:net').createServer(connection => connection.on('data', chunk => {
         const { nonce } = JSON.parse(chunk.subarray(5))
         const proof = createHmac('sha256', '${secret}').update('host\\n' + nonce + '\\nmmmmmmmmmmmmmmmmmmmm').digest('base64url')
         const body = Buffer.from(JSON.stringify({ version: 0, versions: [${version}], nonce: 'mmmmmmmmmmmmmmmmmmmm', proof }))
         const head = Buffer.alloc(5)
         head.writeUInt32LE(body.length)
         connection.write(Buffer.concat([head, body]))
       }).on('error', () => {})).listen('${socket}', () => console.log('ready'))`,
    )
    const marker = newMarker()
    const host = await launch({ program: process.execPath, args: [script], cwd: shop.home, env: {}, marker })
    await new Promise(resolve => host.stdout.once('data', resolve))
    const terminal = newMarker()
    const program = await launch({ program: '/bin/sleep', args: ['1000'], cwd: shop.home, env: {}, marker: terminal })
    files.writeState({ record: host.record, secret, socket, release: '9.9.9', startedAt: '' })
    files.writeJournal([{ id: 'tab_old', record: program.record }])
    started.push(() => {
      for (const pid of [host.record.pid, program.record.pid]) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    })
    return { host: host.record.pid, marker: terminal }
  }

  test('that speaks nothing we know is ended with its terminals, which is said; new ones work', async () => {
    await using shop = new TerminalShop()
    const { host, marker } = await foreignHost(shop, 77)
    const hub = await shop.hub()
    expect(isRunning(host)).toBe(false)
    expect(markedProcesses(marker)).toEqual([])
    expect(await hub.list()).toMatchObject([{ id: 'tab_old', exit: { lost: true } }])
    expect(shop.hubLog()).toContain('cannot be spoken to; its terminals are ended')
    expect(shop.hubLog()).toContain('9.9.9')
    const options = shop.terminal('echo fresh; cat')
    await hub.open(options)
    using viewer = await TestViewer.at(hub, options.id)
    await viewer.sees('fresh')
  })
})

test('proofs of one side are none of the other, nor of another greeting', () => {
  const one = proof('secret', 'hub', 'a', 'b')
  expect(sameProof(one, proof('secret', 'hub', 'a', 'b'))).toBe(true)
  for (const other of [
    proof('secret', 'host', 'a', 'b'),
    proof('secret', 'hub', 'b', 'a'),
    proof('other', 'hub', 'a', 'b'),
    '',
  ])
    expect(sameProof(one, other)).toBe(false)
})
