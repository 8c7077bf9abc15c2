/** Collects what comes within one frame and hands it on at once: fifty events a second are sixty drawings at most, not fifty lists. */
export function perFrame<T>(take: (items: readonly T[]) => void): (items: readonly T[]) => void {
  let waiting: T[] = []
  let scheduled = false
  const flush = () => {
    scheduled = false
    const items = waiting
    waiting = []
    take(items)
  }
  return items => {
    waiting.push(...items)
    if (scheduled) return
    scheduled = true
    // A hidden page draws no frames, and must not fall behind for it.
    if (document.visibilityState === 'visible') requestAnimationFrame(flush)
    else setTimeout(flush, 200)
  }
}
