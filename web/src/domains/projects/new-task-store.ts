import { createStore } from '../../hub/store.ts'

/** `parent`: the task that it is to be a part of. */
export const create = createStore<{ title: string; project: string | null; parent?: string } | undefined>(undefined)
