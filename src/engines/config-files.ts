// Where an engine keeps the user's own configuration. Registration writes there and engines read there: one rule for both.
import path from 'node:path'
import type { Registration } from '#contract/known-engines.ts'

type Place = Pick<Registration, 'variable' | 'folder' | 'files'>

/** All names that its file may have. */
export function configFiles(place: Place, env: Readonly<NodeJS.ProcessEnv>, home: string): string[] {
  const folder = configFolder(place, env, home)
  return place.files.map(file => path.join(folder, file))
}

export function configFolder(
  { variable, folder }: Omit<Place, 'files'>,
  env: Readonly<NodeJS.ProcessEnv>,
  home: string,
): string {
  const named = variable === undefined ? undefined : env[variable]
  // A relative folder would be another one for each program.
  return named !== undefined && path.isAbsolute(named) ? named : path.join(home, folder)
}
