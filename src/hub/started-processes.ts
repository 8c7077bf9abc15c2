// Which of the processes that were started for this hub's database is at the other end of a connection: a tab's, a run's, an
// instance's, a check's or a setup's, whichever hub or Runner has started it.
import type { Caller, Chore } from '#contract/caller.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { Log } from '#kernel/log.ts'
import type { Started } from '#kernel/processes/origin.ts'
import { Peers } from '#kernel/processes/peers.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { TORYO_STARTED_BELOW } from '#system/environment-names.ts'
import type { Services } from './services.ts'

export type StartedDeps = {
  /** Over the database itself. */
  services: () => Pick<Services, 'tabs' | 'crewRuns' | 'starts' | 'evidence'>
  worktrees: Pick<Worktrees, 'listSettingUp'>
  env: Readonly<Record<string, string | undefined>>
  log: Log
}

export function startedProcesses({ services, worktrees, env, log }: StartedDeps): Peers<Caller | Chore> {
  let last: readonly Started<Caller | Chore>[] = []
  const started = async () => {
    const { tabs, crewRuns, starts, evidence } = services()
    try {
      const callers = await Promise.all([tabs.listStarted(), crewRuns.listStarted(), starts.listStarted()])
      const chores = await Promise.all([
        choresOf('check', evidence.listRunning()),
        choresOf('setup', worktrees.listSettingUp()),
      ])
      last = [...callers.flat(), ...chores.flat()]
    } catch (error) {
      // A hub whose database is away can still be stopped. A process that was started since carries an unknown mark, and is refused.
      log.warn({ err: error }, 'what was started could not be looked up; what was known before is used')
    }
    return last
  }
  return new Peers({ started, ownMarks: env[TORYO_STARTED_BELOW]?.split(',') ?? [] })
}

async function choresOf(what: Chore, records: Promise<ProcessRecord[]>): Promise<Started<Chore>[]> {
  return (await records).map(record => ({ record, what }))
}
