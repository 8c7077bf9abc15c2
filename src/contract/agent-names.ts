/** `Claude`, `Claude 2`, `Claude 3`: the first that is not taken. */
const LONGEST = 190

export async function freeAgentName(
  name: string,
  isTaken: (name: string) => boolean | Promise<boolean>,
): Promise<string> {
  if (!(await isTaken(name))) return name
  const base = name.replace(/ \d+$/, '').slice(0, LONGEST).trim()
  for (let number = 2; ; number += 1) {
    const free = `${base} ${number}`
    if (!(await isTaken(free))) return free
  }
}
