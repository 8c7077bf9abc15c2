/** Adds an agent like the one that a task waits for. A name that a shell would take apart is left to the person. */
export function copyCommand(agent: string, handle: string): string {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u.test(agent)
  const word = isPlain ? (agent.includes(' ') ? `"${agent}"` : agent) : '<agent>'
  return `toryo agent copy ${word} --task ${handle}`
}
