/** Of the Runner that a hub brings along: its machine. People gave it no name, and what is behind the colon only keeps two hubs apart. */
export function machineOf(runner: string): string | undefined {
  const colon = runner.indexOf(':')
  return colon === -1 ? undefined : runner.slice(0, colon)
}
