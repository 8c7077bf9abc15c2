// A second door for bridges on this machine: a Unix socket costs them half of what the port does. It is optional: where it
// cannot be made, the port is there.
import fs from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import type { Target } from '#client/locate.ts'
import type { Log } from '#kernel/log.ts'
import { makePrivateFolder } from '#system/files.ts'

/** What every system takes; Linux itself takes four more. */
const LONGEST = 103

/** The path it listens at; undefined where there is none. Call it while the lock is held: what is there is then ours. */
export async function listenLocally(server: Server, target: Target, log: Log): Promise<string | undefined> {
  const folder = path.join(target.home, 'run')
  const file = path.join(folder, `${target.hash.slice(0, 16)}.sock`)
  if (process.platform === 'win32' || Buffer.byteLength(file) > LONGEST) return undefined
  try {
    makePrivate(folder)
    // One that was killed left it behind.
    fs.rmSync(file, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(file, () => {
        server.off('error', reject)
        resolve()
      })
    })
    return file
  } catch (error) {
    log.warn({ err: error, path: file }, 'no local socket; bridges use the port')
    return undefined
  }
}

/** On some systems every user that can reach a socket's folder can connect, whatever the socket's own mode says. */
function makePrivate(folder: string): void {
  const { mode } = makePrivateFolder(folder)
  if ((mode & 0o077) !== 0) fs.chmodSync(folder, 0o700)
}
