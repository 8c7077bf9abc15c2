// Descriptors that our parent left open, which every process that we start would inherit. The hub keeps such files from the programs
// that it starts, at a price: a bash in between, and /dev/null for each number up to the highest. Tests that are about it open a
// file of their own; all others would pay for what the machine happens to leave open.
import fs from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/** Not what Node itself has opened: that does not go to other processes. */
export function closeInherited() {
  // Elsewhere than on Linux nothing says which these are.
  if (!fs.existsSync('/proc/self/fdinfo')) return
  for (const fd of fs.readdirSync('/proc/self/fd').map(Number)) {
    if (fd > 2 && isInherited(fd)) fs.closeSync(fd)
  }
}

/** @param {number} fd */
function isInherited(fd) {
  const file = `/proc/self/fdinfo/${fd}`
  // The descriptor of the listing itself is gone by now.
  if (!fs.existsSync(file)) return false
  const flags = /^flags:\s*(\d+)/m.exec(fs.readFileSync(file, 'latin1'))?.[1] ?? '0'
  return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
}
