// Whether a file was there before a program began. By the time we read that the program is about to write, it may have written.
import fs from 'node:fs'

/** By the machine's own clock, as the file system tells it. */
export function existedBefore(startMs = Date.now()): (file: string) => boolean {
  return file => {
    const bornMs = birthOf(file)
    return bornMs !== undefined && bornMs < startMs
  }
}

/** Zero where the file system does not keep it: then a file that is there is taken for an old one. */
function birthOf(file: string): number | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.birthtimeMs
  } catch {
    return undefined // Not to be reached: nothing that a program could have found there either.
  }
}
