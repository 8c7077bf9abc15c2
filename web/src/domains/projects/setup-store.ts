// The dialogs that begin a project and an agent, which are reached from everywhere. Small: it is a part of the first load.
import { createStore } from '../../hub/store.ts'

/** The dialog for a new project is open. */
export const addingProject = createStore(false)

/** The dialog for a new agent; `project`: the one that it is to work on. */
export const addingAgent = createStore<{ project: string | null } | undefined>(undefined)

export const ADD_PROJECT = { en: 'Add a project…', ja: 'プロジェクトを追加…' }
export const ADD_AGENT = { en: 'Add an agent…', ja: 'エージェントを追加…' }
