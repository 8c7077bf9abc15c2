// Hooks that a repository names in its configuration. Git runs these since 2.54, whatever core.hooksPath says; since 2.55 an event
// can be switched off as a whole, before that each hook by its own name only.

/** What the commands that we run in a repository itself could set off. */
const EVENTS = ['reference-transaction', 'post-checkout', 'post-index-change', 'pre-auto-gc']

export const NO_EVENTS = EVENTS.flatMap(event => ['-c', `hook.${event}.enabled=false`])

/** Which keys name them. */
export const HOOK_KEYS = '^hook\\..*\\.(command|event)$'

export function knowsConfigHooks(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 54)
}

/** Variables that switch off the hooks of these keys. Not options: a name may hold any sign. */
export function switchedOff(keys: readonly string[]): Record<string, string> {
  const names = [...new Set(keys.map(key => key.slice(0, key.lastIndexOf('.'))))]
  const settings = names.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${at}`, `${name}.enabled`],
    [`GIT_CONFIG_VALUE_${at}`, 'false'],
  ])
  return names.length === 0 ? {} : { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(settings) }
}
