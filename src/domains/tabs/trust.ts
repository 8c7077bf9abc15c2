// What a directory tells agents to do or load: its own agent configuration, as hashes. Reads, decides nothing.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Files and folders at the top of a directory that engines obey: hooks, servers to start, variables to set, plugins. */
const NAMES = [
  '.claude',
  '.mcp.json',
  '.env',
  '.codex',
  '.gemini',
  '.cursor',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.qwen',
]
/** Claude Code keeps whole checkouts here; nothing in them is read from the directory above. */
const APART = new Set(['.claude/worktrees'])

const MAX_FILES = 5000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 16

export type AgentConfig = {
  /** Of everything below: differs as soon as one byte, name, link or executable bit does. */
  readonly hash: string
  /** Path in the directory → hash of that one file or link. */
  readonly files: Readonly<Record<string, string>>
}

/** Thrown for what is too much to be somebody's configuration: it cannot be trusted, as nobody could have read it. */
export class TooMuchConfig extends Error {}

/** Undefined where the directory brings none. */
export async function agentConfigHash(directory: string): Promise<AgentConfig | undefined> {
  const files: Record<string, string> = {}
  const budget = { files: MAX_FILES, bytes: MAX_BYTES }
  for (const name of NAMES) await collect(directory, name, files, budget, [])
  const paths = Object.keys(files).sort()
  if (paths.length === 0) return undefined
  const whole = createHash('sha256')
  for (const path of paths) whole.update(`${path}\0${files[path]}\0`)
  return { hash: whole.digest('hex'), files }
}

/**
 * Whether everything found was trusted before. A worktree holds fewer files than the folder it comes from, which also has
 * those that git ignores; what it must not have is another one.
 */
export function isCovered(found: AgentConfig, trusted: AgentConfig): boolean {
  return Object.entries(found.files).every(([path, hash]) => trusted.files[path] === hash)
}

type Budget = { files: number; bytes: number }

async function collect(
  root: string,
  path: string,
  files: Record<string, string>,
  budget: Budget,
  above: readonly string[],
): Promise<void> {
  if (APART.has(path)) return
  const full = join(root, path)
  const info = await lstat(full).catch(missing)
  if (!info) return
  if (--budget.files < 0 || above.length > MAX_DEPTH) throw new TooMuchConfig(`${path} is too much to look through`)
  if (info.isSymbolicLink()) {
    // Where it leads counts, and so does what is there: either may change without the other.
    files[path] = sha(`link\0${await readlink(full)}\0${await throughLink(full, files, root, path, budget, above)}`)
    return
  }
  if (info.isDirectory()) {
    const real = await realpath(full)
    if (above.includes(real)) return
    const names = (await readdir(full)).sort()
    for (const name of names) await collect(root, `${path}/${name}`, files, budget, [...above, real])
    return
  }
  files[path] = info.isFile() ? await hashFile(full, budget) : sha('special')
}

async function throughLink(
  full: string,
  files: Record<string, string>,
  root: string,
  path: string,
  budget: Budget,
  above: readonly string[],
): Promise<string> {
  const target = await realpath(full).catch(missing)
  if (target === undefined) return 'nowhere'
  const info = await lstat(target).catch(missing)
  if (info?.isFile()) return hashFile(target, budget)
  if (!info?.isDirectory() || above.includes(target)) return 'special'
  for (const name of (await readdir(target)).sort())
    await collect(root, `${path}/${name}`, files, budget, [...above, target])
  return 'folder'
}

async function hashFile(file: string, budget: Budget): Promise<string> {
  // Not blocked by a pipe that took the file's place meanwhile.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const info = await handle.stat()
    if (!info.isFile()) return sha('special')
    const hash = createHash('sha256').update(`file\0${info.mode & 0o111 ? 'x' : '-'}\0`)
    const block = Buffer.alloc(64 * 1024)
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, block.length, null)
      if (bytesRead === 0) return hash.digest('hex')
      budget.bytes -= bytesRead
      if (budget.bytes < 0) throw new TooMuchConfig(`${file} is too much to look through`)
      hash.update(block.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(error.code ?? '')) return undefined
  throw error
}
