// The files that stand beside the program of the hub: this code is in dist/hub.js.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** dist/bridge.js, seen from dist/hub.js. */
export function bridgeProgram(): string {
  return fileURLToPath(new URL('./bridge.js', import.meta.url))
}

export function version(): string {
  const file = fileURLToPath(new URL('../package.json', import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
