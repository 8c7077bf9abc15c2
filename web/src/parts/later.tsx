import { type ComponentType, lazy, useState } from 'react'

/** How often a person asked for a part again. */
let wishes = 0

/** `ready`: loads it now. */
export type Later<P> = ComponentType<P> & { ready: () => Promise<unknown> }

/** What could not be loaded is asked for again when it is drawn next. */
export function loadAgain(): void {
  wishes++
}

/**
 * A component that is loaded when it is first drawn. React keeps a failure for good: of a hub that was away for a moment a view would
 * stay broken until a reload. Here it lasts until a person asks for it again.
 *
 * What was loaded before is drawn at once: React would show nothing for a third of a second first, and what opens by a key must be
 * there for the next one.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let failedAt: number | undefined
  let loaded: ComponentType<P> | undefined
  const ready = async () => (loaded ??= await load())
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await ready() }
      } catch (error) {
        failedAt = wishes
        throw error
      }
    })
  let Part = begin()
  const Shown = (props: P) => {
    // Another one later would be drawn anew, without what it holds.
    const [Loaded] = useState(() => loaded)
    // Not at once: what fails each time would be asked for without an end.
    if (failedAt !== undefined && failedAt < wishes) {
      failedAt = undefined
      Part = begin()
    }
    return Loaded ? <Loaded {...props} /> : <Part {...props} />
  }
  return Object.assign(Shown, { ready })
}
