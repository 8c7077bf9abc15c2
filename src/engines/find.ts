// Asks an engine's program for its version and its models.
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { supervise } from '#kernel/processes/supervise.ts'
import { allowed } from '#kernel/processes/environment.ts'
import type { Engine } from './engine.ts'
import { findProgram } from './find-program.ts'

export type Found = { program: string; version: string | undefined }
export type Health = ({ ok: true } & Found) | { ok: false; problem: string }

const VERSION_MS = 20_000
const VERSION_BYTES = 64 * 1024

/** Looks for the program and runs it once to see that it starts. The caller keeps the answer for a while. */
export async function checkEngine(engine: Engine, source: NodeJS.ProcessEnv): Promise<Health> {
  const program = findProgram(engine.programs, source)
  if (program === undefined) return { ok: false, problem: `${engine.programs.join(' or ')} is not in PATH` }
  if (!engine.version) return { ok: true, program, version: undefined }
  const [name = '', ...args] = engine.version
  // Usually the same; for an engine from the configuration another program may print it.
  const versionProgram = engine.programs.includes(name) ? program : findProgram([name], source)
  if (versionProgram === undefined) return { ok: false, problem: `${name} is not in PATH` }
  try {
    const asked = await askVersion(versionProgram, args, source)
    return asked.ok ? { ...asked, program } : asked
  } catch (error) {
    return { ok: false, problem: `${versionProgram} cannot be started: ${(error as Error).message}` }
  }
}

/** What the program says it runs; undefined when it cannot be asked, or does not answer. */
export async function listModels(engine: Engine, source: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  const program = engine.models && findProgram(engine.programs, source)
  if (!engine.models || program === undefined) return undefined
  const { args, env } = await engine.models(source)
  const { output, cause, code } = await ask(program, args, env)
  if (cause !== 'itself' || code !== 0) return undefined
  const models = output.split('\n').flatMap(line => (/^\S+$/.test(line.trim()) ? [line.trim()] : []))
  return models.length > 0 ? models : undefined
}

const TELLING = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'TMPDIR',
  'XDG_*',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
]

async function ask(program: string, args: readonly string[], env: Record<string, string>) {
  let output = ''
  const run = await supervise({
    launch: { program, args, cwd: tmpdir(), env, marker: randomBytes(16).toString('hex') },
    limits: { totalMs: VERSION_MS },
    stop: { graceMs: 1000 },
    onOutput: bytes => (output = (output + bytes.toString('utf8')).slice(0, VERSION_BYTES)),
  })
  return { ...(await run.ended), output }
}

async function askVersion(program: string, args: readonly string[], source: NodeJS.ProcessEnv): Promise<Health> {
  const { output, cause, code } = await ask(program, args, allowed(source, TELLING))
  if (cause !== 'itself')
    return { ok: false, problem: `${program} did not report its version in ${VERSION_MS / 1000} s` }
  if (code !== 0)
    return { ok: false, problem: `${program} ${args.join(' ')} ended with ${code ?? 'a signal'}: ${firstLine(output)}` }
  return { ok: true, program, version: versionIn(output) }
}

/** The first thing that looks like one, as in `codex-cli 0.166.0`. */
export function versionIn(output: string): string | undefined {
  return /\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?/.exec(output)?.[0]
}

function firstLine(output: string): string {
  return (output.trim().split('\n')[0] ?? '').slice(0, 200)
}
