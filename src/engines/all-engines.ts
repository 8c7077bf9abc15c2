// All engines there are: the built-in ones and those of the configuration, which may take a built-in one's place.
import type { Config } from '#contract/config.ts'
import { BUILT_IN } from './built-in.gen.ts'
import { configuredEngine } from './configured.ts'
import type { Engine } from './engine.ts'

export function allEngines(config: Pick<Config, 'engines'>): Map<string, Engine> {
  const engines = new Map<string, Engine>(BUILT_IN.map(engine => [engine.id, engine]))
  for (const [id, described] of Object.entries(config.engines)) engines.set(id, configuredEngine(id, described))
  return engines
}

/** Of all engines, whichever is started: one may start another. What takes the place of a built-in one may still be it. */
export function projectConfigNames(config: Pick<Config, 'engines'>): string[] {
  const described = Object.values(config.engines).flatMap(engine => engine.projectConfig)
  return [...new Set([...BUILT_IN.flatMap(engine => engine.projectConfig), ...described])]
}
