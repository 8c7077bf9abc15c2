// Which processes belong to one that we started: those that carry its mark, are in its group or session, or descend from one
// of these. Some programs run their tools in sessions of their own, so the process group alone misses them.
import { bootId, carries, findProcess, listProcesses, type ProcessInfo } from '#system/processes.ts'
import { Turn } from '#system/turn.ts'
import { isStill, type ProcessRecord } from './record.ts'

/** A placeholder for processes that may exist when we cannot look. No process has this number. */
const UNKNOWN = [-1]

export class Family {
  readonly #record: ProcessRecord
  readonly #own: boolean
  /** All seen so far. One that left the group and dropped the mark later is still known by number and start. */
  readonly #known = new Map<number, string>()

  /** `own`: we started it and were there until now, so that its number had no time to become another process's. */
  constructor(record: ProcessRecord, own: boolean) {
    this.#record = record
    this.#own = own
  }

  /** The members that run now, found by looking at every process of the system. */
  async find(): Promise<number[]> {
    try {
      await this.#look()
      return this.living()
    } catch {
      return [...this.#known.keys(), ...UNKNOWN] // A process that cannot be seen counts as running.
    }
  }

  async #look(): Promise<void> {
    const record = this.#record
    if (record.boot !== bootId()) return
    const all = await listProcesses()
    const leader = this.#leads(all)
    const turn = new Turn()
    for (const info of all.values()) {
      // A process that is older does not descend from it.
      if (info.zombie || Number(info.start) < Number(record.start)) continue
      const inside = leader && (info.pid === record.pid || info.group === record.pid || info.session === record.pid)
      if (inside || carries(info.pid, record.marker)) this.#known.set(info.pid, info.start)
      await turn.over()
    }
    this.#addDescendants(all)
    for (const pid of [process.pid, 1]) this.#known.delete(pid)
  }

  /** The members seen before that still run: cheap, but blind to new ones. */
  living(): number[] {
    for (const [pid, start] of this.#known) {
      const now = find(pid)
      if (now === 'unknown') continue
      if (now === undefined || now.zombie || now.start !== start) this.#known.delete(pid)
    }
    return [...this.#known.keys()]
  }

  signal(signal: NodeJS.Signals): void {
    // A process is signalled only while its identity can be verified.
    const members = this.living().filter(pid => find(pid) !== 'unknown')
    // To the group first, at one stroke: a member that forks meanwhile leaves no child out.
    if (members.includes(this.#record.pid)) send(-this.#record.pid, signal)
    for (const pid of members) send(pid, signal)
  }

  /** Whether a group or session with the leader's number is the leader's. */
  #leads(all: Map<number, ProcessInfo>): boolean {
    // Zero is the group of the kernel's own, and in a container of the first process.
    if (this.#record.pid <= 1) return false
    const now = all.get(this.#record.pid)
    if (now === undefined) return this.#own
    if (now.start !== this.#record.start) return false
    return this.#own || isStill(this.#record)
  }

  #addDescendants(all: Map<number, ProcessInfo>): void {
    const children = new Map<number, ProcessInfo[]>()
    for (const info of all.values()) {
      const siblings = children.get(info.parent)
      if (siblings) siblings.push(info)
      else children.set(info.parent, [info])
    }
    const queue = [...this.#known.keys()]
    for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
      for (const child of children.get(pid) ?? []) {
        if (child.zombie || this.#known.has(child.pid)) continue
        this.#known.set(child.pid, child.start)
        queue.push(child.pid)
      }
    }
  }
}

function find(pid: number): ProcessInfo | undefined | 'unknown' {
  try {
    return findProcess(pid)
  } catch {
    return 'unknown'
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone meanwhile, or now another user's: the last look shows what is left.
  }
}
