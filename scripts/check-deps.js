// Enforces who may import whom. Reads the sources themselves; it needs no compiler.
import '../bin/node-version.cjs'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { importsIn } from './imports-in.js'
import { ROOT } from './sources.js'

/** Zone → the zones it may import besides itself. A new folder of src/ is refused until it has a line here. */
export const ARROWS = {
  contract: [],
  system: ['contract'],
  kernel: ['contract', 'system'],
  domains: ['contract', 'system', 'kernel'],
  engines: ['contract', 'system', 'kernel'],
  transports: ['contract', 'system', 'kernel'],
  client: ['contract', 'system'],
  hub: ['contract', 'system', 'kernel', 'domains', 'engines', 'transports', 'client', 'runner', 'registration', 'demo'],
  // The scene of the demo is a client of its hub; its engine is a program of its own.
  demo: ['contract', 'system', 'client'],
  // `toryo register` works without a hub.
  cli: ['contract', 'system', 'engines', 'client', 'runner', 'registration'],
  bridge: ['contract', 'system', 'client', 'registration'],
  // It starts engines where it runs, which may be another machine than the hub's.
  runner: ['contract', 'system', 'kernel', 'engines', 'client'],
  // Where an engine's program and files are. The bridge carries registration along, so not its readers.
  registration: ['contract', 'system', 'engines', 'client'],
  'pty-host': ['contract', 'system', 'kernel'],
  // Types from all of it; code only from files that load no library.
  web: ['contract'],
  // What loads the others, as text.
}

/** Inside the page: folder of web/src → the others that it may import. None for main.tsx, which may import all. @type {Record<string, string[]>} */
export const PAGE_ARROWS = {
  words: ['hub'],
  hub: [],
  parts: ['hub', 'words'],
  domains: ['hub', 'parts', 'words'],
  app: ['hub', 'parts', 'words', 'domains'],
}

