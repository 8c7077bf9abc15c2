// What a command printed with `--json`, beside what it says that it prints.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { catalogue } from '#cli/catalogue.gen.ts'
import { schemasOf } from '#cli/outputs.ts'

/** The command that these words name: the longest that there is. */
export function commandIn(args: readonly string[]): string {
  const paths = catalogue.flatMap(({ path, load }) => (load ? [path] : []))
  const named = paths.filter(path => path.split(' ').every((word, at) => args[at] === word))
  return named.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

/** Throws when the document has another form, or a field that is not in it. */
export async function checkOutput(args: readonly string[], document: unknown): Promise<void> {
  const path = commandIn(args)
  const spec = (await catalogue.find(entry => entry.path === path)?.load?.())?.default
  if (!spec) throw new Error(`no command in: toryo ${args.join(' ')}`)
  const forms = schemasOf(spec).flatMap(schema =>
    schema instanceof z.ZodUnion ? schema.options : schema,
  ) as z.ZodType[]
  const problems: string[] = []
  for (const form of forms) {
    const read = form.safeParse(document)
    if (read.success && isDeepStrictEqual(read.data, document)) return
    problems.push(read.success ? `more than ${JSON.stringify(read.data).slice(0, 2000)}` : z.prettifyError(read.error))
  }
  throw new Error(`toryo ${path} --json printed ${JSON.stringify(document).slice(0, 2000)}\n${problems.join('\n')}`)
}
