/** `exec_alveqa`: as much of a run's id as people need; `findWork` takes it. */
export function shortId(id: string): string {
  const at = id.indexOf('_') + 1
  return id.slice(0, at) + id.slice(at).slice(-6)
}
