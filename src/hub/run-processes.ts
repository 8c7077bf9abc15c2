import { RunProcesses } from '#domains/runs/processes.ts'
import type { Config } from '#contract/config.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import { HUB } from './own-caller.ts'
import type { Bind } from './services.ts'

/** The processes of this hub's runs. */
export function runProcesses(options: ComposeOptions, { events, engines }: Parts, bind: Bind): RunProcesses {
  const { database, log, config, runs } = options
  return new RunProcesses({
    events,
    log,
    write: verb => database.tx(tx => verb(bind(tx).crewRuns)),
    runs: bind(database).crewRuns,
    engines,
    trust: bind(database).trusts,
    environment: async ({ taskId }) => (taskId === null ? {} : bind(database).workplaces.environment(taskId)),
    folder: runs.folder,
    logFolder: runs.logFolder,
    limits: () => inMilliseconds(config().limits),
    by: HUB,
    times: runs.times,
    reached: runs.reached,
  })
}

function inMilliseconds({ runMinutes, silenceMinutes, troubledMinutes }: Config['limits']) {
  return { totalMs: runMinutes * 60_000, silenceMs: silenceMinutes * 60_000, troubleMs: troubledMinutes * 60_000 }
}
