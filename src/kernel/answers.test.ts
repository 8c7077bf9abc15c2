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

  test('old answers are found oldest first and no more than asked for, without reading the others', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(answerMigrations)
    const body = bodyDigest('x', {})
    await database.tx(async tx => {
      for (let index = 0; index < 1_200; index++)
        await saveAnswer(tx, `key ${index}`, body, index, index < 600 ? index : 3 * DAY)
    })
    const first = await listOldAnswers(database, 3 * DAY, 100)
    expect(first).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    for (let old = first; old.length > 0; old = await listOldAnswers(database, 3 * DAY, 100))
      await database.tx(tx => forgetAnswers(tx, old))
    expect(await findAnswer(database, 'key 0', body)).toBeUndefined()
    expect(await findAnswer(database, 'key 1199', body)).toEqual({ value: 1199 })
    const left = await database.tables<{ answers: { at: number } }>().selectFrom('answers').select('at').execute()
    expect(left).toHaveLength(600)
    using watched = watchQueries()
    await listOldAnswers(database, 3 * DAY, 100)
    const [plan] = await plansOf(place.db, watched.take())
    expect(plan).not.toMatch(/sort|TEMP/i)
  })

  test('keys that a connection counts are told apart, and from keys that look like them', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(answerMigrations)
    const body = bodyDigest('x', {})
    const keys = ['one:1', 'one:2', 'one:12', 'two:1', 'one', 'one:', 'one:x', 'one:1:1', `one:${'1'.repeat(13)}`]
    await database.tx(async tx => {
      for (const key of keys) await saveAnswer(tx, key, body, key, DAY)
    })
    for (const key of keys) expect(await findAnswer(database, key, body)).toEqual({ value: key })
    expect(await findAnswer(database, 'one:3', body)).toBeUndefined()
  })

  test('answers that were stored before an update are given after it', async () => {
    await using place = await placeFor(kind)
    const body = bodyDigest('x', { a: 1 })
    const keys = ['secret:1', 'chosen']
    let rows: { at: number; key: Uint8Array; body: Uint8Array; sealed: Uint8Array }[]
    {
      await using source = await placeFor(kind)
      await using database = await source.open(answerMigrations)
      await database.tx(async tx => {
        for (const key of keys) await saveAnswer(tx, key, body, key, DAY)
      })
      rows = await database.tables<{ answers: (typeof rows)[number] }>().selectFrom('answers').selectAll().execute()
    }
    {
      await using database = await place.open(answerMigrations.slice(0, 2))
      type Earlier = { key_digest: string; at: number; body_digest: string; sealed: Uint8Array }
      const earlier = keys.map((key, at) => ({
        ...{ key_digest: digest(key), at: DAY, body_digest: body },
        sealed: rows[at]?.sealed as Uint8Array,
      }))
      await database.tx(
        async tx => void (await tx.tables<{ answers: Earlier }>().insertInto('answers').values(earlier).execute()),
      )
    }
    await using database = await place.open(answerMigrations)
    for (const key of keys) expect(await findAnswer(database, key, body)).toEqual({ value: key })
    await expect(findAnswer(database, 'secret:1', bodyDigest('x', {}))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect(await listOldAnswers(database, 2 * DAY + 1, 10)).toHaveLength(2)
  })
})

test('the body of another tool is another body', () => {
  expect(bodyDigest('a', { x: 1 })).not.toBe(bodyDigest('b', { x: 1 }))
})
