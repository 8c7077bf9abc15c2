import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '#client/api.ts'
import { HubLink } from '#client/hub-link.ts'
import type { Target } from '#client/locate.ts'
import { findHub } from '#client/start-hub.ts'
import type { HubState } from '#client/state-file.ts'
import { takeLock } from '#kernel/db/lock.ts'

const PATIENCE_MS = 15_000
const START_MS = 3_000
const ASK_MS = 5_000

/** Asks a background hub of the same database to end; false when the owner is not a background hub, or stays. */
export async function takeOver(target: Target): Promise<boolean> {
  // It proves itself first: the file may be a dead hub's, and its port another program's by now.
  const state = await findOwner(target)
  if (!state) return isFreed(target, 100)
  const link = new HubLink(state.url, state.token, state.certificate)
  const client = createClient({ url: state.url, token: state.token, fetch: link.fetch })
  try {
    const { background } = await client.call('hub.status', {}, { timeoutMs: ASK_MS })
    if (!background) return false
    await client.call('hub.stop', { keep_terminals: true }, { timeoutMs: ASK_MS })
  } catch {
    // It went away while we asked; the lock decides.
  } finally {
    link.dispose()
  }
  return isFreed(target, PATIENCE_MS)
}

/** The owner may still be on its way up, or on its way out. */
async function findOwner(target: Target): Promise<HubState | undefined> {
  const until = performance.now() + START_MS
  for (;;) {
    const state = await findHub(target)
    if (state || performance.now() > until) return state
    await pause(50)
  }
}

async function isFreed(target: Target, ms: number): Promise<boolean> {
  const until = performance.now() + ms
  while (performance.now() < until) {
    const lock = takeLock(target.lockPath)
    if (lock) {
      lock.release()
      return true
    }
    await pause(50)
  }
  return false
}
