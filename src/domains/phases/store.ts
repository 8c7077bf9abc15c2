import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Lang } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import type { Phase, PhaseResult } from '#contract/phases.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { Checkpoint, NewPrompt, PhaseState, Prompt, Transition, Turn } from './model.ts'
import type { PhaseTables } from './schema.ts'

type Shelf = { source: string; phase: Phase; language: Lang }

export class PromptStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<PhaseTables>()
  }

  async insert(prompt: NewPrompt): Promise<Prompt> {
    const row = await this.#q
      .insertInto('phase_prompts')
      // The number is the database's to give.
      .values(prompt as Insertable<PhaseTables['phase_prompts']>)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toPrompt(row)
  }

  async newest(shelf: Shelf): Promise<Prompt | undefined> {
    return toPromptMaybe(await this.#on(shelf).orderBy('number', 'desc').limit(1).executeTakeFirst())
  }

  /** The one a phase keeps: the newest it could know when it started, else the first that came after. */
  async kept(shelf: Shelf, upto: number): Promise<Prompt | undefined> {
    const then = this.#on(shelf).where('number', '<=', upto).orderBy('number', 'desc').limit(1)
    const later = this.#on(shelf).where('number', '>', upto).orderBy('number').limit(1)
    return toPromptMaybe((await then.executeTakeFirst()) ?? (await later.executeTakeFirst()))
  }

  /** The newest that was known then. */
  async upTo(shelf: Shelf, upto: number): Promise<Prompt | undefined> {
    const query = this.#on(shelf).where('number', '<=', upto)
    return toPromptMaybe(await query.orderBy('number', 'desc').limit(1).executeTakeFirst())
  }

  async version(shelf: Shelf, version: number, sha256?: string): Promise<Prompt | undefined> {
    let query = this.#on(shelf).where('version', '=', version)
    if (sha256 !== undefined) query = query.where('sha256', '=', sha256)
    return toPromptMaybe(await query.orderBy('number', 'desc').limit(1).executeTakeFirst())
  }

  async history(shelf: Shelf, below: number, limit: number): Promise<Prompt[]> {
    const rows = await this.#on(shelf).where('number', '<', below).orderBy('number', 'desc').limit(limit).execute()
    return rows.map(toPrompt)
  }

  /** The number of the last prompt the hub knows, of whatever kind. */
  async last(): Promise<number> {
    const row = await this.#q
      .selectFrom('phase_prompts')
      .select('number')
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.number ?? 0
  }

  #on({ source, phase, language }: Shelf) {
    return this.#q
      .selectFrom('phase_prompts')
      .selectAll()
      .where('source', '=', source)
      .where('phase', '=', phase)
      .where('language', '=', language)
  }
}

const statesOf = fixed((q: Kysely<PhaseTables>, values: { projectId: ProjectId }) =>
  q.selectFrom('phase_states').selectAll().where('project_id', '=', values.projectId).orderBy('phase'),
)

export class PhaseStore {
  readonly #rows: Rows
  readonly #q

  constructor(rows: Rows) {
    this.#rows = rows
    this.#q = rows.tables<PhaseTables>()
  }

