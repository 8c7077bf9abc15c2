// The one gate before every start of an engine: has a person looked at the folder's agent configuration? The hub looks at
// folders of its own machine; of others, Runners say what they saw. Decided here, for all of them.
import { type Caller, callerName } from '#contract/caller.ts'
import type { HubError } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { type AgentConfigSeen, ProjectTrusted, StartRefused, TrustError } from '#contract/trust.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { hashOf, isCovered, isNothing, type Sighting, unknownOf } from './model.ts'
import type { Owner, Owners, Scout } from './ports.ts'
import { TrustStore } from './store.ts'

export type TrustDeps = {
  db: Db
  events: EventLog
  clock: Clock
  scout: Scout
  owners: Owners
  /** The Runner of this hub: what it sees, the hub can look at itself. */
  runner: string
}

/** What there is to be trusted, read before the transaction. `directory`: the folder that it is kept for. */
export type Evidence = { projectId: ProjectId | null; directory: string; seen: AgentConfigSeen }

export type RefusedStart = { start: Sighting; unknown: readonly string[]; refusal: HubError }

/** Of many files the first ones say enough. */
const NAMED = 5

export class Trusts {
  readonly #deps: TrustDeps

  constructor(deps: TrustDeps) {
    this.#deps = deps
  }

  /** Throws TRUST_REQUIRED unless the folder brings no configuration, or one that was trusted. */
  async check(directory: string): Promise<void> {
    const refusal = await this.refusal(directory)
    if (refusal) throw refusal
  }

  async refusal(directory: string): Promise<HubError | undefined> {
    const { scout, owners } = this.#deps
    const project = (await owners.of(directory))?.directory ?? directory
    const looked = await scout.look(directory, project)
    if (isNothing(looked)) return undefined
    const place = await scout.placeOf(project)
    const unknown = await this.#unknown(place.directory, { ...looked, remote: place.remote })
    return unknown && required(directory, unknown, looked, `toryo project trust --dir ${quoted(directory)}`)
  }

  /** What is in `directory`, to be trusted for the project that it belongs to, or for itself where it belongs to none. */
  async evidence(directory: string, project?: Owner): Promise<Evidence> {
    const { scout, owners } = this.#deps
    const owner = project ?? (await owners.of(directory))
    const looked = await scout.look(directory, owner?.directory ?? directory)
    const place = await scout.placeOf(owner?.directory ?? directory)
    const seen = { ...looked, remote: place.remote }
    if (looked.excess !== undefined) throw required(directory, [looked.excess], looked, '')
    return { projectId: owner?.id ?? null, directory: place.directory, seen }
  }

