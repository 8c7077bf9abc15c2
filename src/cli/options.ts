// Options and values that several commands share.
import fs from 'node:fs'
import path from 'node:path'
import type { Lang } from '#contract/errors.ts'
import type { Outcome, Phase } from '#contract/phases.ts'
import type { Priority, Stage, TaskStatus } from '#contract/projects.ts'
import type { GivenToolset } from '#contract/toolsets.ts'
import { codeOf } from '#system/files.ts'
import type { OptionSpec } from './define.ts'
import { CliError } from './errors.ts'
import { option } from './texts-help.ts'
import { texts } from './texts.ts'

// As keys of complete records, so that a new one is a type error here: the contract's own lists would load its schemas.
const statuses: Record<TaskStatus, true> = {
  backlog: true,
  todo: true,
  in_progress: true,
  blocked: true,
  done: true,
  cancelled: true,
}
const stages: Record<Stage, true> = {
  planned: true,
  waiting: true,
  working: true,
  blocked: true,
  checking: true,
  review: true,
  queued: true,
  merged: true,
  done: true,
  cancelled: true,
}
const priorities: Record<Priority, true> = { urgent: true, high: true, medium: true, low: true }
// The same for phases.
const phases: Record<Phase, true> = { phase0: true, phase1: true, phase2: true, phase3: true, phase4: true }
const outcomes: Record<Outcome, true> = { completed: true, partial: true, failed: true }
export const PHASES = Object.keys(phases)
export const OUTCOMES = Object.keys(outcomes)
export const STATUSES = Object.keys(statuses)
export const STAGES = Object.keys(stages)
export const PRIORITIES = Object.keys(priorities)

const toolsets: Record<GivenToolset, true> = {
  agent: true,
  projects: true,
  planning: true,
  legacy: true,
  crews: true,
  phases: true,
  memory: true,
  tabs: true,
}

/** `a,b`. */
export function toolsetsIn(given: string): GivenToolset[] {
  const names = given.split(',').map(name => name.trim())
  const unknown = names.find(name => !Object.hasOwn(toolsets, name))
  if (unknown !== undefined) throw CliError.USAGE({ text: texts.noToolset(unknown, Object.keys(toolsets)) })
  return names as GivenToolset[]
}

/** An option that may be given more than once. */
export function several(value: string, before: unknown): string[] {
  return [...((before as string[] | undefined) ?? []), value]
}

export const limitOption: OptionSpec = {
  flags: '--limit <n>',
  text: option.limit,
  default: 100,
  parse: value => count('--limit', value),
}

/** Given once for each. */
export const afterOption: OptionSpec = {
  flags: '--after <task>',
  text: {
    en: 'A task that must be accepted first (may be given several times)',
    ja: '先に承認されるべきタスク (複数回指定可)',
  },
  parse: (value, before) => [...((before as string[] | undefined) ?? []), value],
}

export const parentOption: OptionSpec = {
  flags: '--parent <task>',
  text: { en: 'The task that it is a part of', ja: '親タスク' },
}

const languages: Record<Lang, true> = { en: true, ja: true }

export const languageOption: OptionSpec = {
  flags: '--language <language>',
  text: option.language,
  choices: Object.keys(languages),
}

export const promptProject: OptionSpec = { flags: '--project <project>', text: option.promptProject }

/** A project by its id, else the one of the folder in which the command is given. */
export function somewhere(project: string | undefined, cwd: string): { project_id: string } | { directory: string } {
  return project === undefined ? { directory: cwd } : { project_id: project }
}

export function count(flag: string, value: string): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (number < 1) throw CliError.USAGE({ text: texts.countWrong(flag, value) })
  return number
}

/** Text, or `@file` for the text of a file. `@@…` is a text that begins with @. */
export function textOrFile(given: string | undefined, cwd: string): string | undefined {
  if (!given?.startsWith('@')) return given
  if (given.startsWith('@@')) return given.slice(1)
  return readText(path.resolve(cwd, given.slice(1)))
}

/** A file that people wrote, without the mark that some editors put first. */
export function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') throw CliError.USAGE({ text: texts.fileMissing(file) }, cause)
    throw CliError.USAGE({ text: texts.fileUnreadable(file, (cause as Error).message) }, cause)
  }
}
