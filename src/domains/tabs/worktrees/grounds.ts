// The folder $TORYO_HOME/worktrees: where worktrees are made, where removed ones wait, and the only place where anything is
// ever moved or deleted. Knows folders, no rows.
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import { pathIn } from '#contract/ids.ts'
import { folderFor, folderNamed } from '#kernel/git/names.ts'
import { isWithin } from '#kernel/git/inside.ts'
import { codeOf } from '#system/files.ts'
import { ownId } from '#system/own-id.ts'

/** What a path leads to, whatever it is called later. */
export type Identity = { device: string; inode: string }

export class Grounds {
  /** Without links. */
  readonly root: string
  /** Which grounds these are, wherever the folder is seen from. */
  readonly home: string

  private constructor(root: string, home: string) {
    this.root = root
    this.home = home
  }

  static async open(folder: string): Promise<Grounds> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const root = await realpath(folder)
    await mkdir(join(root, '.trash'), { recursive: true, mode: 0o700 })
    await mkdir(join(root, '.logs'), { recursive: true, mode: 0o700 })
    return new Grounds(root, await nameOf(root))
  }

  trashOf(id: WorktreeId): string {
    return pathIn(join(this.root, '.trash'), id)
  }

  logOf(id: WorktreeId): string {
    return pathIn(join(this.root, '.logs'), `${id}.log`)
  }

  /** An empty folder for a branch. */
  async prepare(projectId: ProjectId, branch: string): Promise<{ path: string } & Identity> {
    const folder = join(this.root, folderNamed(projectId, 'project'))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await realpath(folder)) !== folder) throw new Error(`${folder} leads elsewhere`)
    return this.#makeFree(join(folder, folderFor(projectId, branch)))
  }

  /** The first of `path`, `path-2`, … that is free, made. */
  async #makeFree(path: string): Promise<{ path: string } & Identity> {
    for (let count = 1; ; count++) {
      const place = count === 1 ? path : `${path}-${count}`
      try {
        await mkdir(place, { mode: 0o700 })
        return { path: place, ...((await identify(place)) as Identity) }
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
    }
  }

  /** Makes room in the trash. */
  async keepFor(id: WorktreeId): Promise<void> {
    await mkdir(this.trashOf(id), { recursive: true, mode: 0o700 })
  }

  /** The first of `path`, `path-2`, … that is free. */
  async freePlace(path: string): Promise<string> {
    for (let count = 1; ; count++) {
      const place = count === 1 ? path : `${path}-${count}`
      if (!(await identify(place))) return place
    }
  }

  /** Ours, where we made it, and still the same folder. */
  async owns(path: string, identity: Identity): Promise<boolean> {
    if (!isWithin(this.root, path)) return false
    const now = await identify(path)
    if (now?.device !== identity.device || now.inode !== identity.inode) return false
    return (await realpath(path)) === path
  }

  /** Moves one of our folders to the trash. True when it is there now, also when it was before. */
  async bury(id: WorktreeId, path: string, identity: Identity): Promise<boolean> {
    const tree = join(this.trashOf(id), 'tree')
    const buried = await identify(tree)
    if (buried) return buried.inode === identity.inode && buried.device === identity.device
    if (!(await this.owns(path, identity))) return false
    await this.keepFor(id)
    await rename(path, tree)
    return true
  }

  async unbury(id: WorktreeId, path: string, identity: Identity): Promise<boolean> {
    const tree = join(this.trashOf(id), 'tree')
    const buried = await identify(tree)
    if (!buried) return this.owns(path, identity)
    if (buried.inode !== identity.inode || buried.device !== identity.device) return false
    if (await identify(path)) return false
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if ((await realpath(dirname(path))) !== dirname(path) || !isWithin(this.root, path)) return false
    await rename(tree, path)
    return true
  }

  /** Deletes what waits in the trash for one worktree, for good. False when it is not what we put there. */
  async purge(id: WorktreeId, identity: Identity): Promise<boolean> {
    const folder = this.trashOf(id)
    const doomed = join(dirname(folder), `.purge-${id}`)
    if (await identify(folder)) {
      const tree = await identify(join(folder, 'tree'))
      if (tree && (tree.inode !== identity.inode || tree.device !== identity.device)) return false
      // Under a name that nothing else uses any more.
      await rename(folder, doomed)
    }
    await removeAll(doomed)
    await rm(this.logOf(id), { force: true })
    return true
  }

  /** After its contents were taken back. */
  async tidy(id: WorktreeId): Promise<void> {
    await rmdir(this.trashOf(id)).catch(() => {}) // Something is left in it: then it stays.
  }
}

/** Undefined where nothing is, or a link. */
export async function identify(path: string): Promise<Identity | undefined> {
  const info = await lstat(path, { bigint: true }).catch(() => undefined)
  if (!info?.isDirectory()) return undefined
  return { device: String(info.dev), inode: String(info.ino) }
}

/** Also where a tool made its folders read-only. Links are removed, never followed. */
async function removeAll(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error))) throw error
    await unlockFolders(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

async function unlockFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await unlockFolders(join(folder, entry.name))
}

/** Kept with the folder itself: the machine may get another name, the folder another path. */
async function nameOf(root: string): Promise<string> {
  const file = join(root, '.id')
  const name = ownId(file, 12)
  if (name !== undefined) return name
  // Written to half by an earlier version when the machine went down.
  await rm(file)
  return nameOf(root)
}
