// Which of the processes that were started for this hub's database is at the other end of a connection: a tab's, a run's or an
// instance's, whichever hub or Runner has started it.
import type { Caller } from '#contract/caller.ts'
import type { Log } from '#kernel/log.ts'
import type { Started } from '#kernel/processes/origin.ts'
import { Peers } from '#kernel/processes/peers.ts'
import { TORYO_STARTED_BELOW } from '#system/environment-names.ts'
import type { Services } from './services.ts'

export type StartedDeps = {
  /** Over the database itself. */
  services: () => Pick<Services, 'tabs' | 'crewRuns' | 'starts'>
  env: Readonly<Record<string, string | undefined>>
  log: Log
}

export function startedProcesses({ services, env, log }: StartedDeps): Peers<Caller> {
  let last: readonly Started<Caller>[] = []
  const started = async () => {
    const { tabs, crewRuns, starts } = services()
    try {
      last = (await Promise.all([tabs.listStarted(), crewRuns.listStarted(), starts.listStarted()])).flat()
    } catch (error) {
      // A hub whose database is away can still be stopped. Who was started since carries a mark that nobody knows, and is refused.
      log.warn({ err: error }, 'what was started could not be looked up; what was known before is used')
    }
    return last
  }
  return new Peers({ started, ownMarks: env[TORYO_STARTED_BELOW]?.split(',') ?? [] })
}
