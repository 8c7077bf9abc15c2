import type { Log } from '#kernel/log.ts'
import type { Scope } from '#kernel/scope.ts'
import { type HubRegistration, registerHub } from '#registration/hub-registration.ts'
import type { Outcome } from '#registration/outcome.ts'

/** This hub's entry in the engines' config files, if it has one. */
export class OwnRegistration {
  #made: HubRegistration | undefined

  get outcomes(): readonly Outcome[] {
    return this.#made?.outcomes ?? []
  }

  async make(scope: Scope, log: Log, what: Parameters<typeof registerHub>[0]): Promise<void> {
    const making = registerHub(what)
    // Before it is done: a hub that is stopped meanwhile waits for it and undoes it.
    scope.add('registration', async () => logOutcomes(log, await (await making).release()))
    this.#made = await making
    logOutcomes(log, this.#made.outcomes)
  }

  async release(): Promise<readonly Outcome[]> {
    return (await this.#made?.release()) ?? []
  }
}

function logOutcomes(log: Log, outcomes: readonly Outcome[]): void {
  for (const { engine, file, state, warning, text } of outcomes)
    log[warning ? 'warn' : 'info']({ engine, file, state }, `registration: ${text.en}`)
}
