/** `exec_alveqa`: as much of an id as people need; `findWork` and `byName` take it. */
export function shortId(id: string): string {
  const at = id.indexOf('_') + 1
  return id.slice(0, at) + id.slice(at).slice(-6)
}
