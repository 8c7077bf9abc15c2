/** `agent:agt_aoi` as people call it; a person by the name that was given, else the one who reads. */
export function nameIn(by: string, nameOf: (agentId: string) => string, you: string): string {
  if (by === 'operator') return you
  const id = /^agent:(.+)$/.exec(by)?.[1]
  return id === undefined ? by.replace(/^operator:/, '') : nameOf(id)
}
