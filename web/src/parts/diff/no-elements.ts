// In the place of two packages with which refractor makes elements out of parts (vite.config.ts): the page makes its own, and one of
// the two would write to innerHTML.
const unused = (): never => {
  throw new Error('Elements are made by the page.')
}

export const h = unused
export const parseEntities = unused
