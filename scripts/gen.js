// Writes the files that are derived from others; with --check it only says whether they are up to date.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { commandCatalogue, commandFiles, jsonReference, pathOf } from './gen-commands.js'
import { builtInFile, engineReference, guideParts, knownEnginesFile, knownOf, withParts } from './gen-engines.js'

/** Those that the hub or a Runner starts. @type {Record<string, string>} */
const WORKS = { instance: 'agents started for a task', run: 'runs', tab: 'tabs' }
const root = path.resolve(fileURLToPath(import.meta.url), '../..')
const check = process.argv.includes('--check')
/** @type {string[]} */
const stale = []

emit('src/engines/built-in.gen.ts', builtInFile(sourcesIn('src/engines')))
const { BUILT_IN: engines } = await bundled(["export { BUILT_IN } from '#engines/built-in.gen.ts'"])
emit('src/contract/known-engines.gen.ts', knownEnginesFile(engines.map(knownOf)))
emit('docs/reference/engines.md', engineReference(engines))
for (const lang of /** @type {const} */ (['en', 'ja'])) {
  const parts = guideParts(engines, lang)
  for (const file of readdirSync(path.join(root, 'docs/guide', lang))) {
    const name = `docs/guide/${lang}/${file}`
    emit(name, withParts(readFileSync(path.join(root, name), 'utf8'), parts, name))
  }
}

emit('src/hub/tools.gen.ts', toolList())
const { tools, schemas, configSchema } = await definitions()
emit('src/hub/tool-schemas.gen.ts', schemaList(schemas))
emit('docs/reference/tools.md', toolReference(tools))
emit('docs/reference/config.schema.json', `${JSON.stringify(configSchema, null, 2)}\n`)

const commands = await loadedCommands()
emit('src/cli/catalogue.gen.ts', commandCatalogue(commands.list, commands.words))
emit('docs/reference/json.md', jsonReference(commands.outputs))

if (check && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run npm run gen.`)
  process.exit(1)
}

/** One import a tool file, so that adding a tool touches its file and its test. */
function toolList() {
  const files = readdirSync(path.join(root, 'src/domains'))
    .flatMap(domain => {
      const folder = path.join(root, 'src/domains', domain, 'tools')
      // A domain may have none.
      if (!existsSync(folder)) return []
      return readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
        .map(entry => `${domain}/tools/${entry.name}`)
    })
    .sort()
  const last = (/** @type {string} */ file) => file.replace(/^.*\/|\.ts$/g, '')
  const name = (/** @type {string} */ file) => last(file).replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return [
    '// Written by `npm run gen` from the files in src/domains/*/tools. Do not edit.',
    ...files.map(file => `import ${name(file)} from '#domains/${file}'`),
    '',
    'export const tools = [',
    ...files.map(file => `  ${name(file)},`),
    ']',
    '',
  ].join('\n')
}

/** As text: parsing it is quicker than a literal, and much quicker than zod. @param {string[]} schemas */
function schemaList(schemas) {
  const quoted = schemas.map(schema => `  '${schema.replace(/[\\']/g, '\\$&')}',`)
  return [
    '// Written by `npm run gen`: the input schema of each tool, in each of its forms, in the order of tools.gen.ts. Do not edit.',
    'export const toolSchemas = [',
    ...quoted,
    ']',
    '',
  ].join('\n')
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(path.join(root, folder))
    .filter(name => name.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(name))
    .map(name => ({ name, text: readFileSync(path.join(root, folder, name), 'utf8') }))
}

