// Builds the dashboard into a folder: hashed files, each text also as gzip, and a check of the size of what a browser loads first.
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from './sources.js'

/** What a browser loads before Needs you is there, in bytes of gzip. */
const FIRST_LOAD_LIMIT = 122_500
/** What loads when it is asked for, by the name that Vite gives the chunk. @type {Record<string, number>} */
const CHUNK_LIMITS = {
  ...{ 'board-view': 25_000, palette: 20_000, 'review-panel': 15_000, 'review-page': 15_000, 'terminals-view': 20_000 },
  ...{ 'terminal-screen': 110_000, 'addon-webgl': 32_000, grammars: 30_000, rendered: 20_000 },
}
const ENTRY = 'index.html'
/** Already compressed, or not worth it. */
const GZIPPED = /\.(js|css|svg|html|webmanifest)$/

/** @typedef {{ file: string, name?: string, css?: string[], imports?: string[] }} Chunk */
/** @typedef {Record<string, Chunk>} Manifest */

export const PAGE_SOURCE = path.join(ROOT, 'web', ENTRY)

/**
 * @param {string} folder
 * @returns {Promise<{ modules: string[], firstLoad: number }>} the files that were put in, and the size of the first load
 */
export async function buildPage(folder) {
  // Vite believes it, and a test that builds has another.
  process.env['NODE_ENV'] = 'production'
  const { build } = await import('vite')
  /** @type {Set<string>} */
  const modules = new Set()
  await build({
    configFile: path.join(ROOT, 'web', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
    plugins: [{ name: 'toryo-modules', generateBundle: (_, bundle) => collect(bundle, modules) }],
  })
  const listed = path.join(folder, '.vite', 'manifest.json')
  const manifest = /** @type {Manifest} */ (JSON.parse(fs.readFileSync(listed, 'utf8')))
  fs.rmSync(path.dirname(listed), { recursive: true })
  const sizes = gzipAll(folder)
  const firstLoad = [...firstFiles(manifest), ENTRY, 'first-paint.js'].reduce((sum, file) => sum + sizeOf(file), 0)
  if (firstLoad > FIRST_LOAD_LIMIT) throw new Error(tooLarge('the first load', firstLoad, FIRST_LOAD_LIMIT))
  for (const [name, limit] of Object.entries(CHUNK_LIMITS)) {
    const chunks = Object.values(manifest).filter(chunk => chunk.name === name)
    // A limit of a chunk that went by another name would hold nothing.
    if (chunks.length === 0)
      throw new Error(`The page has no chunk ${name}, which has a limit (scripts/build-page.js).`)
    for (const { file } of chunks) if (sizeOf(file) > limit) throw new Error(tooLarge(file, sizeOf(file), limit))
  }
  return { modules: [...modules], firstLoad }

  /** @param {string} file */
  function sizeOf(file) {
    return sizes.get(file) ?? 0
  }
}

/** @param {import('vite').Rolldown.OutputBundle} bundle @param {Set<string>} modules */
function collect(bundle, modules) {
  for (const part of Object.values(bundle)) {
    if (part.type !== 'chunk') continue
    for (const [id, { renderedLength }] of Object.entries(part.modules)) {
      if (renderedLength > 0) modules.add(id.replace(/^\0/, '').replace(/\?.*$/, ''))
    }
  }
}

/** The entry and all that it imports statically. @param {Manifest} manifest */
function firstFiles(manifest) {
  /** @type {Set<string>} */
  const files = new Set()
  /** @param {string} key */
  const visit = key => {
    const chunk = manifest[key]
    if (chunk === undefined || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const next of chunk.imports ?? []) visit(next)
  }
  visit(ENTRY)
  return files
}

/** Relative path → bytes as gzip. @param {string} folder */
function gzipAll(folder) {
  /** @type {Map<string, number>} */
  const sizes = new Map()
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !GZIPPED.test(entry.name)) continue
    const file = path.join(entry.parentPath, entry.name)
    const packed = gzipSync(fs.readFileSync(file), { level: 9 })
    sizes.set(path.relative(folder, file).split(path.sep).join('/'), packed.length)
    // The nonce is put into the HTML for each response, so it is never sent as it lies here.
    if (!file.endsWith('.html')) fs.writeFileSync(`${file}.gz`, packed)
  }
  return sizes
}

/** @param {string} what @param {number} size @param {number} limit */
function tooLarge(what, size, limit) {
  return `The page is too large: ${what} is ${size} bytes of gzip, the limit is ${limit} (scripts/build-page.js).`
}
