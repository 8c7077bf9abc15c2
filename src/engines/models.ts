// Rules about model names that several engines share.

/** Names reach a command line: nothing that could be read as an option, nothing that no vendor uses. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:/@[\]+-]{0,127}$/u

/** How the big vendors' models begin. A program of one vendor does not run those of another. */
const FAMILIES = {
  claude: /^(claude|opus|sonnet|haiku)/i,
  openai: /^(gpt|o\d|codex|chatgpt)/i,
  gemini: /^gemini/i,
} as const

export function nameProblem(model: string): string | undefined {
  return NAME.test(model) ? undefined : `${JSON.stringify(model.slice(0, 80))} is not a model's name`
}

export function foreign(
  engine: string,
  model: string,
  families: readonly (keyof typeof FAMILIES)[],
): string | undefined {
  const family = families.find(name => FAMILIES[name].test(model))
  return nameProblem(model) ?? (family && `${engine} does not run ${model}`)
}
