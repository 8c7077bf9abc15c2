// The verbs on a project's checks: the operator's own, and those of its repository that a person has trusted.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import type { AcceptPolicy } from '#contract/projects.ts'
import type { FlaggedFile } from '#contract/thread.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { CheckAdded, CheckEdited, CheckRemoved, CheckTrusted } from '#contract/thread-events.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { CheckStore } from './check-store.ts'
import { type Check, type PlannedCheck, planChecks } from './model.ts'
import { SnapshotStore } from './snapshot-store.ts'

export type Chosen = {
  name?: string | undefined
  /** What the person was shown; nothing that was not is trusted. */
  seen?: readonly Pick<Check, 'name' | 'command'>[] | undefined
}

/** What is left out stays. */
export type Change = { [Key in 'command' | 'required' | 'minutes']?: Check[Key] | undefined }

/** `machine`: the hub's own name of it, as that of its Runner. Commands run only where somebody has looked at them. */
type Deps = { db: Db; events: EventLog; clock: Clock; machine: string }

const MOST_PROJECTS = 200

export class Checks {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** `proposed`: what the configuration in the folder names. */
  async plan(projectId: ProjectId, proposed: readonly Check[]): Promise<PlannedCheck[]> {
    const store = new CheckStore(this.#deps.db)
    return planChecks(await store.list(projectId), proposed, await store.sights(projectId, this.#deps.machine))
  }

  /** Stored ones that came from another machine and that nobody has looked at on this one. */
  async listUnseen(only?: ProjectId): Promise<{ projectId: ProjectId; check: PlannedCheck }[]> {
    const { db, machine } = this.#deps
    const projects = await new CheckStore(db).projectsUnseenOn(machine, MOST_PROJECTS)
    const plans = projects
      .filter(projectId => only === undefined || projectId === only)
      .map(async projectId => (await this.plan(projectId, [])).map(check => ({ projectId, check })))
    return (await Promise.all(plans)).flat().filter(({ check }) => !check.trusted)
  }

  /** The operator's own. */
  add(projectId: ProjectId, check: Omit<Check, 'source'>, by: Caller): Promise<PlannedCheck> {
    return this.#deps.db.tx(async tx => {
      const { clock, events } = this.#deps
      const store = new CheckStore(tx)
      if (await store.find(projectId, check.name)) throw ThreadError.CHECK_EXISTS({ name: check.name })
      const added: Check = { ...check, source: 'operator' }
      await store.save(projectId, added, clock.now())
      await store.saw(projectId, this.#deps.machine, added, clock.now())
      await new SnapshotStore(tx).unsettle(projectId)
      await events.publish(tx, CheckAdded, { projectId, name: check.name }, by, projectId)
      return { ...added, trusted: true }
    })
  }

  /** One of the repository that was trusted becomes the operator's own. Who names a command here has looked at it; other values say nothing of it. */
  edit(projectId: ProjectId, name: string, change: Change, by: Caller): Promise<PlannedCheck> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, machine } = this.#deps
      const store = new CheckStore(tx)
      const before = await store.find(projectId, name)
      if (!before) throw ThreadError.CHECK_NOT_FOUND({ name })
      const { command = before.command, required = before.required, minutes = before.minutes } = change
      const check: Check = { name, command, required, minutes, source: 'operator' }
      const known = (await store.sights(projectId, machine)).get(name) ?? []
      const trusted = change.command !== undefined || isSame(known, command)
      if (trusted && !isSame(known, command)) await store.saw(projectId, machine, check, clock.now())
      else if (JSON.stringify(check) === JSON.stringify(before)) return { ...check, trusted }
      await store.save(projectId, check, clock.now())
      await new SnapshotStore(tx).unsettle(projectId)
      await events.publish(tx, CheckEdited, { projectId, name }, by, projectId)
      return { ...check, trusted }
    })
  }

  /** Also one of the repository that was trusted: it is a proposal again then. */
  remove(projectId: ProjectId, name: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new CheckStore(tx)
      if (!(await store.find(projectId, name))) throw ThreadError.CHECK_NOT_FOUND({ name })
      await store.remove(projectId, name)
      await new SnapshotStore(tx).unsettle(projectId)
      await this.#deps.events.publish(tx, CheckRemoved, { projectId, name }, by, projectId)
    })
  }

  /**
   * Allows on this machine exactly what is stored and what the configuration names now: all of it, or one. Nothing of it when it is not
   * what the person saw.
   */
  trust(projectId: ProjectId, proposed: readonly Check[], { name, seen = [] }: Chosen, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, machine } = this.#deps
      const store = new CheckStore(tx)
      const stored = await store.list(projectId)
      const known = await store.sights(projectId, machine)
      const wanted = proposed.filter(({ name: one }) => stored.find(check => check.name === one)?.source !== 'operator')
      const kept = stored.filter(check => !wanted.some(one => one.name === check.name))
      if (name !== undefined && ![...stored, ...proposed].some(check => check.name === name))
        throw ThreadError.CHECK_NOT_FOUND({ name })
      for (const check of [...kept, ...wanted]) {
        if (name !== undefined && check.name !== name) continue
        const before = stored.find(one => one.name === check.name)
        const isKept = JSON.stringify(before) === JSON.stringify(inOrder(check))
        if (isKept && isSame(known.get(check.name) ?? [], check.command)) continue
        if (!seen.some(one => one.name === check.name && isSame(one.command, check.command)))
          throw ThreadError.CHECK_CHANGED({ name: check.name, command: check.command })
        if (!isKept) await store.save(projectId, check, clock.now())
        await store.saw(projectId, machine, check, clock.now())
        await new SnapshotStore(tx).unsettle(projectId)
        await events.publish(tx, CheckTrusted, { projectId, name: check.name }, by, projectId)
      }
    })
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** As the store answers it. */
function inOrder({ name, command, required, minutes, source }: Check): Check {
  return { name, command, required, minutes, source }
}

/** Why a person must accept what the project would have accepted by its checks. */
export function whyNotByChecks(
  accept: AcceptPolicy,
  plan: readonly PlannedCheck[],
  flagged: readonly FlaggedFile[] = [],
): Text | undefined {
  if (accept !== 'checks') return undefined
  if (!plan.some(({ required, trusted }) => required && trusted)) return NOT_BY_CHECKS
  const files = flagged.filter(({ why }) => why === 'check').map(({ path }) => path)
  return files.length === 0 ? undefined : changesWhatChecksRun(files)
}

const SHOWN = 5

function changesWhatChecksRun(files: readonly string[]): Text {
  const shown = files.slice(0, SHOWN)
  const more = files.length - shown.length
  return {
    en: `It changes what the checks run (${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}), so that they may have passed because of it: a person must accept this.`,
    ja: `チェックの実行内容を変えるため (${shown.join('、')}${more > 0 ? ` ほか ${more} 件` : ''})、その変更で合格した可能性があります。人の承認が必要です。`,
  }
}

const NOT_BY_CHECKS = {
  en: 'Checks accept work in this project, but none that is required may run, so a person must accept this. Add one: `toryo project check add`.',
  ja: 'このプロジェクトではチェックの合格で承認しますが、実行できる必須のチェックがないため、人の承認が必要です。`toryo project check add` で追加できます。',
}
