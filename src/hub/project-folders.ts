// How other domains find projects by folder. Each refuses a project that is not the caller's to enter.
import { mayEnter } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { ProjectError } from '#contract/projects.ts'
import type { Project } from '#domains/projects/model.ts'
import type { Projects } from '#domains/projects/projects.ts'
import { isTop, type Place } from '#kernel/paths.ts'

export type Folders = ReturnType<typeof foldersBy>

type Found = (place: Place) => Promise<Project | undefined>

/** By the folder itself: a tab works in a repository, which may lie inside of another project. */
export function exactFolders(projects: Projects) {
  return foldersBy(projects, ({ real, shown }) => projects.findByDirectory([real, shown]))
}

/** Also by a folder inside of it. */
export function enclosingFolders(projects: Projects) {
  return foldersBy(projects, place => projects.findAround(place))
}

function foldersBy(projects: Projects, find: Found) {
  const findAt = async (place: Place, by: Caller) => {
    const project = await find(place)
    if (project) mayEnter(project.id, by)
    return project
  }
  return {
    findAt,
    enter: async (id: ProjectId, by: Caller) => {
      mayEnter(id, by)
      const project = await projects.find(id)
      // Not by get: callers of these toolsets do not have list_projects, which it names.
      if (!project) throw ProjectError.PROJECT_NOT_FOUND({ projectId: id })
      return project
    },
    ensureAt: async (place: Place, by: Caller) => {
      const known = await findAt(place, by)
      if (known) return known
      mayEnter('' as ProjectId, by)
      if (place.kind !== 'folder' || isTop(place.real)) throw CoreError.INVALID_ARGUMENT({ reason: noFolder(place) })
      return projects.ensureForDirectory([place.real, place.shown], by)
    },
  }
}

export function noFolder({ shown, kind }: Place) {
  if (kind === 'missing')
    return {
      en: `Folder ${shown} not found. Check the path, or make the folder first.`,
      ja: `フォルダー ${shown} はありません。パスを確認するか、先にフォルダーを作成してください。`,
    }
  if (kind === 'file')
    return {
      en: `${shown} is a file; name the folder of the project.`,
      ja: `${shown} はファイルです。プロジェクトのフォルダーを指定してください。`,
    }
  return {
    en: `${shown} is the top of the file system; a project needs a folder of its own.`,
    ja: `${shown} はファイルシステムの最上位です。プロジェクト用のフォルダーを指定してください。`,
  }
}
