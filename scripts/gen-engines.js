// What `npm run gen` derives from the files of src/engines: the list of engines, what is known of them as plain data, and the
// tables of the guide. Pure: files in, text out.
import { isDeepStrictEqual } from 'node:util'

/** @typedef {import('../src/contract/known-engines.ts').KnownEngine} KnownEngine */
/** @typedef {import('../src/contract/known-engines.ts').Registration} Registration */
/** @typedef {import('../src/engines/engine.ts').BuiltInEngine} BuiltInEngine */

/**
 * One import an engine. A file is one when it exports a BuiltInEngine under its own name.
 * @param {{ name: string, text: string }[]} files
 */
export function builtInFile(files) {
  const names = files.flatMap(({ name, text }) => {
    const exported = name.replace(/\.ts$/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
    return text.includes(`export const ${exported}: BuiltInEngine = {`) ? [{ name, exported }] : []
  })
  names.sort((a, b) => (a.name < b.name ? -1 : 1))
  return [
    '// Written by `npm run gen` from the files in src/engines. Do not edit.',
    ...names.map(({ name, exported }) => `import { ${exported} } from './${name}'`),
    "import type { BuiltInEngine } from './engine.ts'",
    '',
    `const all: readonly BuiltInEngine[] = [${names.map(({ exported }) => exported).join(', ')}]`,
    '',
    '/** The one to prefer first. */',
    'export const BUILT_IN = all.toSorted((a, b) => a.rank - b.rank)',
    '',
  ].join('\n')
}

/** All of an engine that is plain data, but for what only the guide says. @param {BuiltInEngine} engine @returns {KnownEngine} */
export function knownOf(engine) {
  const plain = Object.entries(engine).filter(([name, value]) => {
    if (name === 'guide') return false
    const text = JSON.stringify(value)
    return text !== undefined && isDeepStrictEqual(JSON.parse(text), value)
  })
  return /** @type {KnownEngine} */ (Object.fromEntries(plain))
}

/** @param {readonly KnownEngine[]} engines */
export function knownEnginesFile(engines) {
  return [
    '// Written by `npm run gen` from the files in src/engines. Do not edit.',
    "import type { KnownEngine } from './known-engines.ts'",
    '',
    '/** The one to prefer first. */',
    `export const ENGINE_IDS = ${JSON.stringify(engines.map(({ id }) => id))} as const`,
    '',
    'export const KNOWN_ENGINES: readonly KnownEngine[] = [',
    ...engines.flatMap(engine => [
      '  {',
      ...Object.entries(engine).map(([name, value]) => `    ${name}: ${spaced(value)},`),
      '  },',
    ]),
    ']',
    '',
  ].join('\n')
}

/** What the tables say, in the languages of the guide. @typedef {keyof typeof WORDS} Lang */
const WORDS = {
  en: {
    list: ', ',
    files: '| program | file | entry | |\n|---|---|---|---|',
    made: (/** @type {string} */ program) => `made when missing, if \`${program}\` is installed`,
    onlyIfThere: 'only if it exists',
    starts: '| program | your own servers | the registered entry |\n|---|---|---|',
    stay: 'stay',
    off: 'switched off',
    'left-out': 'left out of the settings for this start',
    idle: 'started, offers no tools',
    ownEngines: 'engines of your own',
    folders: '| program | asks about a new worktree |\n|---|---|',
    programs: '| program | `--engine` | install | sign in |\n|---|---|---|---|',
    thenType: (/** @type {string} */ line) => `, then \`${line}\``,
    or: (/** @type {string} */ variable) => `; or set \`${variable}\``,
  },
  ja: {
    list: '、',
    files: '| プログラム | ファイル | 項目 | |\n|---|---|---|---|',
    made: (/** @type {string} */ program) => `なければ、\`${program}\` がある場合に作成`,
    onlyIfThere: 'ファイルがある場合のみ',
    starts: '| プログラム | あなたの MCP サーバー | 登録された項目 |\n|---|---|---|',
    stay: 'そのまま使用',
    off: '無効化',
    'left-out': 'この起動用の設定から除外',
    idle: '起動されるが、ツールは提供しない',
    ownEngines: '独自のエンジン',
    folders: '| プログラム | 新しいワークツリーについて |\n|---|---|',
    programs: '| プログラム | `--engine` | インストール | ログイン |\n|---|---|---|---|',
    thenType: (/** @type {string} */ line) => ` の後に \`${line}\``,
    or: (/** @type {string} */ variable) => `。または \`${variable}\` を設定`,
  },
}

/** The parts of the guide that speak of every engine, by the names of their marks. @param {readonly BuiltInEngine[]} engines @param {Lang} lang */
export function guideParts(engines, lang) {
  const words = WORDS[lang]
  const row = (/** @type {string[]} */ ...cells) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const registered = engines.flatMap(({ registration, ...engine }) =>
    registration ? [{ ...engine, registration }] : [],
  )
  const table = (/** @type {string} */ head, /** @type {string[]} */ rows) => `\n${[head, ...rows].join('\n')}\n`
  return {
    'engine-order': engines.map(({ id }) => id).join(words.list),
    'engine-programs': table(
      words.programs,
      engines.map(({ label, id, install, signIn }) => {
        const then = signIn.type === undefined ? '' : words.thenType(signIn.type)
        const line = 'npm' in install ? `npm install -g ${install.npm}` : install.shell
        return row(label, `\`${id}\``, `\`${line}\``, `\`${signIn.shell}\`${then}${words.or(signIn.variable)}`)
      }),
    ),
    'engine-config': `\n${registered.map(({ label, registration, guide }) => ownEntry(label, registration, guide?.addLine)).join('\n')}`,
    'engine-files': table(
      words.files,
      registered.map(({ label, programs, registration }) => {
        const { makesFile, variable, holder, format } = registration
        const files = pathsOf(registration)
          .map(file => `\`${file}\``)
          .join(words.list)
        const entry = format === 'toml' ? `\`[${holder}.gwt-agent-bridge]\`` : `\`${holder}\` → \`gwt-agent-bridge\``
        const named = variable === undefined ? '' : ` (\`${variable}\`)`
        return row(label, files + named, entry, makesFile ? words.made(programs.join('`, `')) : words.onlyIfThere)
      }),
    ),
    'engine-starts': table(words.starts, [
      ...registered.map(({ label, registration, guide }) =>
        row(label, guide?.ownServers?.[lang] ?? words.stay, words[registration.whenStarted]),
      ),
      row(words.ownEngines, words.stay, words.idle),
    ]),
    'engine-folders': table(
      words.folders,
      engines.flatMap(({ label, guide }) => (guide?.asksAboutFolder ? [row(label, guide.asksAboutFolder[lang])] : [])),
    ),
  }
}

/** @param {Registration} registration */
function pathsOf({ folder, files }) {
  return files.map(file => ['~', folder, file].filter(Boolean).join('/'))
}

/** How a person enters `toryo mcp` there. @param {string} label @param {Registration} registration @param {string} [addLine] */
function ownEntry(label, registration, addLine) {
  const { format, holder, entry } = registration
  if (addLine !== undefined) return `**${label}**\n\n\`\`\`sh\n${addLine}\n\`\`\`\n`
  const own = JSON.parse(JSON.stringify(entry).replaceAll('{runtime}', 'toryo').replaceAll('{bridge}', 'mcp'))
  const code =
    format === 'toml'
      ? [`[${holder}.toryo]`, ...Object.entries(own).map(([name, value]) => `${name} = ${spaced(value)}`)].join('\n')
      : spaced({ [holder]: { toryo: own } })
  return `**${label}** — \`${pathsOf(registration)[0]}\`\n\n\`\`\`${format}\n${code}\n\`\`\`\n`
}

/** JSON on one line, with room to read it. @param {unknown} value @returns {string} */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${spaced(inner)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Between `<!-- gen:name -->` and `<!-- /gen -->`. @param {string} text @param {Record<string, string>} parts @param {string} file */
export function withParts(text, parts, file) {
  return text.replace(/(<!-- gen:([\w-]+) -->)(.*?)(<!-- \/gen -->)/gs, (_, open, name, _before, close) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`${file}: nothing is called ${name}`)
    return `${open}${part}${close}`
  })
}

