/** The one before or after it; undefined at the ends, and where it is not listed. */
export function beside(ids: readonly string[], id: string, by: 1 | -1): string | undefined {
  const at = ids.indexOf(id)
  return at === -1 ? undefined : ids[at + by]
}
