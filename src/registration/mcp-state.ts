// ~/.gwt/mcp-state.json: where the registered hub listens. Bridges that were given no database read it, also after a crash:
// then it says whose entries are to be removed.
import fs from 'node:fs'
import path from 'node:path'
import { isHubUrl } from '#client/state-file.ts'
import { checkFile, checkFolder, readSecretFile } from '#client/trusted-path.ts'
import {
  codeOf,
  type Disk,
  draftFor,
  makeFolder,
  removeDrafts,
  removeFolder,
  removeIfThere,
  syncFolder,
  writeNew,
} from '#system/files.ts'
import { type Life, lifeOf, type ProcessMark, readMark } from '#system/process-identity.ts'
import { isAlive } from '#system/processes.ts'

export type McpState = {
  readonly port: number
  readonly url: string
  readonly pid: number
  readonly token: string
  /** Of the hub; where its ledger is. */
  readonly home?: string
  readonly process?: ProcessMark
  /** For people and for `toryo unregister`; without a password. */
  readonly db?: string
  /** SHA-256 of the certificate that it shows, where it speaks TLS: no authority is needed to know it. */
  readonly certificate?: string
}

export function mcpStatePath(userHome: string): string {
  return path.join(userHome, '.gwt', 'mcp-state.json')
}

/** Undefined when there is none, or when no hub wrote it. Throws when it, or its folder, is not to be trusted. */
export function readMcpState(userHome: string): McpState | undefined {
  const file = mcpStatePath(userHome)
  checkFolder(path.dirname(file))
  const text = readSecretFile(file)
  return text === undefined ? undefined : parseState(text)
}

/** Hubs of other homes come and go beside us: they make the folder and remove it, and their drafts are their own. */
const TRIES = 50

/**
 * `over`: the state of a hub that has ended, or none, as it was found. False when another hub was faster; then our state is
 * not there.
 */
export function claimMcpState(userHome: string, state: McpState, over: McpState | undefined, disk: Disk = fs): boolean {
  const file = mcpStatePath(userHome)
  const folder = path.dirname(file)
  for (let tries = 1; ; tries++) {
    try {
      makeFolder(disk, folder)
      checkFolder(folder)
      checkFile(file)
      removeDrafts(disk, file, DRAFT_MS)
      return put(disk, userHome, state, over)
    } catch (cause) {
      // The folder was removed by another hub that has just ended.
      if (codeOf(cause) !== 'ENOENT' || tries === TRIES) throw cause
    }
  }
}

/** Whatever is there. */
export function writeMcpState(userHome: string, state: McpState, disk: Disk = fs): void {
  while (!claimMcpState(userHome, state, readMcpState(userHome), disk)) continue
}

function put(disk: Disk, userHome: string, state: McpState, over: McpState | undefined): boolean {
  const file = mcpStatePath(userHome)
  const draft = draftFor(file)
  try {
    writeNew(disk, draft, `${JSON.stringify(state, null, 2)}\n`)
    const found = readMcpState(userHome)
    if (found?.token !== over?.token) return false
    // Of several that find nothing one alone can make it. A file that says nothing is replaced.
    if (over || disk.lstatSync(file, { throwIfNoEntry: false })) disk.renameSync(draft, file)
    else disk.linkSync(draft, file)
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  } finally {
    removeIfThere(disk, draft)
  }
  syncFolder(disk, path.dirname(file))
  // Of several that replaced the same one the last is found.
  return readMcpState(userHome)?.token === state.token
}

/** Only its own hub's. */
export function removeMcpState(userHome: string, own: McpState, disk: Disk = fs): void {
  const found = readMcpState(userHome)
  if (found?.token !== own.token || found.pid !== own.pid) return
  const file = mcpStatePath(userHome)
  removeIfThere(disk, file)
  removeFolder(disk, path.dirname(file))
}

export function lifeOfState({ pid, process: mark }: McpState): Life {
  if (mark) return lifeOf(mark)
  return isAlive(pid) ? 'unknown' : 'dead'
}

/** A draft lives for a moment. Younger ones may belong to a hub that is just writing its own. */
const DRAFT_MS = 60_000

/** Without zod, since the bridge must stay small. */
function parseState(text: string): McpState | undefined {
  const { port, url, pid, token, home, process: mark, db, certificate } = fieldsOf(text)
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (typeof url !== 'string' || !isHubUrl(url) || typeof port !== 'number') return undefined
  // It goes into a header as it is.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{16,1024}$/.test(token)) return undefined
  const known = readMark(mark)
  return {
    port,
    url,
    pid,
    token,
    ...(typeof home === 'string' && path.isAbsolute(home) ? { home } : {}),
    ...(known ? { process: known } : {}),
    ...(typeof db === 'string' ? { db } : {}),
    ...(typeof certificate === 'string' ? { certificate } : {}),
  }
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {} // Not written by one of our hubs: the next one replaces it.
  }
}
