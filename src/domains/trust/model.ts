import { createHash } from 'node:crypto'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import type { AgentConfigSeen } from '#contract/trust.ts'

export type Files = Readonly<Record<string, string>>

/** What a person has looked at, and for which folder. */
export type Trust = {
  directory: string
  remote: string
  /** Of all files: differs as soon as one byte, name, link or executable bit does. */
  hash: string
  files: Files
  by: string
  at: number
}

/** What a Runner saw when it refused to start. */
export type Sighting = {
  projectId: ProjectId
  runner: string
  /** In whose workspace it was to start; null: in the project's own folder. */
  taskId: TaskId | null
  directory: string
  /** The folder that trust in it is kept for. */
  place: string
  seen: AgentConfigSeen
  at: number
}

export function hashOf(files: Files): string {
  const whole = createHash('sha256')
  for (const path of Object.keys(files).sort()) whole.update(`${path}\0${files[path]}\0`)
  return whole.digest('hex')
}

export function isNothing({ files, excess }: Pick<AgentConfigSeen, 'files' | 'excess'>): boolean {
  return excess === undefined && Object.keys(files).length === 0
}

/**
 * Whether everything found was trusted before. A worktree holds fewer files than the folder it comes from, which also has
 * those that git ignores; what it must not have is another one.
 */
export function isCovered(found: Files, trusted: Files): boolean {
  return Object.entries(found).every(([path, hash]) => trusted[path] === hash)
}

/** Those that no person has looked at as they are; all of them where only the combination is new. */
export function unknownOf(found: Files, trusts: readonly Pick<Trust, 'files'>[]): string[] {
  const known = new Set(trusts.flatMap(trust => Object.entries(trust.files).map(file => file.join('\0'))))
  const unknown = Object.entries(found).filter(file => !known.has(file.join('\0')))
  return unknown.length > 0 ? unknown.map(([path]) => path) : Object.keys(found)
}
