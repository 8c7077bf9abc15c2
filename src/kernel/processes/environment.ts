// Builds the environment of a program from an allow-list. What is not named does not get through.

/** These change what a program loads or runs. They are never passed on, whatever a list says. */
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

/** What any program may know: who and where the user is, their language, and how to reach the network here. */
export const EVERYDAY: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TMPDIR',
  'XDG_*',
  'SSH_AUTH_SOCK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'NODE_EXTRA_CA_CERTS',
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
