// The doctor's look at this machine: Node, our folder, the configuration, the disk. Changes nothing.
import fs from 'node:fs'
import path from 'node:path'
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser'
import type { Target } from '#client/locate.ts'
import { checkFolder } from '#client/trusted-path.ts'
import type { Text } from '#contract/errors.ts'
import { syntaxWords } from '#contract/json-syntax.ts'
import { freeBytes, LOW_DISK_BYTES } from '#system/disk.ts'
import { codeOf } from '#system/files.ts'
import { type Finding, refusal } from './finding.ts'
import { bytes } from '../format.ts'
import { doctorTexts } from '../texts-doctor.ts'

export function nodeFindings(): Finding[] {
  return [{ check: 'node', level: 'ok', text: doctorTexts.node(process.versions.node, process.execPath) }]
}

export function homeFindings({ home, directory }: Target): Finding[] {
  const check = 'home'
  const fixed = [home, directory].map(unwritable).find(finding => finding !== undefined)
  if (fixed) return [{ check, level: 'fail', text: fixed, fix: doctorTexts.homeFix }]
  try {
    checkFolder(home)
  } catch (problem) {
    return [refusal(check, problem)]
  }
  const stats = fs.statSync(home, { throwIfNoEntry: false })
  if (!stats) return [{ check, level: 'ok', text: doctorTexts.homeNew(home) }]
  if (!process.getuid || (stats.mode & 0o077) === 0) return [{ check, level: 'ok', text: doctorTexts.homeOk(home) }]
  const fix = doctorTexts.run(`chmod 700 ${home}`)
  return [{ check, level: 'warn', text: doctorTexts.homeOpen(home, octal(stats.mode)), fix }]
}

/** Of a folder that is not there yet, the one in which it would be made counts. */
function unwritable(folder: string): Text | undefined {
  const there = nearest(folder)
  if (there !== folder && !fs.statSync(there).isDirectory()) return doctorTexts.homeFixed(there, doctorTexts.notAFolder)
  try {
    fs.accessSync(there, fs.constants.W_OK)
    return undefined
  } catch (problem) {
    const isFixed = codeOf(problem) === 'EROFS'
    return doctorTexts.homeFixed(there, isFixed ? doctorTexts.readOnlyDisk : doctorTexts.notYours)
  }
}

function nearest(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder))
}

/** The engines that the configuration describes; none when it cannot be read, which is a finding of its own. */
export function describedEngines({ home }: Target): string[] {
  try {
    const config = parse(fs.readFileSync(path.join(home, 'config.json'), 'utf8'), [], { allowTrailingComma: true })
    return Object.keys((config as { engines?: object } | undefined)?.engines ?? {})
  } catch {
    return [] // No such file, most often.
  }
}

/** That it can be read at all; the hub checks the settings themselves, and refuses to start with wrong ones. */
export function configFindings({ home }: Target): Finding[] {
  const check = 'config'
  const file = path.join(home, 'config.json')
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (problem) {
    if (codeOf(problem) !== 'ENOENT') return [refusal(check, problem)]
    return [{ check, level: 'ok', text: doctorTexts.configNone(file) }]
  }
  const problems: ParseError[] = []
  parse(text, problems, { allowTrailingComma: true })
  const [first] = problems
  if (!first) return [{ check, level: 'ok', text: doctorTexts.configOk(file) }]
  const line = text.slice(0, first.offset).split('\n').length
  const said = doctorTexts.configWrong(file, line, syntaxWords(printParseErrorCode(first.error)))
  return [{ check, level: 'fail', text: said, fix: doctorTexts.configFix }]
}

export function diskFindings({ home, directory }: Target): Finding[] {
  const place = [directory, home].find(folder => fs.existsSync(folder)) ?? path.parse(home).root
  const free = freeBytes(place)
  if (free >= LOW_DISK_BYTES) return [{ check: 'disk', level: 'ok', text: doctorTexts.diskOk(bytes(free), place) }]
  return [{ check: 'disk', level: 'warn', text: doctorTexts.diskLow(bytes(free), place), fix: doctorTexts.diskFix }]
}

export function octal(mode: number): string {
  return (mode & 0o777).toString(8)
}
