import { createStore } from '../../hub/store.ts'

/** What the dialog for a new task begins with; undefined while it is closed. */
export const create = createStore<{ title: string; project: string | null } | undefined>(undefined)