  /** What is in `directory`, and which of it is not trusted yet. */
  async look(directory: string): Promise<{ evidence: Evidence; unknown: readonly string[] }> {
    const owner = (await this.#deps.owners.of(directory)) ?? { id: '' as ProjectId, directory }
    const evidence = await this.evidence(directory, owner)
    return { evidence, unknown: (await this.#unknown(evidence.directory, evidence.seen)) ?? [] }
  }

  /** What a Runner saw on its own machine when it last refused to start; undefined where it did not. */
  async sighted(projectId: ProjectId, runner: string): Promise<Evidence | undefined> {
    const sighting = await new TrustStore(this.#deps.db).findSighting({ projectId, runner, taskId: null })
    if (sighting?.seen.excess !== undefined) throw this.#requiredBy(sighting, [sighting.seen.excess])
    return sighting && { projectId, directory: sighting.place, seen: sighting.seen }
  }

  /** True when there was something to trust. */
  grant({ directory, seen: { files, remote } }: Evidence, by: Caller, projectId?: ProjectId): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      if (Object.keys(files).length === 0) return false
      const hash = hashOf(files)
      await new TrustStore(tx).save({ directory, remote, hash, files, by: callerName(by), at: this.#deps.clock.now() })
      await this.#deps.events.publish(tx, ProjectTrusted, { directory, remote, hash }, by, projectId)
      return true
    })
  }

  /** A Runner is about to start in a project's folder, or asks whether it may by now. Remembered while it may not. */
  inspect(looked: Omit<Sighting, 'at'>, by: Caller): Promise<HubError | undefined> {
    return this.#deps.db.tx(async tx => {
      const store = new TrustStore(tx)
      const { projectId, runner, seen } = looked
      const unknown = await this.#unknown(looked.place, seen)
      if (!unknown) {
        await store.forgetSighting(looked)
        return undefined
      }
      const before = await store.findSighting(looked)
      const refusal = this.#requiredBy(looked, unknown)
      await store.saveSighting({ ...looked, at: this.#deps.clock.now() })
      const isNews = before === undefined || hashOf(before.seen.files) !== hashOf(seen.files)
      const fact = { projectId, runner, problem: refusal.text.en, refusal: refusal.text }
      if (isNews) await this.#deps.events.publish(tx, StartRefused, fact, by, projectId)
      return refusal
    })
  }

  /** What a workspace brings, for `inspect`. Reads files: not for use inside a transaction. */
  async seenIn(folder: string, project: string): Promise<{ directory: string; place: string; seen: AgentConfigSeen }> {
    const { scout } = this.#deps
    const looked = await scout.look(folder, project)
    const place = await scout.placeOf(project)
    return { directory: folder, place: place.directory, seen: { ...looked, remote: place.remote } }
  }

  /**
   * Looks again at the workspaces in which this hub's Runner refused to start: what they bring may be another by now. Reads files: not
   * for use inside a transaction.
   */
  async lookAgain(project: Owner, by: Caller): Promise<void> {
    const { runner } = this.#deps
    for (const { start } of await this.refusedStarts({ projectId: project.id, runner })) {
      if (start.taskId === null) continue
      const now = await this.seenIn(start.directory, project.directory)
      if (JSON.stringify(now.seen) !== JSON.stringify(start.seen)) await this.inspect({ ...start, ...now }, by)
    }
  }

  /** Starts that Runners refused and would still refuse: of one project or of all, by one Runner or by any. */
  async refusedStarts(
    wanted: { projectId?: ProjectId; runner?: string; taskId?: TaskId | null } = {},
  ): Promise<RefusedStart[]> {
    const sightings = await new TrustStore(this.#deps.db).listSightings(wanted.projectId)
    const refused: RefusedStart[] = []
    for (const start of sightings) {
      if (wanted.runner !== undefined && wanted.runner !== start.runner) continue
      if (wanted.taskId !== undefined && wanted.taskId !== start.taskId) continue
      const unknown = await this.#unknown(start.place, start.seen)
      if (unknown) refused.push({ start, unknown, refusal: this.#requiredBy(start, unknown) })
    }
    return refused
  }

  /** What a person runs who has looked at it: the hub looks again itself where it can, else it takes the Runner's word. */
  commandFor({ projectId, runner, taskId, directory }: Omit<Sighting, 'at' | 'seen' | 'place'>): string {
    if (taskId !== null) return `toryo project trust --dir ${quoted(directory)}`
    const project = `toryo project trust ${quoted(projectId)}`
    return runner === this.#deps.runner ? project : `${project} --runner ${quoted(runner)}`
  }

  /** The Runner of another machine that saw it; undefined for the hub's own. */
  elsewhere({ runner }: Pick<Sighting, 'runner'>): string | undefined {
    return runner === this.#deps.runner ? undefined : runner
  }

  #requiredBy(start: Omit<Sighting, 'at'>, unknown: readonly string[]): HubError {
    const isWorkspace = start.taskId !== null
    return required(start.directory, unknown, start.seen, this.commandFor(start), this.elsewhere(start), isWorkspace)
  }

  /** Names of what no person has looked at; undefined where all of it is trusted. */
  async #unknown(place: string, { files, remote, excess }: AgentConfigSeen): Promise<string[] | undefined> {
    if (excess !== undefined) return [excess]
    if (Object.keys(files).length === 0) return undefined
    const trusts = await new TrustStore(this.#deps.db).list(place, remote)
    return trusts.some(trust => isCovered(files, trust.files)) ? undefined : unknownOf(files, trusts)
  }
}

function required(
  directory: string,
  names: readonly string[],
  { excess }: Pick<AgentConfigSeen, 'excess'>,
  command: string,
  runner?: string,
  workspace?: boolean,
): HubError {
  const shown = names.slice(0, NAMED).join(', ')
  const files = names.length > NAMED ? `${shown}, … (${names.length})` : shown
  return TrustError.TRUST_REQUIRED({ directory, files, command, runner, excess: excess !== undefined, workspace })
}

/** To be pasted into a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
