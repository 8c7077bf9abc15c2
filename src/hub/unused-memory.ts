// Gives memory back after much work. V8 collects when it needs room, not when there is nothing to do: a hub that two hundred agents
// called would keep 147 MB in place of 104 for as long as they stay connected and quiet.
import v8 from 'node:v8'
import vm from 'node:vm'

const MB = 1024 * 1024
/** Not worth a pause of the hub. */
const LITTLE = 16 * MB
/** A hub that works this share of the time is not to be stopped. */
const QUIET = 0.02

type Deps = {
  /** Milliseconds of CPU time, and of time, since the process began. */
  cpu: () => number
  now: () => number
  /** What the heap takes, in bytes. */
  heap: () => number
  collect: () => void
}

export class UnusedMemory {
  readonly #deps: Deps
  #cpu: number
  #at: number
  /** What the heap took after the last collection. Before the first, all that a start left behind may go. */
  #kept = 0

  constructor(deps: Deps = ofThisProcess) {
    this.#deps = deps
    this.#cpu = deps.cpu()
    this.#at = deps.now()
  }

  /** From time to time. */
  look(): void {
    const { cpu, now, heap, collect } = this.#deps
    const [usedCpu, time] = [cpu(), now()]
    const isQuiet = usedCpu - this.#cpu < (time - this.#at) * QUIET
    this.#cpu = usedCpu
    this.#at = time
    if (!isQuiet || heap() < this.#kept + LITTLE) return
    collect()
    this.#kept = heap()
    // Its own cost does not count as work of the hub.
    this.#cpu = cpu()
  }
}

let collector: (() => void) | undefined

export const ofThisProcess: Deps = {
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  now: () => performance.now(),
  heap: () => v8.getHeapStatistics().total_heap_size,
  collect: () => {
    collector ??= exposed()
    // The first finds what is unused, the second gives its pages back.
    collector()
    collector()
  },
}

/** Node has no other door to it in a program that is already running. */
function exposed(): () => void {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  v8.setFlagsFromString('--no-expose-gc')
  return collect
}
