// What `npm run gen` makes of the commands of the CLI.

/** A command is one file, named as it is called: `task-add.ts` is `toryo task add`. @param {string[]} files */
export function commandFiles(files) {
  return files.filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts')).sort()
}

/** `task-undo_merge.ts` is `toryo task undo-merge`. @param {string} file */
export function pathOf(file) {
  return file.slice(0, -3).replaceAll('-', ' ').replaceAll('_', '-')
}

/**
 * The catalogue: what the help needs of every command without loading one, in the order of the help.
 * @param {any[]} commands @param {any[]} words
 */
export function commandCatalogue(commands, words) {
  const called = commands.map(command => ({ ...command, path: pathOf(command.file) }))
  const all = new Map([...words, ...called].map(one => [one.path, one]))
  /** By the places of its words, the first one first. @param {any} one @returns {string} */
  const rank = one => {
    const above = all.get(one.path.split(' ').slice(0, -1).join(' '))
    return `${above ? rank(above) : ''}${String(one.order).padStart(3, '0')}${one.path} `
  }
  const sorted = [...all.values()].map(one => ({ one, at: rank(one) })).sort((a, b) => (a.at < b.at ? -1 : 1))
  const lines = sorted.map(({ one }) => {
    const { path, summary, group, file, when } = one
    const parts = [`path: ${JSON.stringify(path)}`, `summary: ${JSON.stringify({ en: summary.en, ja: summary.ja })}`]
    if (group) parts.push(`group: ${JSON.stringify(group)}`)
    // Of a command the file itself says so.
    if (!file) parts.push(`when: ${JSON.stringify({ en: when.en, ja: when.ja })}`)
    if (file) parts.push(`load: () => import('./commands/${file}')`)
    return `  { ${parts.join(', ')} },`
  })
  return [
    '// Written by `npm run gen` from src/cli/commands and src/cli/words.ts. Do not edit.',
    "import type { Entry } from './define.ts'",
    '',
    'export const catalogue: readonly Entry[] = [',
    ...lines,
    ']',
    '',
  ].join('\n')
}

/**
 * The reference of `--json`: the fields of each command, commands with the same ones together.
 * @param {{ path: string, output: unknown, schemas: any[] }[]} commands
 */
export function jsonReference(commands) {
  const lines = [
    '# What `--json` prints',
    '',
    'Written by `npm run gen` from the commands. [How to use it](../guide/en/json.md). `…[]` is a list; a field with `?` may be missing.',
    '',
  ]
  /** @type {Map<string, string>} */
  const seen = new Map()
  for (const { path, output, schemas } of commands) {
    lines.push(`## toryo ${path}`, '')
    if (output === null) lines.push('No JSON output.', '')
    for (const [at, schema] of schemas.entries()) {
      const rows = fieldsOf(schema, '')
      const table = ['| field | type | |', '|---|---|---|', ...rows].join('\n')
      const same = seen.get(table)
      if (schemas.length > 1) lines.push(at === 0 ? 'One of:' : 'or:', '')
      lines.push(same === undefined ? table : `As \`toryo ${same}\`.`, '')
      if (same === undefined) seen.set(table, path)
    }
  }
  return `${lines.join('\n').trimEnd()}\n`
}

/** @param {any} schema @param {string} prefix @returns {string[]} */
function fieldsOf(schema, prefix) {
  const whole = plain(schema)
  if (whole.anyOf) return whole.anyOf.flatMap((/** @type {any} */ part) => fieldsOf(part, prefix))
  if (whole.type === 'array') return fieldsOf(whole.items ?? {}, `${prefix}[]`)
  const required = new Set(whole.required ?? [])
  return Object.entries(whole.properties ?? {}).flatMap(([name, field]) => {
    const full = `${prefix === '' ? '' : `${prefix}.`}${name}`
    const about = (field.description ?? '').replaceAll('|', '\\|')
    const row = `| \`${full}${required.has(name) ? '' : '?'}\` | ${jsonType(field)} | ${about} |`
    return [row, ...fieldsOf(field, full)]
  })
}

/** Without null, which the type says. @param {any} schema @returns {any} */
function plain(schema) {
  const parts = schema.anyOf?.filter((/** @type {any} */ part) => part.type !== 'null')
  return parts?.length === 1 ? parts[0] : schema
}

/** @param {any} schema @returns {string} */
function jsonType(schema) {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return values.map((/** @type {unknown} */ value) => `\`${String(value)}\``).join(' \\| ')
  if (schema.anyOf ?? schema.oneOf) return [...new Set((schema.anyOf ?? schema.oneOf).map(jsonType))].join(' \\| ')
  if (schema.type === 'array') return `${jsonType(schema.items ?? {})}[]`
  return schema.type ?? 'any'
}
