import fs from 'node:fs'

/** Whether it still runs. One that has ended but was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

/** Containers often have a first process that never collects the ended. Only Linux tells. */
function isZombie(pid: number): boolean {
  try {
    // The name before the state is in brackets and may hold anything.
    return /\) [ZX] [^)]*$/.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false // Not Linux; or gone at this very moment, which the next look sees.
  }
}
