import { type ComponentType, lazy } from 'react'

/** How often a person asked for a part again. */
let wishes = 0

/** What could not be loaded is asked for again when it is drawn next. */
export function loadAgain(): void {
  wishes++
}

/**
 * A component that is loaded when it is first drawn. React keeps a failure for good: of a hub that was away for a moment a view would
 * stay broken until a reload. Here it lasts until a person asks for it again.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let failedAt: number | undefined
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        failedAt = wishes
        throw error
      }
    })
  let Part = begin()
  return props => {
    // Not at once: what fails each time would be asked for without an end.
    if (failedAt !== undefined && failedAt < wishes) {
      failedAt = undefined
      Part = begin()
    }
    return <Part {...props} />
  }
}
