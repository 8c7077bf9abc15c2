// dist/hub.js and dist/bridge.js: each loads the program of its own name beside it, dist/hub.cjs or dist/bridge.cjs, with the machine
// code of an earlier start (docs/adr/0045). Imports nothing: an ES import of node:fs alone costs some milliseconds of every start.
type Program = { main: (args: string[], entry?: boolean) => Promise<number> }

/** A program that has run for so long has been through all that a start needs; what it compiled until then is kept. */
const KEPT_AFTER_MS = 5000
/** The build ends each program with a digest of its text. V8 itself compares no more than the length. */
const DIGEST = /\n\/\/ ([0-9a-f]{64})\n$/

const fs = process.getBuiltinModule('node:fs')
const path = process.getBuiltinModule('node:path')
const vm = process.getBuiltinModule('node:vm')
const { createRequire } = process.getBuiltinModule('node:module')

export const { main } = load(
  process
    .getBuiltinModule('node:url')
    .fileURLToPath(import.meta.url)
    .replace(/\.js$/, '.cjs'),
)

function load(file: string): Program {
  // The build leaves nothing but ASCII: so V8 keeps one byte for each character of three million.
  const bytes = fs.readFileSync(file)
  const source = bytes.toString('latin1')
  const kept = keptFile(file, source)
  const cachedData = kept && read(kept, bytes)
  const script = new vm.Script(source, {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  const module = { exports: {} as Program }
  script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file))
  if (kept && (!cachedData || script.cachedDataRejected)) setTimeout(() => keep(script, kept), KEPT_AFTER_MS).unref()
  return module.exports
}

/** Beside the program, never in a folder of the user's: a process that can write here could change the program itself. */
function keptFile(file: string, source: string): string | undefined {
  const digest = DIGEST.exec(source.slice(-80))?.[1]
  if (digest === undefined) return undefined
  // The tag is derived from V8's version, its flags and the processor.
  const tag = process.getBuiltinModule('node:v8').cachedDataVersionTag().toString(16)
  return path.join(path.dirname(file), 'compiled', `${path.parse(file).name}-${digest.slice(0, 16)}-${tag}`)
}

/** Into memory that is not needed any more, where it has room: what is thrown away here stays resident until V8 needs space. */
function read(file: string, memory: Buffer): Buffer | undefined {
  try {
    const fd = fs.openSync(file, 'r')
    try {
      const { size } = fs.fstatSync(fd)
      const bytes = size <= memory.length ? memory.subarray(0, size) : Buffer.allocUnsafeSlow(size)
      return fs.readSync(fd, bytes) === size ? bytes : undefined
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    return undefined // The first start of this build with this Node.
  }
}

function keep(script: InstanceType<typeof vm.Script>, file: string): void {
  const unfinished = `${file}.${process.pid}`
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    // On disk before it has its name: V8 trusts what is in it.
    fs.writeFileSync(unfinished, script.createCachedData(), { flush: true })
    fs.renameSync(unfinished, file)
  } catch {
    // A package that we may not write to, or a full disk: the next start compiles again.
    fs.rmSync(unfinished, { force: true })
  }
}
