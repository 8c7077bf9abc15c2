// The kernel knows no domain: what it offers is named by what it does. `run` and `memory` are not looked for, since programs run and
// machines have memory.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const WORDS =
  /^(agent|checkpoint|crew|decision|handoff|inbox|lease|passkey|phase|project|role|runner|tab|task|topic|verdict|workspace)s?$/i

/** Words that belong to others: the operating system's, the one that every event has by the contract, and a section of the configuration. */
const KNOWN: Record<string, RegExp> = {
  'config.ts': /'runner'/,
  'db/sqlite.ts': /wal_checkpoint/,
  'db/postgres-events.ts': /project/i,
  'db/sqlite-events.ts': /project/i,
  'event-list.ts': /project/i,
  'event-table.ts': /project/i,
  'events.ts': /project/i,
  'processes/linux-peers.ts': /\/task\//,
}

test('no word of a domain is in the kernel, neither in its code nor in its comments', () => {
  const folder = import.meta.dirname
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => file.split(path.sep).join('/'))
  expect(files).toContain('invoke.ts')
  const found = files.flatMap(file =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isForeign(line) && !KNOWN[file]?.test(line) ? [`${file}:${index + 1} ${line}`] : [])),
  )
  expect(found).toEqual([])
})

test.each([
  ["const projectId = 'x'", true],
  ['// what agents write', true],
  ['type TaskTables = {}', true],
  ['project_id: string', true],
  ['const table = tables[0]', false],
  ["spawn('taskkill')", false],
])('%s: %s', (line, foreign) => {
  expect(isForeign(line)).toBe(foreign)
})

/** Also as a part of a name: `projectId`, `task_id`. */
function isForeign(line: string): boolean {
  return line.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).some(word => WORDS.test(word))
}
