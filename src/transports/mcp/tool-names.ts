const WORD = /[a-z]+(?:[_-][a-z]+)*/g
const CLAUSES = /(?<=[;.] )|(?<=。)/

export function toolsNamedIn(text: string, isTool: (name: string) => boolean): string[] {
  return (text.match(WORD) ?? []).filter(isTool)
}

/** An error says what is wrong, then what to do. Advice to call what a connection does not have is left out. */
export function withoutAdvice(text: string, isMissing: (name: string) => boolean): string {
  const [fault = '', ...advice] = text.split(CLAUSES)
  const useful = advice.filter(clause => toolsNamedIn(clause, isMissing).length === 0)
  if (useful.length === advice.length) return text
  return [fault, ...useful].join('').trim().replace(/;$/, '.')
}
