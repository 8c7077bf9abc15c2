import { createStore } from '../hub/store.ts'

/** The hub's when this page was loaded, and now. */
let loaded: string | undefined
export const offered = createStore<string | undefined>(undefined)

export function heardVersion(version: string): void {
  loaded ??= version
  offered.set(version === loaded ? undefined : version)
}