async function definitions() {
  const defined = await bundled([
    "export { tools } from '#hub/tools.gen.ts'",
    "export { formsOf, listed } from '#kernel/tool.ts'",
    "export { TOOLSETS } from '#contract/toolsets.ts'",
    "export { configSchema } from '#contract/config.ts'",
  ])
  // Beside each toolset's own form, the reference has no need of those for connections with several.
  const forms = defined.tools.flatMap((/** @type {any} */ tool) => [
    tool,
    ...(tool.also ?? [])
      .filter((/** @type {any} */ form) => form.toolsets.length === 1)
      .map((/** @type {any} */ form) => form.tool),
  ])
  return {
    tools: defined.TOOLSETS.map((/** @type {string} */ toolset) => ({
      toolset,
      tools: forms
        .filter((/** @type {any} */ tool) => tool.toolset === toolset)
        .map((/** @type {any} */ tool) => ({
          ...defined.listed(tool),
          // The list names only some of them.
          answers: Object.keys(tool.output.shape),
          callers: tool.callers,
          offeredTo: tool.offeredTo ?? [],
        })),
    })).filter((/** @type {any} */ group) => group.tools.length > 0),
    schemas: defined.tools
      .flatMap(defined.formsOf)
      .map((/** @type {any} */ tool) => JSON.stringify(defined.listed(tool).inputSchema)),
    configSchema: defined.configSchema(),
  }
}

/** What these lines of TypeScript export. @param {string[]} lines */
async function bundled(lines) {
  const { build } = await import('esbuild')
  const folder = mkdtempSync(path.join(tmpdir(), 'toryo-gen-'))
  try {
    const outfile = path.join(folder, 'definitions.mjs')
    await build({
      stdin: { contents: lines.join('\n'), resolveDir: root, sourcefile: 'definitions.ts' },
      bundle: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      format: 'esm',
      outfile,
      logLevel: 'error',
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loadedCommands() {
  const files = commandFiles(readdirSync(path.join(root, 'src/cli/commands')))
  const loaded = await bundled([
    "export { WORDS } from '#cli/words.ts'",
    "export { schemasOf } from '#cli/outputs.ts'",
    "export { toJSONSchema } from 'zod'",
    ...files.map((file, at) => `export { default as command${at} } from '#cli/commands/${file}'`),
  ])
  const list = files.map((file, at) => ({ file, ...loaded[`command${at}`] }))
  const outputs = list.map(({ file, output, ...rest }) => ({
    path: pathOf(file),
    output,
    schemas: loaded
      .schemasOf({ output, ...rest })
      .map((/** @type {any} */ schema) => loaded.toJSONSchema(schema, { unrepresentable: 'any' })),
  }))
  return { list, words: loaded.WORDS, outputs }
}

/** @param {any[]} groups */
function toolReference(groups) {
  const lines = ['# Tools', '', 'Written by `npm run gen`. Every tool of the MCP server, by toolset.', '']
  for (const { toolset, tools } of groups) {
    lines.push(`## ${toolset}`, '')
    for (const tool of tools) {
      lines.push(`### ${tool.name}`, '', tool.description, '')
      const required = new Set(tool.inputSchema.required ?? [])
      const parameters = Object.entries(tool.inputSchema.properties ?? {})
      if (parameters.length > 0) {
        lines.push('| parameter | type | |', '|---|---|---|')
        for (const [name, schema] of parameters) {
          const about = [required.has(name) ? 'required' : '', schema.description ?? ''].filter(Boolean).join('; ')
          lines.push(`| \`${name}\` | ${typeOf(schema)} | ${about} |`)
        }
        lines.push('')
      }
      if (tool.outputSchema)
        lines.push(`Answers: ${tool.answers.map((/** @type {string} */ name) => `\`${name}\``).join(', ')}`, '')
      const usual = tool.offeredTo.map((/** @type {string} */ work) => WORKS[work]).filter(Boolean)
      const offered = usual.length > 0 ? ` Offered by default to ${usual.join(', ')}.` : ''
      lines.push(`For: ${tool.callers.join(', ')}.${offered}${tool.annotations.readOnlyHint ? ' Reads only.' : ''}`, '')
    }
  }
  return lines.join('\n')
}

/** @param {any} schema @returns {string} */
function typeOf(schema) {
  if (schema.enum) return schema.enum.map((/** @type {string} */ value) => `\`${value}\``).join(' \\| ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' \\| ')
  return schema.type ?? 'any'
}

/** @param {string} file @param {string} content */
function emit(file, content) {
  const target = path.join(root, file)
  let before = ''
  try {
    before = readFileSync(target, 'utf8')
  } catch {
    // It is not there yet.
  }
  if (before === content) return
  stale.push(file)
  if (check) return
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, content)
  console.log(`wrote ${file}`)
}
