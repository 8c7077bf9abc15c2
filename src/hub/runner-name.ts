// How a hub is known to the others: its Runner's name, which is its machine's and what keeps two hubs apart, and the place of what it
// starts. The same after every start.
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Target } from '#client/locate.ts'
import { hubRunnerName } from '#contract/runner.ts'
import { digest } from '#kernel/ids.ts'
import { ownId } from '#system/own-id.ts'

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

/**
 * Whose runs and tabs they are: one hub at a time holds a target's lock, and whatever it started is its successor's to settle. On a
 * shared database two machines may have one name, and homes at the same path.
 */
export function placeOf({ kind, home, lockPath }: Target): string {
  return digest(`${hostname()} ${lockPath}${kind === 'postgres' ? ` ${homeId(home)}` : ''}`)
}

function homeId(home: string): string {
  const file = join(home, 'id')
  const id = ownId(file, 16)
  if (id !== undefined) return id
  throw new Error(`${file} does not hold the name of this home; remove it`)
}
