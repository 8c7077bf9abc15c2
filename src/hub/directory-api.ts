// A page cannot give the path of a folder: it chooses one by the names that the hub lists.
import { opendir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { CoreError } from '#contract/errors.ts'
import { projectView } from '#domains/projects/views.ts'
import { operation } from '#kernel/operation.ts'
import { isTop, type Place, placeOf } from '#kernel/paths.ts'
import { noFolder } from './project-folders.ts'
import type { Services } from './services.ts'

/** More than a person reads; those who look for another one type its path. */
const MOST_FOLDERS = 500
/** How many names are looked at: a folder of millions must not hold the hub up. */
const MOST_NAMES = 20_000

type Looked = { place: Place; folders: string[]; isCut: boolean; isRepository: boolean; isWide: boolean }

export function directoryOperations(env: NodeJS.ProcessEnv) {
  const home = () => env['HOME'] ?? homedir()
  return [
    operation<'directory.list', Services, Looked>({
      name: 'directory.list',
      effect: 'read',
      async prepare({ repositories }, { path = home(), hidden = false }) {
        if (!isAbsolute(path)) throw CoreError.INVALID_ARGUMENT({ reason: NOT_ABSOLUTE })
        const place = await placeOf(path)
        if (place.kind !== 'folder') throw CoreError.INVALID_ARGUMENT({ reason: noFolder(place) })
        const isRepository = await repositories.isRepository(place.shown).catch(() => false)
        const isWide = !isRepository && (isTop(place.real) || place.real === (await placeOf(home())).real)
        return { place, isRepository, isWide, ...(await foldersIn(place.shown, hidden)) }
      },
      async run({ projects }, _input, { prepared: { place, folders, isCut, isRepository, isWide } }) {
        const project = await projects.findByDirectory([place.real, place.shown])
        return {
          path: place.shown,
          parent: isTop(place.shown) ? null : dirname(place.shown),
          folders,
          is_cut: isCut,
          is_wide: isWide,
          is_repository: isRepository,
          project: project ? projectView(project) : null,
        }
      },
    }),
  ]
}

async function foldersIn(folder: string, hidden: boolean): Promise<Pick<Looked, 'folders' | 'isCut'>> {
  const found: string[] = []
  let seen = 0
  try {
    for await (const entry of await opendir(folder)) {
      if (++seen > MOST_NAMES) break
      if (!hidden && entry.name.startsWith('.')) continue
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(folder, entry.name)))))
        found.push(entry.name)
    }
  } catch (error) {
    throw CoreError.INVALID_ARGUMENT({ reason: unreadable(folder, (error as Error).message) }, error)
  }
  const sorted = found.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return { folders: sorted.slice(0, MOST_FOLDERS), isCut: seen > MOST_NAMES || sorted.length > MOST_FOLDERS }
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isDirectory() === true
}

const NOT_ABSOLUTE = { en: 'path must be absolute.', ja: 'path は絶対パスで指定してください。' }

const unreadable = (folder: string, reason: string) => ({
  en: `The hub cannot read ${folder}: ${reason}. Choose another folder, or change who may read it.`,
  ja: `ハブは ${folder} を読み取れません: ${reason}。別のフォルダーを選ぶか、読み取りの権限を変更してください。`,
})
