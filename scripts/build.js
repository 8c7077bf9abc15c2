// Builds dist/: one bundle per program, with every npm library inside but the native one. `--clean` also removes what earlier
// builds left for programs that still run. A program that runs meanwhile never sees half a build: see install().
import '../bin/node-version.cjs'
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { buildPage, PAGE_SOURCE } from './build-page.js'
import { licences } from './licences.js'
import { DIST, ROOT, STAMP, sourceHash } from './sources.js'

/** Each program exports `main(args): Promise<exit code>`; bin/toryo.js calls it. */
const PROGRAMS = [
  { name: 'bridge', entry: 'src/bridge/main.ts', kind: 'whole' },
  { name: 'hub', entry: 'src/hub/main.ts', kind: 'whole' },
  { name: 'pty-host', entry: 'src/pty-host/main.ts', kind: 'whole' },
  { name: 'demo-engine', entry: 'src/demo/engine/main.ts', kind: 'whole' },
  { name: 'cli', entry: 'src/cli/main.ts', kind: 'split' },
]

/** Native, or an optional speed-up that its library does without. */
const EXTERNAL = ['@photostructure/sqlite', '@lydell/node-pty', 'pg-native', 'bufferutil', 'utf-8-validate']

// CommonJS libraries inside an ES module still call require() for node's own modules.
const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/**
 * Parts of libraries that none of our programs reaches, and that each start would have to read: zod's messages in fifty languages, and
 * the validator with which the MCP SDK would check what a person filled into a form.
 * @type {import('esbuild').Plugin}
 */
const unreached = {
  name: 'unreached',
  setup(context) {
    context.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
    context.onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents: `import process from 'node:process'
        class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('this build has no validator of JSON Schema') }
        }
        export { DefaultJsonSchemaValidator, process }`,
    }))
  },
}

const started = Date.now()
// Taken before the build: a file that changes meanwhile makes the next start build again.
const hash = sourceHash()
const fresh = path.join(ROOT, '.cache', `build-${process.pid}`)
try {
  await main()
} catch (error) {
  // esbuild has printed its own errors.
  if (!(error instanceof Error && 'errors' in error)) console.error(error)
  process.exitCode = 1
} finally {
  fs.rmSync(fresh, { recursive: true, force: true })
}

async function main() {
  const present = PROGRAMS.filter(program => {
    const exists = fs.existsSync(path.join(ROOT, program.entry))
    if (!exists) console.log(`build: ${program.entry} does not exist yet, so there is no dist/${program.name}.js`)
    return exists
  })
  fs.mkdirSync(fresh, { recursive: true })
  const [page, ...metafiles] = await Promise.all([bundlePage(), ...present.map(bundle)])
  fs.writeFileSync(path.join(fresh, 'THIRD_PARTY_LICENSES.txt'), licences(metafiles, page?.modules))
  install()
  for (const name of ['toryo.js', 'mcp-server-pm.js']) fs.chmodSync(path.join(ROOT, 'bin', name), 0o755)

  const sizes = present.map(({ name }) => `${name}.js ${kilobytes(path.join(DIST, `${name}.js`))}`)
  if (page) sizes.push(`web ${Math.ceil(page.firstLoad / 1000)} kB at first`)
  console.log(`build: ${sizes.join(', ') || 'nothing'} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

async function bundlePage() {
  return fs.existsSync(PAGE_SOURCE) ? buildPage(path.join(fresh, 'web')) : undefined
}

/** @param {typeof PROGRAMS[number]} program */
async function bundle({ name, entry, kind }) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { [name]: entry },
    outdir: fresh,
    // jsonc-parser's `main` is a form that cannot be bundled.
    mainFields: ['module', 'main'],
    chunkNames: `chunks/${name}-[name]-[hash]`,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: EXTERNAL,
    plugins: [unreached],
    banner: { js: BANNER },
    // Names stay: they are in the stack traces that people send us.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    splitting: kind === 'split',
    metafile: true,
  })
  return metafile
}

/**
 * Moves the new files over the old ones, each atomically, chunks before the programs that import them. The chunks of the build
 * before stay, since a program that runs may yet load one; those of still earlier builds go.
 */
function install() {
  const before = readStamp()
  const clean = process.argv.includes('--clean')
  const files = filesIn(fresh).sort((a, b) => Number(isChunk(b)) - Number(isChunk(a)))
  // Until the new stamp is written, anything that looks finds a build to be done.
  fs.rmSync(STAMP, { force: true })
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(DIST, file)), { recursive: true })
    fs.renameSync(path.join(fresh, file), path.join(DIST, file))
  }
  const keep = new Set([...files, ...(clean ? [] : before.files.filter(isChunk))])
  // `force`: another build may have been faster.
  for (const file of filesIn(DIST)) if (!keep.has(file)) fs.rmSync(path.join(DIST, file), { force: true })
  fs.mkdirSync(DIST, { recursive: true })
  fs.writeFileSync(STAMP, `${JSON.stringify({ hash, files }, null, 1)}\n`)
}

/** @returns {{ files: string[] }} */
function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(STAMP, 'utf8'))
  } catch {
    // No build before this one, or one that was interrupted.
    return { files: [] }
  }
}

/** Also of the page: one that is open loads the rest of its own build. @param {string} file */
function isChunk(file) {
  return file.startsWith(`chunks${path.sep}`) || file.startsWith(path.join('web', 'assets', path.sep))
}

/** @param {string} folder */
function filesIn(folder) {
  if (!fs.existsSync(folder)) return []
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

/** @param {string} file */
function kilobytes(file) {
  return `${Math.ceil(fs.statSync(file).size / 1000)} kB`
}
