// The doctor's look at the programs that Toryo uses: git and the engines, with what they say of themselves.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { both, type Finding } from './finding.ts'
import { visibleLine } from '../escape.ts'
import type { Io } from '../io.ts'
import { doctorTexts } from '../texts-doctor.ts'

const PATIENCE_MS = 20_000
const ENGINES = ['claude', 'codex', 'gemini', 'cursor-agent', 'opencode', 'copilot', 'qwen']

export async function gitFindings({ env }: Pick<Io, 'env'>): Promise<Finding[]> {
  const found = which('git', env)
  const version = found === undefined ? undefined : await versionOf(found, env)
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
  const found = ENGINES.flatMap(engine => {
    const where = which(engine, env)
    return where === undefined ? [] : [{ engine, where }]
  })
  if (found.length === 0 && described.length > 0)
    return [{ check: 'engines', level: 'ok', text: doctorTexts.enginesOwn(described.join(', ')) }]
  if (found.length === 0) {
    const fix = doctorTexts.enginesFix('npm install -g @anthropic-ai/claude-code')
    return [{ check: 'engines', level: 'warn', text: doctorTexts.enginesNone, fix }]
  }
  const findings = await Promise.all(found.map(({ engine, where }) => engineFinding(engine, where, env)))
  const missing = ENGINES.filter(engine => !found.some(one => one.engine === engine))
  if (missing.length === 0) return findings
  return [...findings, { check: 'engines', level: 'ok', text: doctorTexts.enginesOthers(missing.join(', ')) }]
}

async function engineFinding(engine: string, where: string, env: Io['env']): Promise<Finding> {
  const check = `engine.${engine}`
  const version = await versionOf(where, env)
  if (version.ok) return { check, level: 'ok', text: doctorTexts.engineOk(engine, version.text, where) }
  const text = doctorTexts.engineBroken(engine, where, version.text)
  return { check, level: 'warn', text, fix: doctorTexts.engineBrokenFix(`${engine} --version`) }
}

/** The first file of that name on PATH that can be run. */
export function which(program: string, env: Io['env']): string | undefined {
  const endings = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : ['']
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    // An empty or relative entry would find what the present folder holds.
    if (!path.isAbsolute(folder)) continue
    const file = endings.map(ending => path.join(folder, program + ending)).find(canRun)
    if (file !== undefined) return file
  }
  return undefined
}

function canRun(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false // Not there, or not for us.
  }
}

function versionOf(file: string, env: Io['env']): Promise<{ ok: boolean; text: string }> {
  const options = { timeout: PATIENCE_MS, env: env as NodeJS.ProcessEnv, shell: /\.(cmd|bat)$/i.test(file) }
  return new Promise(resolve => {
    const child = execFile(file, ['--version'], options, (problem, stdout, stderr) => {
      const [line = ''] = (stdout.trim() || stderr.trim()).split('\n')
      const text = visibleLine(line.slice(0, 200))
      resolve({ ok: !problem && text !== '', text: text || (problem?.message ?? '?') })
    })
    child.stdin?.end()
  })
}
