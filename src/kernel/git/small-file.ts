// Git's own little files, read as files that others can write: a pipe in the place of one would hold us up for ever, and a link to
// something endless would fill our memory.
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { codeOf } from '#system/files.ts'

/** Empty when there is none, or when it is anything else than a small file. */
export async function readSmallFile(path: string, most = 64 * 1024): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (!handle) return ''
  try {
    const info = await handle.stat()
    if (!info.isFile() || info.size > most) return ''
    const block = Buffer.alloc(info.size)
    const { bytesRead } = await handle.read(block, 0, block.length, 0)
    return block.subarray(0, bytesRead).toString('utf8')
  } finally {
    await handle.close()
  }
}

/** Empty when there is none; undefined when it cannot be read here, though git may read it. */
export async function readKnownFile(path: string): Promise<string | undefined> {
  const info = await stat(path).catch((error: unknown) => codeOf(error))
  if (info === 'ENOENT' || info === 'ENOTDIR') return ''
  if (typeof info !== 'object' || !info.isFile()) return undefined
  const text = await readSmallFile(path)
  return text === '' && info.size > 0 ? undefined : text
}
