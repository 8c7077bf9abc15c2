import { createStore } from '../../hub/store.ts'

export type LaunchWish = { project: string | null; engine?: string; branch?: string; task?: string | null }

/** What the dialog begins with; undefined while it is closed. */
export const launching = createStore<LaunchWish | undefined>(undefined)