/** What would make text that an agent wrote into markup or code. */
const UNSAFE = /\b(dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b/

/** The only libraries that these zones may use (`node:` stands for all of Node's own); the others are free. @type {Record<string, string[]>} */
const LIBRARIES = { contract: ['zod'], system: ['node:'] }

/** @typedef {{ file: string, line: number, message: string }} Violation */
/** @typedef {ReturnType<typeof importsIn>[number]} Import */

/** @param {string} root @returns {Violation[]} */
export function checkDeps(root) {
  const files = ['src', 'web'].flatMap(folder => sourcesIn(path.join(root, folder)))
  const imports = new Map(files.map(file => [file, importsIn(fs.readFileSync(file, 'utf8'))]))
  return [
    ...files.flatMap(file => checkFile(root, file, imports.get(file) ?? [])),
    ...cyclesIn(root, imports),
    ...librariesIn(root, imports),
    ...sourcesIn(path.join(root, 'web')).flatMap(file => unsafeIn(root, file)),
  ]
}

/**
 * Code that the page takes along with a file of the contract, such as zod.
 * @param {string} root @param {Map<string, Import[]>} imports @returns {Violation[]}
 */
function librariesIn(root, imports) {
  /** @param {string} file @param {Set<string>} seen @returns {string | undefined} */
  const libraryOf = (file, seen) => {
    if (seen.has(file)) return undefined
    seen.add(file)
    for (const { specifier, when } of imports.get(file) ?? []) {
      if (when === 'type') continue
      const target = targetOf(root, file, specifier)
      const found = target === undefined ? specifier : libraryOf(target, seen)
      if (found !== undefined) return found
    }
    return undefined
  }
  return [...imports].flatMap(([file, found]) => {
    if (place(root, file).zone !== 'web') return []
    return found.flatMap(({ specifier, line, when }) => {
      const target = when === 'type' ? undefined : targetOf(root, file, specifier)
      if (target === undefined || place(root, target).zone !== 'contract') return []
      const library = libraryOf(target, new Set())
      const message = `the page would load ${library} with it; import the type alone, or move the value ('${specifier}')`
      return library === undefined ? [] : [{ file: path.relative(root, file), line, message }]
    })
  })
}

/** @param {string} root @param {string} file @returns {Violation[]} */
function unsafeIn(root, file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((text, index) => {
    const [word] = UNSAFE.exec(text) ?? []
    const message = `${word} makes text into markup or code; use elements and text`
    return word === undefined ? [] : [{ file: path.relative(root, file), line: index + 1, message }]
  })
}

/**
 * Files that load each other: which of them is evaluated first depends on which was asked for first, and the other finds it
 * half made. Types are removed before that, and `import()` comes after it.
 * @param {string} root @param {Map<string, Import[]>} imports @returns {Violation[]}
 */
function cyclesIn(root, imports) {
  /** @type {Set<string>} */
  const done = new Set()
  /** @type {Violation[]} */
  const found = []
  /** @param {string} file @param {string[]} above */
  const visit = (file, above) => {
    const way = [...above, file]
    for (const { specifier, line, when } of imports.get(file) ?? []) {
      const target = when === 'load' ? targetOf(root, file, specifier) : undefined
      if (target === undefined) continue
      const names = way.slice(way.indexOf(target)).map(one => path.relative(root, one))
      if (way.includes(target)) {
        const message = `closes a cycle: ${[...names, names[0]].join(' → ')}`
        found.push({ file: path.relative(root, file), line, message })
      } else if (!done.has(target)) visit(target, way)
    }
    done.add(file)
  }
  for (const file of imports.keys()) if (!done.has(file)) visit(file, [])
  return found
}

/** @param {string} root @param {string} file @param {Import[]} imports @returns {Violation[]} */
function checkFile(root, file, imports) {
  const from = place(root, file)
  const name = path.relative(root, file)
  if (from.zone === undefined) {
    return [{ file: name, line: 1, message: `belongs to no zone; the zones are ${Object.keys(ARROWS).join(', ')}` }]
  }
  return imports.flatMap(({ specifier, line }) => {
    const message = complaint(root, file, from, specifier)
    return message === undefined ? [] : [{ file: name, line, message: `${message} ('${specifier}')` }]
  })
}

/** What is wrong with this import, if anything. @param {string} root @param {string} file @param {Place} from @param {string} specifier */
function complaint(root, file, from, specifier) {
  const zone = /** @type {keyof typeof ARROWS} */ (from.zone)
  const target = targetOf(root, file, specifier)
  if (target === undefined) {
    const allowed = LIBRARIES[zone]
    const library = specifier.startsWith('node:') ? 'node:' : (specifier.split('/')[0] ?? specifier)
    return allowed && !allowed.includes(library) ? `${zone} may import no library but ${allowed.join(', ')}` : undefined
  }
  const to = place(root, target)
  if (to.zone === undefined) return `${zone} may not import what is outside of src/`
  if (to.zone !== zone) {
    /** @type {string[]} */
    const allowed = ARROWS[zone]
    if (!allowed.includes(to.zone)) return `${zone} may not import ${to.zone}, only ${allowed.join(', ') || 'itself'}`
    if (specifier.startsWith('.') && zone !== 'web') return `write #${to.zone}/… to import from another zone`
    return undefined
  }
  if (zone === 'web') return pageComplaint(root, file, target)
  if (zone !== 'domains' || target === file) return undefined
  if (to.domain !== from.domain) return `domain ${from.domain} may not import domain ${to.domain}; use ports.ts`
  if (from.tool && to.tool) return 'a tool may not import another tool; put what they share into the service'
  return undefined
}

/** Which parts of the page may import which. @param {string} root @param {string} file @param {string} target */
function pageComplaint(root, file, target) {
  const [from, to] = [file, target].map(one => path.relative(path.join(root, 'web', 'src'), one).split(path.sep))
  const folder = from?.[0] ?? ''
  const allowed = PAGE_ARROWS[folder]
  // Beside these folders there are main.tsx and the build's own configuration.
  if (allowed === undefined || to === undefined) return undefined
  if (to[0] !== folder) {
    if (allowed.includes(to[0] ?? '')) return undefined
    return `web/src/${folder} may not import ${to[0]}, only ${allowed.join(', ') || 'itself'}`
  }
  if (folder === 'domains' && from?.[1] !== to[1])
    return `domain ${from?.[1]} of the page may not import domain ${to[1]}`
  return undefined
}

/** The file an import leads to; undefined for a library. @param {string} root @param {string} file @param {string} specifier */
function targetOf(root, file, specifier) {
  if (specifier.startsWith('.')) return path.resolve(path.dirname(file), specifier)
  const [, zone, rest] = /^#([^/]+)(.*)$/.exec(specifier) ?? []
  if (zone === undefined) return undefined
  return path.join(root, zone in ARROWS && zone !== 'web' ? 'src' : '.', zone, rest ?? '')
}

/** @typedef {{ zone: string | undefined, domain: string | undefined, tool: boolean }} Place */

/** @param {string} root @param {string} file @returns {Place} */
function place(root, file) {
  const [top = '', zone = '', domain, below, ...rest] = path.relative(root, file).split(path.sep)
  if (top === 'web') return { zone: 'web', domain: undefined, tool: false }
  if (top !== 'src' || !(zone in ARROWS)) return { zone: undefined, domain: undefined, tool: false }
  return { zone, domain, tool: below === 'tools' && rest.length > 0 && !file.endsWith('.gen.ts') }
}

/** Without tests: they may import everything. @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  if (!fs.existsSync(folder)) return []
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(full)
    return /\.[cm]?[jt]sx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [full] : []
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  const violations = checkDeps(ROOT)
  for (const { file, line, message } of violations) console.error(`${file}:${line} ${message}`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
