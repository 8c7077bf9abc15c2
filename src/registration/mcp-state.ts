// ~/.gwt/mcp-state.json: where the registered hub listens. Bridges that were given no database read it, also after a crash:
// then it tells whose traces are to be cleared away.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isHubUrl } from '#client/state-file.ts'
import { checkFile, checkFolder, readSecretFile } from '#client/trusted-path.ts'
import { codeOf, type Disk, removeFolder, removeIfThere, syncFolder, writeNew } from './disk.ts'
import { isThere, type Life, lifeOf, type ProcessMark, readMark } from '#client/process-mark.ts'

export type McpState = {
  readonly port: number
  readonly url: string
  readonly pid: number
  readonly token: string
  /** Of the hub; where its ledger is. */
  readonly home?: string
  readonly process?: ProcessMark
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

export function writeMcpState(userHome: string, state: McpState, disk: Disk = fs): void {
  const file = mcpStatePath(userHome)
  const folder = path.dirname(file)
  try {
    disk.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
  }
  checkFolder(folder)
  checkFile(file)
  removeDrafts(disk, file)
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  try {
    writeNew(disk, draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
    disk.renameSync(draft, file)
  } catch (cause) {
    removeIfThere(disk, draft)
    throw cause
  }
  syncFolder(disk, folder)
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
  return isThere(pid) ? 'unknown' : 'dead'
}

function removeDrafts(disk: Disk, file: string): void {
  const prefix = `${path.basename(file)}.`
  for (const name of disk.readdirSync(path.dirname(file)))
    if (name.startsWith(prefix) && name.endsWith('.tmp')) removeIfThere(disk, path.join(path.dirname(file), name))
}

/** By hand, since the bridge must stay small. */
function parseState(text: string): McpState | undefined {
  const { port, url, pid, token, home, process: mark } = fieldsOf(text)
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
  }
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {} // Not written by a hub of ours: the next one replaces it.
  }
}
