// A hub that listens makes itself known to the engines, for as long as it lives: the state file for bridges, and the entry in
// the engines' config files. None of this can keep a hub from running.
import fs from 'node:fs'
import path from 'node:path'
import { type Env, userHome } from '#client/locate.ts'
import { askProof, singleConnection } from '#client/proof.ts'
import { HubError, type Text } from '#contract/errors.ts'
import type { Disk } from '#system/files.ts'
import { Unusable } from './format.ts'
import { ledgerPath, type Owner } from './ledger.ts'
import { takeEditLock } from './lock.ts'
import { claimMcpState, lifeOfState, type McpState, mcpStatePath, readMcpState, removeMcpState } from './mcp-state.ts'
import { type Outcome, outcomes } from './outcome.ts'
import { isSame, lifeOf, ownMark } from '#system/process-identity.ts'
import { Registrar } from './registrar.ts'
import { chooseCommand } from './runtime.ts'

export type HubToRegister = {
  /** TORYO_HOME. */
  home: string
  env: Env
  url: string
  token: string
  /** For people and for `toryo unregister`; without a password. */
  db: string
  /** Of its certificate, where it speaks TLS. */
  certificate?: string | undefined
  /** The bridge's bundled program. */
  bridge: string
  disk?: Disk
}

export type HubRegistration = {
  readonly outcomes: readonly Outcome[]
  /** Takes everything of this hub out again; the second time there is nothing to do. */
  release(): Promise<Outcome[]>
}

const PROBE_MS = 3000
const ENTERED: readonly Outcome['state'][] = ['added', 'updated', 'repaired']

/** Never rejects. */
export async function registerHub(hub: HubToRegister): Promise<HubRegistration> {
  const { home, env, url, token, db, disk = fs } = hub
  const user = userHome(env)
  const where = { engine: '', file: mcpStatePath(user) }
  let release: HubRegistration['release'] = async () => []
  const done = await told(where, async () => {
    const mark = ownMark()
    const owner: Owner = { kind: 'hub', db, process: mark }
    const pinned = hub.certificate === undefined ? {} : { certificate: hub.certificate }
    const reached = { port: Number(new URL(url).port), url, pid: mark.pid, token }
    const state: McpState = { ...reached, home, process: mark, db, ...pinned }
    const command = await chooseCommand(hub.bridge, env)
    const isGone = (one: { process: Parameters<typeof lifeOf>[0] }) => lifeOf(one.process) !== 'alive'
    const registrar = new Registrar({ home, env, userHome: user, isGone, bridge: command.bridge, disk })
    const own = new Set<string>()
    // One at a time: of two that start together, the one that bridges find must be the one that has the entries.
    const lock = await takeEditLock(disk, path.join(home, 'mcp-state.lock'), mark)
    if (!lock) return [outcomes.busy(where)]
    try {
      const other = readMcpState(user)
      if (other && !isOwn(other, state) && (await lives(other)))
        return [outcomes.held(where, `pid ${other.pid}, ${other.url}`)]
      release = () =>
        told(where, async () => {
          const removed = await registrar.remove(one => one.owner.kind === 'hub' && isSame(one.owner.process, mark))
          // The ledger may have been lost meanwhile; what we entered ourselves we know.
          const lost = await registrar.removeLost(file => own.has(file))
          removeMcpState(user, state, disk)
          return [...removed, ...lost]
        })
      // Before its trace is gone: only the state file leads to another home's ledger.
      const left = other?.home === undefined || other.home === home ? [] : await clearLeft(other.home, env, user, disk)
      if (!claimMcpState(user, state, other, disk)) {
        const first = readMcpState(user)
        return [outcomes.held(where, first ? `pid ${first.pid}, ${first.url}` : '')]
      }
      const added = await registrar.add(owner, command)
      for (const { file, state: how } of added) if (ENTERED.includes(how)) own.add(file)
      return [...left, ...added]
    } finally {
      lock.release()
    }
  })
  return { outcomes: done, release: () => release() }
}

/** What hubs of another TORYO_HOME left when they crashed. */
function clearLeft(home: string, env: Env, user: string, disk: Disk): Promise<Outcome[]> {
  const file = ledgerPath(home)
  return told({ engine: '', file }, async () => {
    if (!fs.existsSync(file)) return []
    const isGone = ({ process }: Extract<Owner, { kind: 'hub' }>) => lifeOf(process) === 'dead'
    const registrar = new Registrar({ home, env, userHome: user, isGone, disk })
    return registrar.remove(({ owner }) => owner.kind === 'hub' && isGone(owner))
  })
}

function isOwn(a: McpState, b: McpState): boolean {
  return a.pid === b.pid && a.token === b.token
}

/** Where the system cannot say, the hub itself can. */
async function lives(state: McpState): Promise<boolean> {
  const life = lifeOfState(state)
  if (life !== 'unknown') return life === 'alive'
  const agent = singleConnection(state.url, state)
  try {
    await askProof(state.url, state.token, agent, PROBE_MS)
    return true
  } catch {
    return false
  } finally {
    agent.destroy()
  }
}

async function told(where: { engine: string; file: string }, work: () => Promise<Outcome[]>): Promise<Outcome[]> {
  try {
    return await work()
  } catch (cause) {
    const text = textOf(cause)
    return [outcomes.skipped(where, new Unusable(text))]
  }
}

function textOf(cause: unknown): Text {
  if (cause instanceof HubError || cause instanceof Unusable) return cause.text
  const reason = cause instanceof Error ? cause.message : String(cause)
  return { en: reason, ja: reason }
}
