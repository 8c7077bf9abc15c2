/** Stands in an error form where the sentence goes. */
export const SENTENCE = '%s'

/** What some tools answer when a call fails: `body`, with the sentence in the place of `SENTENCE`. */
export type ErrorForm = { body: Record<string, unknown>; tools: string[] }
