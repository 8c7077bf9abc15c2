// Writes the files that are derived from others; with --check it only tells whether they are up to date.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Those that the hub or a Runner starts. @type {Record<string, string>} */
const WORKS = { instance: 'agents started for a task', run: 'runs', tab: 'tabs' }
const root = path.resolve(fileURLToPath(import.meta.url), '../..')
const check = process.argv.includes('--check')
/** @type {string[]} */
const stale = []

emit('src/hub/tools.gen.ts', toolList())
const { tools, configSchema } = await load()
emit('docs/reference/tools.md', toolReference(tools))
emit('docs/reference/config.schema.json', `${JSON.stringify(configSchema, null, 2)}\n`)

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
  /** Two domains may each have a tool of the same name. */
  const name = (/** @type {string} */ file) => {
    const isShared = files.some(other => other !== file && last(other) === last(file))
    const words = isShared ? `${file.split('/')[0]}-${last(file)}` : last(file)
    return words.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  }
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

async function load() {
  const { build } = await import('esbuild')
  const folder = mkdtempSync(path.join(tmpdir(), 'toryo-gen-'))
  try {
    const outfile = path.join(folder, 'definitions.mjs')
    const contents = [
      "export { tools } from '#hub/tools.gen.ts'",
      "export { listed } from '#kernel/tool.ts'",
      "export { TOOLSETS } from '#contract/toolsets.ts'",
      "export { configSchema } from '#kernel/config.ts'",
    ].join('\n')
    await build({
      stdin: { contents, resolveDir: root, sourcefile: 'definitions.ts' },
      bundle: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      format: 'esm',
      outfile,
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    })
    const definitions = await import(pathToFileURL(outfile).href)
    return {
      tools: definitions.TOOLSETS.map((/** @type {string} */ toolset) => ({
        toolset,
        tools: definitions.tools
          .filter((/** @type {any} */ tool) => tool.toolset === toolset)
          .map((/** @type {any} */ tool) => ({
            ...definitions.listed(tool),
            // The list names only some of them.
            answers: Object.keys(tool.output.shape),
            callers: tool.callers,
            offeredTo: tool.offeredTo ?? [],
          })),
      })).filter((/** @type {any} */ group) => group.tools.length > 0),
      configSchema: definitions.configSchema(),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
