import path from 'node:path'
import type { CrewRunState } from '#contract/crews.ts'
import type { Connection } from '../connect.ts'
import { CrewProgress } from '../crew-progress.ts'
import { results, runTable } from '../crew-text.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import type { Io } from '../io.ts'
import { textOrFile } from '../options.ts'
import { crewTexts } from '../texts-crew.ts'
import { about, argument, option } from '../texts-help.ts'

type Options = {
  role?: string[]
  stage?: string[]
  dir?: string
  timeout?: number
  description?: string
  continue?: boolean
  detach?: boolean
}

const WAIT_MS = 20_000
const again = (value: string, before: unknown) => [...((before as string[] | undefined) ?? []), value]

export default command<[prompt: string], Options>({
  about: about.crewRun,
  arguments: [{ name: '<prompt>', text: argument.crewPrompt }],
  options: [
    { flags: '--role <role>', text: option.crewRole, parse: again },
    { flags: '--stage <roles>', text: option.crewStage, parse: again },
    { flags: '--dir <folder>', text: option.crewDirectory, takes: 'folder' },
    { flags: '--timeout <time>', text: option.crewTimeout, parse: value => milliseconds(value) },
    { flags: '--description <text>', text: option.description },
    { flags: '--continue', text: option.crewContinue },
    { flags: '--detach', text: option.crewDetach },
  ],
  examples: [
    ['toryo crew run --role reviewer --role tester "Look at the last commit"', { en: 'side by side', ja: '並行して' }],
    [
      'toryo crew run --stage planner --stage implementer --stage reviewer,tester @task.md',
      { en: 'in stages', ja: '段階的に' },
    ],
  ],
  async run(cx, options, given) {
    const { io } = cx
    const prompt = textOrFile(given, io.cwd) ?? ''
    if (prompt.trim() === '') throw CliError.USAGE({ text: crewTexts.promptEmpty })
    if (options.role && options.stage) throw CliError.USAGE({ text: crewTexts.rolesOrStages })
    const stages = options.stage?.map(roles => roles.split(',').map(role => role.trim())) ?? [options.role ?? []]
    if (stages.some(roles => roles.length === 0 || roles.includes('')))
      throw CliError.USAGE({ text: crewTexts.rolesNeeded })
    const task = { prompt, ...(options.timeout !== undefined && { timeout_ms: options.timeout }) }
    const hub = await cx.connect()
    const started = await hub.call('crew.run', {
      mode: options.stage ? 'sequential' : 'concurrent',
      stages: stages.map(roles => ({ tasks: roles.map(role => ({ role, ...task })) })),
      directory: path.resolve(io.cwd, options.dir ?? '.'),
      ...(options.description !== undefined && { description: options.description }),
      ...(options.continue && { on_failure: 'continue' as const }),
    })
    const { crew } = started
    const note = io.say(crewTexts.goesOn(crew.groupId))
    if (options.detach) return { json: started, text: () => runTable(started.runs, io), note }
    if (!cx.global.json) io.stderr.write(`${io.say(crewTexts.started(crew.groupId, started.runs.length))}\n`)
    const runs = await watch(hub, crew.groupId, cx.global.json === true, io)
    const isOver = runs.every(run => run.endedAt !== null)
    const good = runs.every(run => run.status === 'completed')
    return {
      json: { crew, runs },
      text: () => [runTable(runs, io), results(runs, io)].filter(Boolean).join('\n\n'),
      ...(!isOver && { note }),
      code: good ? EXIT.done : EXIT.failed,
    }
  },
})

/** Until all have ended, or Ctrl-C. */
async function watch(hub: Connection, crewId: string, quiet: boolean, io: Io): Promise<CrewRunState[]> {
  const progress = new CrewProgress(io)
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop)
  let shown = await hub.call('crew.show', { crew_id: crewId })
  try {
    while (shown.runs.some(run => run.endedAt === null) && !stopped.signal.aborted) {
      if (!quiet) progress.show(shown.runs)
      const wait = { crew_id: crewId, after_event: shown.last_event, wait_ms: io.width === undefined ? WAIT_MS : 1000 }
      shown = await hub.call('crew.show', wait, { signal: stopped.signal })
    }
  } catch (problem) {
    if (!stopped.signal.aborted) throw problem
  } finally {
    process.removeListener('SIGINT', stop)
    if (!quiet) progress.show(shown.runs)
    progress.clear()
  }
  return shown.runs
}

function milliseconds(value: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})([smh]?)$/.exec(value) ?? []
  const factor = { s: 1000, m: 60_000, h: 3_600_000 }[unit || 's']
  if (number === undefined || factor === undefined || Number(number) === 0)
    throw CliError.USAGE({ text: crewTexts.durationWrong(value) })
  return Number(number) * factor
}
