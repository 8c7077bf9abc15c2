// What a decision takes on disk, from `dbstat`: the same on every machine. `--rows N`; the aim is named for 100,000.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { atMost, figure, report } from '../report.ts'
import { bytesOf, writeDecisions } from './sizes.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } })
const rows = Number(values.rows)
const folder = mkdtempSync(join(tmpdir(), 'toryo-size-'))
try {
  const file = join(folder, 'toryo.db')
  const { characters, cpuMs } = await writeDecisions(file, rows)
  const { parts, total } = bytesOf(file)
  report(`${rows} decisions of ${Math.round(characters)} characters, without stored answers`, [
    ...Object.entries(parts).map(([part, bytes]) => figure(part, bytes / rows, ' B')),
    figure('CPU of the verb', cpuMs, ' ms'),
    // What the file takes whatever is in it weighs on few rows, and so do the words of the indexes.
    rows >= 100_000
      ? atMost('all of the file', total / rows, 1500, ' B')
      : figure('all of the file', total / rows, ' B'),
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
