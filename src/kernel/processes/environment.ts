// Builds the environment of a program from an allow-list. What is not named does not get through.

/** These change what a program loads or runs, whoever started us: never passed on, whatever a list says. */
const NEVER = [
  'NODE_OPTIONS',
  'NODE_REPL_*',
  'NODE_CHANNEL_*',
  'LD_*',
  'DYLD_*',
  'GIT_*',
  'BASH_ENV',
  'BASH_FUNC_*',
  'ENV',
  'PROMPT_COMMAND',
  'IFS',
]

/** Picks the named variables; a name may end in `*`. */
export function allowed(source: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && matches(name, names) && !matches(name, NEVER)) picked[name] = value
  }
  return picked
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : sameName(name, pattern),
  )
}

/** Windows knows `Path` and `PATH` as one. */
function sameName(a: string, b: string): boolean {
  return process.platform === 'win32' ? a.toUpperCase() === b.toUpperCase() : a === b
}
