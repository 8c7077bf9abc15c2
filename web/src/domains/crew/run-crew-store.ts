import { createStore } from '../../hub/store.ts'

/** `reviewers`: how many of the roles that are ready are chosen already. */
export type RunWish = { project: string | null; prompt?: string; reviewers?: number }

/** What the dialog to run a crew begins with; undefined while it is closed. */
export const runCrew = createStore<RunWish | undefined>(undefined)

/** In the palette from the start, before the view's own words are there. */
export const RUN_TITLE = { en: 'Run a crew', ja: 'クルーを実行' }
