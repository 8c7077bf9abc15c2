// The process that holds terminals and speaks with all viewers. It runs nothing but what hubs ask it to run, lets in
// no viewer that a hub did not let in, outlives hubs, and waits for the next.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { recordOf } from '#kernel/processes/record.ts'
import { TORYO_MARK } from '#system/environment-names.ts'
import { HostFiles, reach } from '#kernel/terminals/host-files.ts'
import { takeViewers } from './take-viewers.ts'
import { Host } from './host.ts'
import { Link } from './link.ts'
import { Viewers } from './viewers.ts'

/** Without a hub and without a program that runs: it will not be missed. */
const EMPTY_MS = 60_000
/** Without a hub, with programs: they are kept for a day, then ended. Agents that cannot be reached cost money. */
const ORPHAN_MS = 24 * 60 * 60 * 1000

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    release: { type: 'string', default: '' },
    'empty-ms': { type: 'string', default: String(EMPTY_MS) },
    'orphan-ms': { type: 'string', default: String(ORPHAN_MS) },
  },
})
main(values.folder ?? '')

function main(folder: string): void {
  process.umask(0o077)
  process.on('SIGHUP', () => {})
  const files = new HostFiles(folder)
  files.prepare()
  const secret = randomBytes(32).toString('base64url')
  let hub: Link | undefined
  let timer: NodeJS.Timeout | undefined
  let aloneSince = performance.now()
  // The hub that started us is about to connect.
  let emptyMs = EMPTY_MS
  const host = new Host(files, {
    exited: (id, exit) => {
      hub?.tell({ event: 'exit', id, exit })
      if (!hub) wait()
    },
    refused: (id, { problem }) => hub?.tell({ event: 'refused', id, problem }),
  })
  const viewers = new Viewers(host, count => hub?.tell({ event: 'viewers', count }))
  takeViewers((socket, request, head) => viewers.welcome(socket, request, head))

  const socket = path.join(folder, `${randomBytes(6).toString('hex')}.sock`)
  const server = net.createServer(connection => {
    Link.serve({
      socket: connection,
      host,
      secret,
      welcomed: link => {
        hub?.close()
        hub = link
        emptyMs = Number(values['empty-ms'])
        clearTimeout(timer)
      },
      closed: link => {
        if (hub !== link) return
        hub = undefined
        aloneSince = performance.now()
        wait()
      },
      viewed: (socket, request, head) => viewers.welcome(socket, request, head),
      viewers: () => viewers.size,
      end: async () => {
        await end()
        setImmediate(leave)
      },
      left: () => {
        if (host.running === 0) setImmediate(leave)
      },
    })
  })

  const leave = () => {
    try {
      fs.rmSync(socket, { force: true })
      // A later reader finds no host to talk to, but still learns from the journal how the terminals ended.
      files.removeState(secret)
    } finally {
      process.exit(0)
    }
  }
  const end = async () => {
    await host.end()
    await viewers.close()
  }
  const endAll = () => void end().then(leave)
  const wait = () => {
    clearTimeout(timer)
    const left = aloneSince + Number(values['orphan-ms']) - performance.now()
    timer = host.running === 0 ? setTimeout(leave, emptyMs) : setTimeout(endAll, Math.max(0, left))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, endAll)

  const way = reach(socket)
  server.on('error', error => {
    process.stderr.write(`pty-host: ${error.message}\n`)
    process.exit(1)
  })
  server.listen(way.address, () => {
    way.done()
    fs.chmodSync(socket, 0o600)
    const record = recordOf(process.pid, process.env[TORYO_MARK] ?? '')
    files.writeState({ record, secret, socket, release: values.release, startedAt: new Date().toISOString() })
    // From here on a mistake in our code in one place must not end what runs in all the others.
    for (const surprise of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(surprise, error => console.error(new Date().toISOString(), error))
    wait()
  })
}
