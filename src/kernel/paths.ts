import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

/** One folder, however it is spelled: `shown` is lexically clean, `real` is without links where it exists. */
export type Place = {
  readonly shown: string
  readonly real: string
  /** What was there when we looked. */
  readonly kind: 'folder' | 'file' | 'missing'
}

export async function placeOf(absolute: string): Promise<Place> {
  const shown = resolve(absolute)
  const real = await realpath(shown).catch(() => shown)
  const stats = await stat(real).catch(() => undefined)
  return { shown, real, kind: stats === undefined ? 'missing' : stats.isDirectory() ? 'folder' : 'file' }
}

/** All that contain it, the nearest first; but for the top of the file system, which contains everything. */
export function foldersAround(path: string): string[] {
  const above = dirname(path)
  return isTop(above) ? [] : [above, ...foldersAround(above)]
}

export function isTop(path: string): boolean {
  return dirname(path) === path
}

/** Those of the files that are in none of the folders. A link that leads out of its folder does not count. */
export async function missingFiles(folders: readonly string[], files: readonly string[]): Promise<string[]> {
  const reals = await Promise.all(folders.map(folder => realpath(folder).catch(() => undefined)))
  const roots = reals.filter(root => root !== undefined)
  const missing: string[] = []
  for (const file of files) {
    const found = await Promise.all(roots.map(root => isInside(root, file)))
    if (!found.includes(true)) missing.push(file)
  }
  return missing
}

async function isInside(root: string, file: string): Promise<boolean> {
  const real = await realpath(resolve(root, file)).catch(() => undefined)
  if (real === undefined) return false
  const way = relative(root, real)
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}
