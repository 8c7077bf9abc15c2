import { describe, expect, test } from 'vitest'
import { placeFor } from '#test/database.ts'
import { plansOf, watchQueries } from '#test/queries.ts'
import { databases } from '#test/hub.ts'
import { digest } from './ids.ts'
import { answerMigrations, bodyDigest, findAnswer, forgetAnswers, listOldAnswers, saveAnswer } from './answers.ts'

const DAY = 24 * 3600 * 1000
const answer = { session_token: 'sess_very_secret', 名: '棟梁' }

describe.each(databases)('on %s', kind => {
  test('an answer comes back to its own key and body, is sealed in the table, and is forgotten after a day', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(answerMigrations)
    const body = bodyDigest('authenticate', { a: 1 })
    await database.tx(tx => saveAnswer(tx, 'the key', body, answer, DAY))

    expect(await findAnswer(database, 'the key', body)).toEqual({ value: answer })
    expect(await findAnswer(database, 'another key', body)).toBeUndefined()
    const other = bodyDigest('authenticate', { a: 2 })
    await expect(findAnswer(database, 'the key', other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })

    const rows = await database
      .tables<{ answers: Record<string, unknown> }>()
      .selectFrom('answers')
      .selectAll()
      .execute()
    const stored = rows
      .map(row => Object.values(row).map(value => Buffer.from(String(value)).toString('latin1')))
      .join()
    const sealed = Buffer.from(rows[0]?.['sealed'] as Uint8Array).toString('latin1')
    expect(sealed.length).toBeGreaterThan(28)
    for (const secret of ['sess_very_secret', 'the key', Buffer.from('sess_very').toString('base64')])
      expect(stored + sealed).not.toContain(secret)

    expect(await listOldAnswers(database, 2 * DAY, 10)).toEqual([])
    const old = await listOldAnswers(database, 2 * DAY + 1, 10)
    expect(old).toHaveLength(1)
    await database.tx(tx => forgetAnswers(tx, old))
    expect(await findAnswer(database, 'the key', body)).toBeUndefined()
  })

  test('old answers are found by their age, oldest first and no more than asked for, without reading the others', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(answerMigrations)
    const body = bodyDigest('x', {})
    await database.tx(async tx => {
      for (let index = 0; index < 1_200; index++)
        await saveAnswer(tx, `key ${index}`, body, index, index % 2 === 0 ? index : 3 * DAY)
    })
    const first = await listOldAnswers(database, 3 * DAY, 100)
    expect(first).toEqual(Array.from({ length: 100 }, (_, index) => digest(`key ${2 * index}`)))
    for (let old = first; old.length > 0; old = await listOldAnswers(database, 3 * DAY, 100))
      await database.tx(tx => forgetAnswers(tx, old))
    expect(await findAnswer(database, 'key 0', body)).toBeUndefined()
    expect(await findAnswer(database, 'key 1199', body)).toEqual({ value: 1199 })
    const left = await database.tables<{ answers: { at: number } }>().selectFrom('answers').select('at').execute()
    expect(left).toHaveLength(600)
    using watched = watchQueries()
    await listOldAnswers(database, 3 * DAY, 100)
    expect(await plansOf(place.db, watched.take())).toEqual([expect.stringContaining('answers_at')])
  })
})

test('the body of another tool is another body', () => {
  expect(bodyDigest('a', { x: 1 })).not.toBe(bodyDigest('b', { x: 1 }))
})
