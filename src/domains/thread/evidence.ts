// The verbs on evidence: written down before its process starts, and ended once, with the slot that it holds.
import type { Caller } from '#contract/caller.ts'
import type { EvidenceId, MergeId, ProjectId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { EvidenceOutcome } from '#contract/thread.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { CheckEnded, CheckStarted } from '#contract/thread-events.ts'
import { pathIn } from '#contract/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import { plannedRecord, type ProcessRecord } from '#kernel/processes/record.ts'
import { freeSlot, partOf, slotsTaken, takeSlots } from '#kernel/slots.ts'
import { EvidenceStore } from './evidence-store.ts'
import type { Check, Evidence } from './model.ts'

/** What is checked. */
export type Subject = {
  taskId: TaskId
  projectId: ProjectId
  snapshotId: SnapshotId | null
  mergeId: MergeId | null
  tree: string
}
export type CheckEnd = Pick<Evidence, 'exitCode' | 'tail' | 'remark' | 'logPath'> & { outcome: EvidenceOutcome }

type Deps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  limits: () => { checks: number }
  /** What the file of the project says besides. */
  narrowed: (projectId: ProjectId) => Promise<{ checks?: number }>
  logFolder: string
}

export class EvidenceLog {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  find(id: EvidenceId): Promise<Evidence | undefined> {
    return new EvidenceStore(this.#deps.db).find(id)
  }

  async logOf(id: EvidenceId): Promise<{ file: string; isOver: () => Promise<boolean> }> {
    if (!(await this.find(id))) throw ThreadError.EVIDENCE_NOT_FOUND({ evidenceId: id })
    const isOver = async () => (await this.find(id))?.endedAt !== null
    return { file: pathIn(this.#deps.logFolder, `${id}.log`), isOver }
  }

  /** Newest first. */
  list(taskId: TaskId, limit: number): Promise<Evidence[]> {
    return new EvidenceStore(this.#deps.db).list(taskId, limit)
  }

  ofSnapshot(id: SnapshotId): Promise<Evidence[]> {
    return new EvidenceStore(this.#deps.db).ofSnapshot(id)
  }

  ofMerge(id: MergeId): Promise<Evidence[]> {
    return new EvidenceStore(this.#deps.db).ofMerge(id)
  }

  listOpen(place: string): Promise<Evidence[]> {
    return new EvidenceStore(this.#deps.db).listOpen(place)
  }

  /** The processes of all hubs' checks, also those that are only about to start. */
  async listRunning(): Promise<ProcessRecord[]> {
    return (await new EvidenceStore(this.#deps.db).listRunning()).flatMap(({ process }) => process ?? [])
  }

  /** Undefined while as many run on this machine as may. */
  begin(
    subject: Subject,
    check: Check,
    place: string,
    by: Caller,
  ): Promise<{ evidence: Evidence; marker: string } | undefined> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, events, limits, narrowed } = this.#deps
      const id = ids.next('evd')
      const pool = poolOf(place)
      const { checks = Infinity } = await narrowed(subject.projectId)
      if ((await slotsTaken(tx, partOf(pool, subject.projectId))) >= checks) return undefined
      if (!(await takeSlots(tx, pool, limits().checks, [id], clock.steady()))) return undefined
      await takeSlots(tx, partOf(pool, subject.projectId), Infinity, [id], clock.steady())
      const marker = ids.secret('mark')
      const evidence: Evidence = {
        ...subject,
        id,
        name: check.name,
        command: check.command,
        required: check.required,
        place,
        process: plannedRecord(marker),
        startedAt: clock.now(),
        beganAt: clock.steady(),
        endedAt: null,
        durationMs: null,
        outcome: null,
        exitCode: null,
        tail: '',
        remark: null,
        logPath: null,
      }
      await new EvidenceStore(tx).insert(evidence)
      const fact = { taskId: subject.taskId, evidenceId: id, check: check.name }
      await events.publish(tx, CheckStarted, fact, by, subject.projectId)
      return { evidence, marker }
    })
  }

  started(id: EvidenceId, process: ProcessRecord): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new EvidenceStore(tx)
      const evidence = await store.find(id)
      if (evidence?.endedAt === null) await store.save({ ...evidence, process })
    })
  }

  /** It keeps its first end. */
  end(id: EvidenceId, { outcome, exitCode, tail, remark, logPath }: CheckEnd, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { clock, events } = this.#deps
      const store = new EvidenceStore(tx)
      const evidence = await store.find(id)
      if (evidence?.endedAt !== null) return
      const durationMs = Math.max(0, clock.steady() - evidence.beganAt)
      const ended = { outcome, exitCode, tail, remark, logPath, durationMs, endedAt: clock.now(), process: null }
      await store.save({ ...evidence, ...ended })
      await freeSlot(tx, poolOf(evidence.place), id, evidence.projectId)
      const fact = { taskId: evidence.taskId, evidenceId: id, check: evidence.name, outcome }
      await events.publish(tx, CheckEnded, fact, by, evidence.projectId)
    })
  }
}

/** Each machine has its own: they share no processors. */
function poolOf(place: string): string {
  return `checks ${place}`
}