  async states(projectId: ProjectId): Promise<PhaseState[]> {
    return (await statesOf(this.#rows, { projectId })).map(toState)
  }

  async insert(state: PhaseState): Promise<void> {
    await this.#q.insertInto('phase_states').values(fromState(state)).execute()
  }

  /** Compare-and-set: false when another caller changed it since it was read. */
  async replace(before: PhaseState, after: PhaseState): Promise<boolean> {
    const { project_id, phase, ...changes } = fromState(after)
    const { numUpdatedRows } = await this.#q
      .updateTable('phase_states')
      .set(changes)
      .where('project_id', '=', project_id)
      .where('phase', '=', phase)
      .where('status', '=', before.status)
      .where('revision', '=', before.revision)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  async remove(state: PhaseState): Promise<void> {
    await this.#q
      .deleteFrom('phase_states')
      .where('project_id', '=', state.projectId)
      .where('phase', '=', state.phase)
      .execute()
  }

  /** Projects in the middle of this phase. */
  async inProgress(phase: Phase, limit: number): Promise<string[]> {
    const query = this.#q.selectFrom('phase_states').select('project_id').where('phase', '=', phase)
    const rows = await query.where('status', '=', 'in_progress').orderBy('project_id').limit(limit).execute()
    return rows.map(row => row.project_id)
  }

  /** The one that the project is in. */
  async round(projectId: ProjectId): Promise<number> {
    const query = this.#q.selectFrom('phase_turns').select('round').where('project_id', '=', projectId)
    return (await query.orderBy('number', 'desc').limit(1).executeTakeFirst())?.round ?? 1
  }

  async addTurn({ projectId, states, ...rest }: Turn): Promise<void> {
    const row = { ...rest, project_id: projectId, states: JSON.stringify(states) }
    await this.#q
      .insertInto('phase_turns')
      .values(row as Insertable<PhaseTables['phase_turns']>)
      .execute()
  }

  /** Newest first, with their numbers. */
  async turns(projectId: ProjectId, below: number, limit: number): Promise<(Turn & { number: number })[]> {
    const rows = await this.#newest('phase_turns', projectId, below, limit)
    return rows.map(({ project_id, states, ...row }) => ({
      ...row,
      projectId: project_id,
      kind: row.kind as Turn['kind'],
      phase: row.phase as Phase,
      states: JSON.parse(states) as PhaseState[],
    }))
  }

  async addTransition({ projectId, nextPhase, result, missing, ...rest }: Transition): Promise<void> {
    const row = {
      ...rest,
      project_id: projectId,
      next_phase: nextPhase,
      result: JSON.stringify(result),
      missing: JSON.stringify(missing),
    }
    await this.#q
      .insertInto('phase_transitions')
      .values(row as Insertable<PhaseTables['phase_transitions']>)
      .execute()
  }

  /** Oldest first. */
  async transitions(projectId: ProjectId, phase: Phase, round: number): Promise<Transition[]> {
    const rows = await this.#q
      .selectFrom('phase_transitions')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('phase', '=', phase)
      .where('round', '=', round)
      .orderBy('number')
      .execute()
    return rows.map(toTransition)
  }

  /** Of all phases and rounds, newest first, with their numbers. */
  async lastTransitions(
    projectId: ProjectId,
    below: number,
    limit: number,
  ): Promise<(Transition & { number: number })[]> {
    const rows = await this.#newest('phase_transitions', projectId, below, limit)
    return rows.map(row => ({ ...toTransition(row), number: row.number }))
  }

  /** The last step of each project, if it was after `since`. */
  async newestTransitions(since: number, limit: number): Promise<Transition[]> {
    const newest = this.#q
      .selectFrom('phase_transitions')
      .select(q => q.fn.max('number').as('number'))
      .groupBy('project_id')
    const query = this.#q.selectFrom('phase_transitions').selectAll().where('number', 'in', newest)
    return (await query.where('at', '>', since).orderBy('number').limit(limit).execute()).map(toTransition)
  }

  /** Of both tables a row is numbered as it comes. */
  async #newest<T extends 'phase_turns' | 'phase_transitions'>(
    table: T,
    projectId: ProjectId,
    below: number,
    limit: number,
  ): Promise<Selectable<PhaseTables[T]>[]> {
    const rows = await this.#q
      // Kysely cannot know that both have these columns.
      .selectFrom(table as 'phase_turns')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('number', '<', below)
      .orderBy('number', 'desc')
      .limit(limit)
      .execute()
    return rows as unknown as Selectable<PhaseTables[T]>[]
  }

  async addCheckpoint(
    at: { projectId: ProjectId; phase: Phase; round: number },
    checkpoint: Omit<Checkpoint, 'number'>,
  ): Promise<void> {
    const { data, ...rest } = checkpoint
    const row = { ...rest, project_id: at.projectId, phase: at.phase, round: at.round, data: JSON.stringify(data) }
    await this.#q
      .insertInto('phase_checkpoints')
      .values(row as Insertable<PhaseTables['phase_checkpoints']>)
      .execute()
  }

  /** Newest first. */
  async checkpoints(
    { projectId, phase, round }: { projectId: ProjectId; phase: Phase; round: number },
    below: number,
    limit: number,
  ): Promise<Checkpoint[]> {
    const rows = await this.#q
      .selectFrom('phase_checkpoints')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('phase', '=', phase)
      .where('round', '=', round)
      .where('number', '<', below)
      .orderBy('number', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ number, name, data, caller, at }) => ({ number, name, data: JSON.parse(data), caller, at }))
  }

  async countCheckpoints(projectId: ProjectId, round: number): Promise<Map<string, number>> {
    const rows = await this.#q
      .selectFrom('phase_checkpoints')
      .select(q => ['phase', q.fn.countAll<number>().as('count')])
      .where('project_id', '=', projectId)
      .where('round', '=', round)
      .groupBy('phase')
      .execute()
    return new Map(rows.map(row => [row.phase, Number(row.count)]))
  }
}

function toPrompt(row: Selectable<PhaseTables['phase_prompts']>): Prompt {
  return { ...row, phase: row.phase as Phase, language: row.language as Lang }
}

function toPromptMaybe(row: Selectable<PhaseTables['phase_prompts']> | undefined): Prompt | undefined {
  return row && toPrompt(row)
}

function toTransition(row: Selectable<PhaseTables['phase_transitions']>): Transition {
  return {
    projectId: row.project_id,
    phase: row.phase as Phase,
    request: row.request,
    result: JSON.parse(row.result) as PhaseResult,
    nextPhase: row.next_phase as Phase | null,
    missing: JSON.parse(row.missing) as string[],
    caller: row.caller,
    at: row.at,
    round: row.round,
  }
}

function toState(row: PhaseTables['phase_states']): PhaseState {
  return {
    projectId: row.project_id,
    phase: row.phase as Phase,
    status: row.status as PhaseState['status'],
    startedAt: row.started_at,
    completedAt: row.completed_at,
    result: row.result === null ? null : (JSON.parse(row.result) as PhaseResult),
    promptsUpto: row.prompts_upto,
    revision: row.revision,
    reason: row.reason,
  }
}

function fromState(state: PhaseState): PhaseTables['phase_states'] {
  return {
    project_id: state.projectId,
    phase: state.phase,
    status: state.status,
    started_at: state.startedAt,
    completed_at: state.completedAt,
    result: state.result && JSON.stringify(state.result),
    prompts_upto: state.promptsUpto,
    revision: state.revision,
    reason: state.reason,
  }
}
