import type { Caller } from '#contract/caller.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import type { Place } from '#kernel/paths.ts'
import type { Project } from './model.ts'

/** What memory asks of the projects. */
export interface Projects {
  find(id: ProjectId): Promise<Project | undefined>
  findByNumber(number: number): Promise<Project | undefined>
  /** The one whose folder this is, or the nearest that contains it; refuses one that is not the caller's to enter. */
  findAt(place: Place, by: Caller): Promise<Project | undefined>
  /** In the order of their numbers, from this one on. */
  list(from: number, limit: number): Promise<Project[]>
  /** Throws when the name is taken. */
  add(fresh: { name: string; description: string; asanaUrl: string | null }, by: Caller): Promise<Project>
}

/** What memory asks of the tasks. */
export interface Tasks {
  /** Throws when there is none, or when it is not for this caller. */
  get(id: TaskId, by: Caller): Promise<{ id: TaskId; projectId: ProjectId }>
  /** Those of them that something is still expected of. */
  openAmong(ids: readonly TaskId[]): Promise<{ id: TaskId; projectId: ProjectId }[]>
}

/** Turns text into vectors whose nearness is nearness of meaning. */
export interface Embedder {
  /** Vectors of different models are never compared. */
  readonly model: string
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}
