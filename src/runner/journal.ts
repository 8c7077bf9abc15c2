// What this Runner has started, on disk: one folder per Runner with a lock for its life, in it one private folder per instance.
// After a crash the next Runner on this machine gets the lock, and with it the duty to end what was left.
import fs from 'node:fs'
import path from 'node:path'
import { checkFolder } from '#client/trusted-path.ts'
import type { ApiInput } from '#contract/api.ts'
import { pathIn } from '#contract/ids.ts'
import { type Lock, takeLock } from '#kernel/db/lock.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { replaceFile } from '#system/files.ts'

export type Ending = Omit<ApiInput<'runner.ended'>, 'instance_id'>

export type Entry = {
  instanceId: string
  /** The hub and Runner that it belongs to: others know nothing of it. */
  hub: string
  runner: string
  process: ProcessRecord
  /** It has ended, so, and the hub does not know yet. */
  ending?: Ending
}

export class Journal {
  readonly folder: string
  readonly #lock: Lock

  private constructor(folder: string, lock: Lock) {
    this.folder = folder
    this.#lock = lock
  }

  static create(home: string, name: string): Journal {
    const folder = pathIn(runnersIn(home), name)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    checkFolder(folder)
    const lock = takeLock(path.join(folder, 'lock'))
    if (!lock) throw new Error(`${folder} belongs to a Runner that runs`)
    return new Journal(folder, lock)
  }

  /** Those of Runners that ended without having put everything in order. Their locks are ours from now on. */
  static abandoned(home: string): Journal[] {
    const all = runnersIn(home)
    checkFolder(home)
    checkFolder(all)
    const found: Journal[] = []
    for (const name of namesIn(all)) {
      const folder = path.join(all, name)
      const lock = lockIn(folder)
      if (lock) found.push(new Journal(folder, lock))
    }
    return found
  }

  folderOf(instanceId: string): string {
    return pathIn(this.folder, instanceId)
  }

  /** All or nothing, and on the disk when it returns: the process is only started after this. */
  save(entry: Entry): void {
    const folder = this.folderOf(entry.instanceId)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(fs, path.join(folder, 'instance.json'), `${JSON.stringify(entry, null, 2)}\n`)
  }

  remove(instanceId: string): void {
    fs.rmSync(this.folderOf(instanceId), { recursive: true, force: true })
  }

  entries(): Entry[] {
    return namesIn(this.folder).flatMap(name => {
      const entry = read(path.join(this.folder, name, 'instance.json'))
      return entry?.instanceId === name ? [entry] : []
    })
  }

  /** The folder goes with its last instance. */
  close(): void {
    const isEmpty = this.entries().length === 0
    this.#lock.release()
    if (isEmpty) fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

function runnersIn(home: string): string {
  return path.join(home, 'runners')
}

function namesIn(folder: string): string[] {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : []
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
}

function lockIn(folder: string): Lock | undefined {
  try {
    return takeLock(path.join(folder, 'lock'))
  } catch {
    return undefined // Its owner is just taking the folder away.
  }
}

/** Made before the launch and replaced as a whole: what is not readable was never started. */
function read(file: string): Entry | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Entry
  } catch {
    return undefined
  }
}
