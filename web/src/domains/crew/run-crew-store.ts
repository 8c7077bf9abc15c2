import { createStore } from '../../hub/store.ts'

/** What the dialog to run a crew begins with; undefined while it is closed. */
export const runCrew = createStore<{ project: string | null; prompt?: string } | undefined>(undefined)

/** In the palette from the start, before the view's own words are there. */
export const RUN_TITLE = { en: 'Run a crew', ja: 'クルーを実行' }
