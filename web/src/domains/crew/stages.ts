// Pure: who runs in which stage of a crew that is being put together.

/** `prompt`: of its own; empty: the one for all. */
export type Chosen = { role: string; stage: number; prompt: string }

/** Added to the last stage, or taken out. */
export function toggled(chosen: readonly Chosen[], role: string): Chosen[] {
  if (chosen.some(one => one.role === role)) return compact(chosen.filter(one => one.role !== role))
  return [...chosen, { role, stage: Math.max(0, ...chosen.map(({ stage }) => stage)), prompt: '' }]
}

/** By one stage; before the first and after the last, it makes a new one. */
export function shifted(chosen: readonly Chosen[], role: string, by: 1 | -1): Chosen[] {
  const stage = chosen.find(one => one.role === role)?.stage ?? 0
  return put(chosen, role, stage + by)
}

export function put(chosen: readonly Chosen[], role: string, stage: number): Chosen[] {
  return compact(chosen.map(one => (one.role === role ? { ...one, stage } : one)))
}

export function prompted(chosen: readonly Chosen[], role: string, prompt: string): Chosen[] {
  return chosen.map(one => (one.role === role ? { ...one, prompt } : one))
}

/** As the hub takes them: stages in their order, each role with its own prompt or the one for all. */
export function stagesOf(chosen: readonly Chosen[], prompt: string) {
  return numbersOf(chosen).map(stage => ({
    tasks: chosen
      .filter(one => one.stage === stage)
      .map(one => ({ role: one.role, prompt: one.prompt.trim() === '' ? prompt : one.prompt })),
  }))
}

export const numbersOf = (chosen: readonly Chosen[]): number[] =>
  [...new Set(chosen.map(({ stage }) => stage))].sort((a, b) => a - b)

/** Empty stages go. */
function compact(chosen: readonly Chosen[]): Chosen[] {
  const numbers = numbersOf(chosen)
  return chosen.map(one => ({ ...one, stage: numbers.indexOf(one.stage) }))
}
