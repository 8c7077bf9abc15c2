// What `npm run gen` makes of the commands of the CLI.

/** A command is one file, named as it is called: `task-add.ts` is `toryo task add`. @param {string[]} files */
export function commandFiles(files) {
  return files.filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts')).sort()
}

/**
 * The catalogue: what the help needs of every command without loading one, in the order of the help.
 * @param {any[]} commands @param {any[]} words
 */
export function commandCatalogue(commands, words) {
  const called = commands.map(command => ({ ...command, path: command.file.slice(0, -3).replaceAll('-', ' ') }))
  const all = new Map([...words, ...called].map(one => [one.path, one]))
  /** By the places of its words, the first one first. @param {any} one @returns {string} */
  const rank = one => {
    const above = all.get(one.path.split(' ').slice(0, -1).join(' '))
    return `${above ? rank(above) : ''}${String(one.order).padStart(3, '0')}${one.path} `
  }
  const sorted = [...all.values()].map(one => ({ one, at: rank(one) })).sort((a, b) => (a.at < b.at ? -1 : 1))
  const lines = sorted.map(({ one }) => {
    const { path, summary, group, file } = one
    const parts = [`path: ${JSON.stringify(path)}`, `summary: ${JSON.stringify({ en: summary.en, ja: summary.ja })}`]
    if (group) parts.push(`group: ${JSON.stringify(group)}`)
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
