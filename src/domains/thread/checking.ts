// One check from its row to its end: its process is owned, watched and logged, and the tree is looked at before and after it.
import { mkdir } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Caller } from '#contract/caller.ts'
import { showHidden } from '#contract/hidden-text.ts'
import { pathIn } from '#contract/ids.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import { TAIL_BYTES } from '#contract/thread.ts'
import type { CheckRemark } from '#contract/why.ts'
import type { WatchedFiles } from '#kernel/git/watched-files.ts'
import { LaunchError } from '#kernel/processes/launch.ts'
import { runSetCommand } from '#kernel/processes/set-command.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { CheckEnd, EvidenceLog, Subject } from './evidence.ts'
import type { Check, Evidence } from './model.ts'

/** Where tests cut it. */
export type CheckStep = 'check-planned' | 'check-launched' | 'check-over' | 'check-ended'

export type CheckingDeps = {
  /** One transaction. */
  write: <T>(verb: (evidence: EvidenceLog) => Promise<T>) => Promise<T>
  env: NodeJS.ProcessEnv
  logFolder: string
  by: Caller
  /** Its process, while there is one. */
  own: (id: string, record: ProcessRecord | undefined) => void
  reached?: ((step: CheckStep) => void) | undefined
}

export type CheckPlace = {
  /** Names this machine's folder of worktrees. */
  place: string
  folder: string
  facts: Readonly<Record<string, string>>
  /** Looks at the files before and after it. Undefined when they are not what is to be checked. */
  watch: (signal: AbortSignal) => Promise<WatchedFiles | undefined>
  /** Of a check that has failed. */
  onFailure?: CheckRemark
  /** Why the check is not run: what it would say there would be about something else. */
  unfit?: CheckRemark | undefined
}

/** Undefined while as many run as may. */
export async function runCheck(
  deps: CheckingDeps,
  subject: Subject,
  check: Check,
  at: CheckPlace,
  signal: AbortSignal,
): Promise<Evidence['outcome'] | undefined> {
  const begun = await deps.write(evidence => evidence.begin(subject, check, at.place, deps.by))
  if (!begun) return undefined
  deps.reached?.('check-planned')
  const { id } = begun.evidence
  const end = await judged(deps, begun, check, at, signal).catch(async (error: unknown): Promise<CheckEnd> => {
    if (signal.aborted) return noOutput('stopped', null)
    return noOutput('not_started', { kind: 'said', text: (error as Error).message })
  })
  deps.own(id, undefined)
  deps.reached?.('check-over')
  await deps.write(evidence => evidence.end(id, end, deps.by))
  deps.reached?.('check-ended')
  return end.outcome
}

async function judged(
  deps: CheckingDeps,
  { evidence, marker }: { evidence: Evidence; marker: string },
  check: Check,
  at: CheckPlace,
  signal: AbortSignal,
): Promise<CheckEnd> {
  if (at.unfit !== undefined) return noOutput('failed', at.unfit)
  const logFile = pathIn(deps.logFolder, `${evidence.id}.log`)
  await using files = await at.watch(signal)
  if (!files) return noOutput('stale', { kind: 'changed-before' })
  await mkdir(deps.logFolder, { recursive: true, mode: 0o700 })
  const tail = new Tail()
  let ending: Awaited<ReturnType<typeof runSetCommand>>
  try {
    ending = await runSetCommand({
      command: check.command,
      path: at.folder,
      marker,
      logFile,
      minutes: check.minutes,
      env: deps.env,
      facts: at.facts,
      started: async record => {
        deps.own(evidence.id, record)
        deps.reached?.('check-launched')
        await deps.write(log => log.started(evidence.id, record))
      },
      heard: bytes => tail.hear(bytes),
      signal,
    })
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    return noOutput('not_started', { kind: 'said', text: error.message })
  }
  const said = tail.text
  if (!ending) return noOutput('not_started', { kind: 'not-found', program: String(check.command[0]) })
  const { cause, code, signal: by } = ending
  const common = { exitCode: code ?? null, logPath: logFile, tail: said, remark: null }
  if (cause === 'stopped') return { ...common, outcome: 'stopped' }
  if (cause === 'time-limit')
    return { ...common, outcome: 'timed_out', remark: { kind: 'too-long', minutes: check.minutes } }
  if (code !== 0) {
    const tail = code === undefined && by !== undefined ? `${said}\n${by}`.trim() : said
    return { ...common, outcome: 'failed', tail, remark: at.onFailure ?? null }
  }
  const changed = await files.changed()
  return changed.length === 0
    ? { ...common, outcome: 'passed' }
    : { ...common, outcome: 'stale', remark: changedBy(changed) }
}

function noOutput(outcome: 'failed' | 'stopped' | 'not_started' | 'stale', remark: CheckRemark | null): CheckEnd {
  return { outcome, exitCode: null, tail: '', remark, logPath: null }
}

const SHOWN = 10

/** What is left lying about would be in the next report: its agent must know the names. */
function changedBy(files: readonly string[]): CheckRemark {
  return { kind: 'changed', ...namesOf(files) }
}

/** As people and agents read them, and how many more there are. */
export function namesOf(files: readonly string[]): { files: string[]; more: number } {
  return {
    files: files.slice(0, SHOWN).map(file => showHidden(file, () => '�')),
    more: Math.max(0, files.length - SHOWN),
  }
}

/** The end of what it wrote, for agents and people. */
class Tail {
  #bytes = Buffer.alloc(0)

  hear(bytes: Buffer): void {
    // More than is shown: colours and half characters go.
    const all = Buffer.concat([this.#bytes, bytes.subarray(-4 * TAIL_BYTES)])
    this.#bytes = all.subarray(-4 * TAIL_BYTES)
  }

  get text(): string {
    const plain = stripVTControlCharacters(this.#bytes.toString('utf8')).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    const lines = plain.split('\n').map(line => showHidden(line.replaceAll('\t', '  '), () => ''))
    const text = withoutSecrets(lines.join('\n').trim())
    const cut = text.slice(-TAIL_BYTES)
    return (cut.length < text.length ? cut.slice(cut.indexOf('\n') + 1) : cut).toWellFormed()
  }
}
