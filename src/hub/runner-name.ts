// The name of the Runner inside a hub: its machine's, and what keeps two hubs on one machine apart. The same after every start.
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Target } from '#client/locate.ts'
import { hubRunnerName } from '#contract/runner.ts'
import { createFile } from '#system/files.ts'

/** Call it while the hub holds its lock: two hubs never have one lock. */
export function ownRunnerName({ home, lockPath }: Target): string {
  // Its first part: what follows changes on laptops with the network they are in.
  const [machine = ''] = hostname().split('.', 1)
  const plain = machine.replaceAll(/[^\w-]+/g, '-').slice(0, 60) || 'hub'
  const place = createHash('sha256')
    .update(`${homeId(home)} ${lockPath}`)
    .digest('hex')
    .slice(0, 6)
  return hubRunnerName(plain, place)
}

/** Two machines may have one name, and homes at the same path. */
function homeId(home: string): string {
  const file = join(home, 'id')
  createFile(fs, file, `${randomBytes(16).toString('hex')}\n`)
  return fs.readFileSync(file, 'utf8').trim()
}