/** @param {readonly BuiltInEngine[]} engines */
export function engineReference(engines) {
  const lines = [
    '# Engines',
    '',
    'Written by `npm run gen` from `src/engines`. What Toryo knows of every agent program.',
    '',
  ]
  const code = (/** @type {readonly string[]} */ words) => words.map(word => `\`${word}\``).join(', ')
  for (const engine of engines) {
    const { id, label, programs, registration, projectConfig, capabilities } = engine
    const able = Object.entries(capabilities).flatMap(([name, is]) => (is ? [name] : []))
    const modes = [...(engine.headless ? ['headless'] : []), ...(engine.terminal ? ['terminal'] : [])]
    const rows = [
      ['programs', code(programs)],
      ['modes', modes.join(', ')],
      ['capabilities', code(able)],
      ['knows its prompt in a terminal', engine.screen ? 'yes' : 'no'],
      ['lists its models', engine.models ? 'yes' : 'no'],
      ['registered in', registration ? code(pathsOf(registration)) : 'no file'],
      ['needs trust in', code(projectConfig)],
    ]
    lines.push(
      `## ${label} (\`${id}\`)`,
      '',
      '| | |',
      '|---|---|',
      ...rows.map(([what, is]) => `| ${what} | ${is} |`),
      '',
    )
  }
  return lines.join('\n')
}
