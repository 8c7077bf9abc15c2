// The file in which a hub publishes where it listens and its token. Only its hub writes it.
import fs from 'node:fs'
import path from 'node:path'
import { removeDrafts, replaceFile } from '#system/files.ts'
import type { Target } from './locate.ts'
import { checkFile, checkFolder, readSecretFile } from './trusted-path.ts'

export type HubState = {
  readonly pid: number
  readonly url: string
  /** The operator's token. */
  readonly token: string
  readonly version: string
  readonly startedAt: string
  /** A Unix socket at which the same hub listens, for bridges on this machine. */
  readonly socket?: string
  /** SHA-256 of the certificate that it shows, where it speaks TLS: clients of this file need no authority to know it. */
  readonly certificate?: string
}

/** What the file says; undefined when there is none or it is not a valid state. Throws when it, or its folder, is not to be trusted. */
export function readState(target: Target): HubState | undefined {
  checkFolder(target.directory)
  const text = readSecretFile(target.statePath)
  return text === undefined ? undefined : parseState(text)
}

/** Call it once the hub listens and while it holds its lock. Readers see the old file or the new one, never a part. */
export function writeState(target: Target, state: HubState): void {
  checkFolder(target.directory)
  checkFile(target.statePath)
  // A hub that was killed while it wrote left one. No other hub writes one now: we hold the lock.
  removeDrafts(fs, target.statePath)
  replaceFile(fs, target.statePath, `${JSON.stringify(state, null, 2)}\n`)
}

/** Call it before the lock is let go: no other process can then have written the file between the look and the removal. */
export function removeState(target: Target, own: HubState): void {
  const found = readState(target)
  if (found?.pid === own.pid && found.token === own.token) fs.rmSync(target.statePath, { force: true })
}

/** Without zod, since the bridge must stay small. */
function parseState(text: string): HubState | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, url, token, version, startedAt, socket, certificate } = value as Record<string, unknown>
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (typeof url !== 'string' || !isHubUrl(url)) return undefined
  // It goes into a header as it is.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{16,1024}$/.test(token)) return undefined
  if (typeof version !== 'string' || typeof startedAt !== 'string') return undefined
  const local = typeof socket === 'string' && path.isAbsolute(socket) ? { socket } : {}
  const pinned = typeof certificate === 'string' ? { certificate } : {}
  return { pid, url, token, version, startedAt, ...local, ...pinned }
}

/** In clear text only to this machine: a token must not cross a network unencrypted. */
export function isHubUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  return protocol === 'http:' && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not written by one of our hubs: the next one replaces it.
  }
}
