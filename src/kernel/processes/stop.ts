// Ends a process and all that came from it, by a ladder, in bounded time, and says which step was enough.
import { setTimeout as sleep } from 'node:timers/promises'
import { Family } from './family.ts'
import type { ProcessRecord } from './record.ts'

export type StopOptions = {
  /** A polite request in the program's own way, such as closing its input. */
  ask?: () => void
  askMs?: number
  /** Between the signal to end and the one that cannot be refused. */
  graceMs?: number
  killMs?: number
  /** We started it and have watched it until now. After a crash it is not so, and only its mark proves whose it is. */
  own?: boolean
}

export type StopReport = {
  /** The step after which no process was left; `gone`: none was there; `survived`: one still is. */
  how: 'gone' | 'asked' | 'terminated' | 'killed' | 'survived'
  /** How many were running when we began. */
  found: number
  survivors: number[]
}

const ASK_MS = 2000
const GRACE_MS = 10_000
const KILL_MS = 3000

/** At most 15 s with the limits as they are. A process is never signalled by its number alone. */
export async function stop(record: ProcessRecord, options: StopOptions = {}): Promise<StopReport> {
  if (process.platform === 'win32') return stopOnWindows(record)
  const family = new Family(record, options.own ?? false)
  const found = (await family.find()).length
  const report = (how: StopReport['how']): StopReport => ({ how, found, survivors: family.living() })
  if (found === 0) return report('gone')

  if (options.ask) {
    options.ask()
    if (await emptied(family, options.askMs ?? ASK_MS)) return report('asked')
  }

  family.signal('SIGTERM')
  family.signal('SIGCONT') // A stopped process gets to know of the first only when it runs again.
  if (await emptied(family, options.graceMs ?? GRACE_MS)) return report('terminated')

  return report((await killAll(family, options.killMs ?? KILL_MS)) ? 'killed' : 'survived')
}

/** Looks often at the known processes and, before believing that all are gone, at every process. */
async function emptied(family: Family, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    if (family.living().length === 0 && (await isEmpty(family))) return true
    const left = deadline - performance.now()
    if (left <= 0) return false
    await sleep(Math.min(pause, left))
  }
}

/** Twice: one that goes on in a new process all the time can slip through a single look, which takes its time. */
async function isEmpty(family: Family): Promise<boolean> {
  return (await family.find()).length === 0 && (await family.find()).length === 0
}

/** One that forks faster than we look is frozen first: a stopped process has no more children. */
async function killAll(family: Family, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    if (await isEmpty(family)) return true
    if (performance.now() >= deadline) return false
    family.signal('SIGSTOP')
    await family.find()
    family.signal('SIGKILL')
    await sleep(pause)
  }
}

/** There are no groups and no marks: the tree as the system knows it is all that can be had. */
async function stopOnWindows({ pid }: ProcessRecord): Promise<StopReport> {
  const { spawnSync } = await import('node:child_process')
  const { status } = spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true })
  return { how: status === 0 ? 'killed' : 'gone', found: status === 0 ? 1 : 0, survivors: [] }
}
