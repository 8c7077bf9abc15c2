// The doctor's look at the programs that Toryo uses: git and the engines, with what they say of themselves.
import { execFile } from 'node:child_process'
import { installLine, type KnownEngine } from '#contract/known-engines.ts'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import { findProgram } from '#engines/find-program.ts'
import { both, type Finding } from './finding.ts'
import { visibleLine } from '../escape.ts'
import type { Io } from '../io.ts'
import { doctorTexts } from '../texts-doctor.ts'

const PATIENCE_MS = 20_000

export async function gitFindings({ env }: Pick<Io, 'env'>): Promise<Finding[]> {
  const found = findProgram(['git'], env)
  const version = found === undefined ? undefined : await versionOf(found, ['--version'], env)
  if (version?.ok && isTooOld(version.text))
    return [{ check: 'git', level: 'fail', text: doctorTexts.gitOld(version.text), fix: doctorTexts.gitFix }]
  if (version?.ok) return [{ check: 'git', level: 'ok', text: both(version.text) }]
  return [{ check: 'git', level: 'fail', text: doctorTexts.gitNone, fix: doctorTexts.gitFix }]
}

/** Worktrees need 2.39. */
function isTooOld(said: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? []
  return Number(major) < 2 || (Number(major) === 2 && Number(minor) < 39)
}

/** `described`: those of the configuration, whose programs only the hub knows how to look for. */
export async function engineFindings({ env }: Pick<Io, 'env'>, described: readonly string[]): Promise<Finding[]> {
  const found = KNOWN_ENGINES.flatMap(engine => {
    const where = findProgram(engine.programs, env)
    return where === undefined ? [] : [{ engine, where }]
  })
  if (found.length === 0 && described.length > 0)
    return [{ check: 'engines', level: 'ok', text: doctorTexts.enginesOwn(described.join(', ')) }]
  if (found.length === 0) {
    const fix = doctorTexts.enginesFix(KNOWN_ENGINES.slice(0, 1).map(installLine).join())
    return [{ check: 'engines', level: 'warn', text: doctorTexts.enginesNone, fix }]
  }
  const findings = await Promise.all(found.map(({ engine, where }) => engineFinding(engine, where, env)))
  const missing = KNOWN_ENGINES.filter(engine => !found.some(one => one.engine === engine))
  if (missing.length === 0) return findings
  const names = missing.map(({ id }) => id).join(', ')
  return [...findings, { check: 'engines', level: 'ok', text: doctorTexts.enginesOthers(names) }]
}

async function engineFinding({ id, version = [] }: KnownEngine, where: string, env: Io['env']): Promise<Finding> {
  const check = `engine.${id}`
  const [, ...args] = version
  if (args.length === 0) return { check, level: 'ok', text: both(`${id}: ${where}`) }
  const told = await versionOf(where, args, env)
  if (told.ok) return { check, level: 'ok', text: doctorTexts.engineOk(id, told.text, where) }
  const text = doctorTexts.engineBroken(id, where, told.text)
  return { check, level: 'warn', text, fix: doctorTexts.engineBrokenFix(version.join(' ')) }
}

function versionOf(file: string, args: string[], env: Io['env']): Promise<{ ok: boolean; text: string }> {
  const options = { timeout: PATIENCE_MS, env: env as NodeJS.ProcessEnv, shell: /\.(cmd|bat)$/i.test(file) }
  return new Promise(resolve => {
    const child = execFile(file, args, options, (problem, stdout, stderr) => {
      const [line = ''] = (stdout.trim() || stderr.trim()).split('\n')
      const text = visibleLine(line.slice(0, 200))
      resolve({ ok: !problem && text !== '', text: text || (problem?.message ?? '?') })
    })
    child.stdin?.end()
  })
}
