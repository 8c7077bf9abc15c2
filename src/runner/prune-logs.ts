// Logs of instances are kept for people who look; the oldest go when all together take too much room.
import fs from 'node:fs'
import path from 'node:path'

const ALL_LOGS_BYTES = 2 * 1024 ** 3

export function pruneLogs(home: string, most = ALL_LOGS_BYTES): void {
  const folder = path.join(home, 'logs', 'instances')
  if (!fs.existsSync(folder)) return
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.log'))
    .flatMap(name => {
      const file = path.join(folder, name)
      const stats = fs.statSync(file, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ file, size: stats.size, at: stats.mtimeMs }] : []
    })
    .sort((a, b) => b.at - a.at)
  let sum = 0
  for (const { file, size } of files) {
    sum += size
    if (sum > most) fs.rmSync(file, { force: true })
  }
}
