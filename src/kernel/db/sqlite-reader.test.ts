import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { until } from '#test/until.ts'
import { answerMigrations, saveAnswer } from '../answers.ts'
import { openSqlite } from './sqlite.ts'
import { Sqlite } from './sqlite-port.ts'

async function withDatabase(
  work: (place: {
    database: Awaited<ReturnType<typeof openSqlite>>
    file: string
    count: () => Promise<number>
  }) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'toryo-reader-'))
  const file = join(home, 'one.db')
  const database = await openSqlite(file, answerMigrations, () => 0)
  const answers = () => database.tables<{ answers: { at: number } }>().selectFrom('answers').select('at').execute()
  try {
    await work({ database, file, count: async () => (await answers()).length })
  } finally {
    await database.close()
    rmSync(home, { recursive: true })
  }
}

test('a commit is seen by the next read, however soon, and a transaction that is rolled back by none', () =>
  withDatabase(async ({ database, count }) => {
    // No time passes: nothing but the commit itself ends what a read holds.
    using _ = vi.spyOn(performance, 'now').mockReturnValue(1)
    for (let n = 0; n < 20; n++) {
      expect(await count()).toBe(n)
      const failed = database.tx(async tx => {
        await saveAnswer(tx, `failed ${n}`, 'b', 'v', 1)
        expect(await count()).toBe(n)
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await count()).toBe(n)
      await database.tx(tx => saveAnswer(tx, `k${n}`, 'b', 'v', 1))
      expect(await count()).toBe(n + 1)
    }
  }))

test('what another program has written is seen, too, and reads that never pause do not keep the log from being tidied', () =>
  withDatabase(async ({ database, file, count }) => {
    await database.tx(tx => saveAnswer(tx, 'ours', 'b', 'v', 1))
    const other = new Sqlite(file)
    expect(await count()).toBe(1)
    other.run('DELETE FROM answers')
    await until(async () => (await count()) === 0)
    // It waits for readers, for five seconds as every connection of ours; with one that holds on for ever it would fail.
    other.exec('PRAGMA busy_timeout = 0')
    await until(() => other.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy'] === 0)
    other.close()
    // Each of these commits reads as well; the log is used again from its beginning, and stays as small as one turn of it.
    const one = database.tables<{ answers: { at: number } }>().selectFrom('answers').select('at').limit(1)
    for (let n = 0; n < 300; n++) {
      await one.execute()
      await database.tx(tx => saveAnswer(tx, `k${n}`, 'b', 'v'.repeat(40_000), 1))
    }
    expect(statSync(`${file}-wal`).size).toBeLessThan(6_000_000)
  }))
