import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { CoreError } from '#contract/errors.ts'
import { type Writer, WriteQueue } from './write-queue.ts'

/** Records every statement; `fails` says at which statement it breaks, and how badly. */
function recorder(fails: { at?: string; fatal?: boolean } = {}) {
  const said: string[] = []
  const say = (statement: string) => {
    said.push(statement)
    if (statement === fails.at) throw new Error(`broken at ${statement}`)
  }
  const writer: Writer = {
    kysely: {} as Kysely<unknown>,
    run: async () => [],
    begin: () => say('BEGIN'),
    commit: wroteEvents => say(wroteEvents ? 'COMMIT with events' : 'COMMIT'),
    rollback: () => say('ROLLBACK'),
    exec: statement => say(statement),
    isFatal: () => fails.fatal === true,
    translate: error => new Error(`translated: ${(error as Error).message}`),
  }
  return { said, writer }
}

const TWO = ['SAVEPOINT verb', 'RELEASE SAVEPOINT verb']
const BACK = ['SAVEPOINT verb', 'ROLLBACK TO SAVEPOINT verb', 'RELEASE SAVEPOINT verb']

test('verbs that arrive together share one commit, and answer only after it', async () => {
  const { said, writer } = recorder()
  const queue = new WriteQueue(writer, () => said.push('woken'))
  const answers = await Promise.all([1, 2, 3].map(n => queue.run(async () => n)))
  said.push(`answered ${answers.join()}`)
  expect(said).toEqual(['BEGIN', ...TWO, ...TWO, ...TWO, 'COMMIT', 'answered 1,2,3'])
})

/** A verb in each turn of the event loop, as a connection brings one line in a turn. */
function oneATurn(queue: WriteQueue, count: number): Promise<unknown> {
  return new Promise(resolve => {
    const all: Promise<unknown>[] = []
    const next = () => {
      if (all.length + 1 < count) setImmediate(next)
      all.push(queue.run(async () => {}))
      if (all.length === count) resolve(Promise.all(all))
    }
    next()
  })
}

test('verbs that come one after the other without a pause share one commit, too', async () => {
  const { said, writer } = recorder()
  await oneATurn(new WriteQueue(writer, () => {}), 16)
  expect(said.filter(statement => statement === 'COMMIT')).toHaveLength(1)
})

test('the first of an endless row of verbs does not wait for all of them', async () => {
  const { said, writer } = recorder()
  await oneATurn(new WriteQueue(writer, () => {}), 200)
  expect(said.filter(statement => statement === 'COMMIT').length).toBeGreaterThan(3)
  const first = said.slice(0, said.indexOf('COMMIT')).filter(statement => statement === 'SAVEPOINT verb')
  expect(first.length).toBeLessThanOrEqual(40)
})

test('a verb that fails takes back its own writes and nobody else’s', async () => {
  const { said, writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  const outcomes = await Promise.allSettled([
    queue.run(async () => 'kept'),
    queue.run(async () => {
      throw new Error('no')
    }),
    queue.run(async () => 'kept too'),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: 'translated: no' } })
  expect(said).toEqual(['BEGIN', ...TWO, ...BACK, ...TWO, 'COMMIT'])
})

test('a verb that is alone needs no savepoint, and takes the whole transaction back when it fails', async () => {
  const { said, writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  expect(await queue.run(async () => 'done')).toBe('done')
  expect(said.splice(0)).toEqual(['BEGIN', 'COMMIT'])
  const failed = queue.run(() => Promise.reject(new Error('no')))
  await expect(failed).rejects.toThrow('translated: no')
  expect(said.splice(0)).toEqual(['BEGIN', 'ROLLBACK'])
  expect(await queue.run(async () => 'next')).toBe('next')
})

describe.each([
  ['alone', 0, ['BEGIN', 'COMMIT with events'], 'ROLLBACK'],
  ['with another', 1, ['BEGIN', ...TWO, ...TWO, 'COMMIT with events'], 'COMMIT'],
] as const)('%s', (_, others, kept, undone) => {
  const beside = (queue: WriteQueue) => Array.from({ length: others }, () => queue.run(async () => {}))

  test('a refusal that keeps its writes is not rolled back, and its events wake readers', async () => {
    const { said, writer } = recorder()
    let woken = 0
    const queue = new WriteQueue(writer, () => woken++)
    const refused = queue.run(async tx => {
      tx.wroteEvents()
      throw CoreError.NOT_ALLOWED({ what: { en: 'no', ja: 'no' } }).keepingWrites()
    })
    await Promise.all([expect(refused).rejects.toThrow('translated: no'), ...beside(queue)])
    expect(said).toEqual(kept)
    expect(woken).toBe(1)
  })

  test('events of a verb that was taken back wake nobody', async () => {
    const { said, writer } = recorder()
    let woken = 0
    const queue = new WriteQueue(writer, () => woken++)
    const failed = queue.run(async tx => {
      tx.wroteEvents({ seq: 1 })
      throw new Error('no')
    })
    await Promise.all([expect(failed).rejects.toThrow('no'), ...beside(queue)])
    expect([said.at(-1), woken]).toEqual([undone, 0])
  })
})

test('readers get the rows of a commit in their order, and none when one of them is not known', async () => {
  const told: (readonly object[] | undefined)[] = []
  const queue = new WriteQueue(recorder().writer, rows => told.push(rows))
  const write = (...rows: (object | undefined)[]) =>
    queue.run(async tx => {
      for (const row of rows) tx.wroteEvents(row)
    })
  await Promise.all([write({ seq: 1 }, { seq: 2 }), write(), write({ seq: 3 })])
  await Promise.all([write({ seq: 4 }), write(undefined)])
  expect(told).toEqual([[{ seq: 1 }, { seq: 2 }, { seq: 3 }], undefined])
})

test.each([
  ['a fatal error inside a verb', { at: 'RELEASE SAVEPOINT verb', fatal: true }],
  ['a commit that fails', { at: 'COMMIT' }],
  ['a begin that fails', { at: 'BEGIN' }],
])('%s fails every member of the batch, and the next batch starts clean', async (_, fails) => {
  const { said, writer } = recorder(fails)
  const queue = new WriteQueue(writer, () => {})
  const outcomes = await Promise.allSettled([1, 2].map(n => queue.run(async () => n)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(said.at(-1)).toBe('ROLLBACK')
  delete (fails as { at?: string }).at
  expect(await queue.run(async () => 'again')).toBe('again')
})

test('a verb inside another joins its transaction', async () => {
  const { said, writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  expect(await queue.run(tx => tx.tx(inner => inner.tx(async () => 'inmost')))).toBe('inmost')
  expect(said).toEqual(['BEGIN', 'COMMIT'])
})

test('more verbs than a batch holds are committed in several', async () => {
  const { said, writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  await Promise.all(Array.from({ length: 600 }, () => queue.run(async () => {})))
  expect(said.filter(statement => statement === 'COMMIT')).toHaveLength(3)
})

test('closing waits for what was asked before, and refuses what comes after', async () => {
  const { writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  const before = queue.run(async () => 'done')
  await queue.close()
  expect(await before).toBe('done')
  await expect(queue.run(async () => {})).rejects.toThrow('closed')
})

test('an account that queues thousands delays another by its share, not by all of them', async () => {
  const { writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  const done: string[] = []
  const verb = (name: string) => async () => void done.push(name)
  const flood = Array.from({ length: 10_000 }, (_, n) => queue.run(verb(`flood ${n}`), 'flood'))
  const others = ['a', 'b'].map(name => queue.run(verb(name), name))
  const own = queue.run(verb('hub'))
  await Promise.all([...others, own])
  // All in the first round of turns, and the flood goes on in its own order.
  expect(done.slice(0, 4)).toEqual(['flood 0', 'a', 'b', 'hub'])
  await Promise.all(flood)
  expect(done.filter(name => name.startsWith('flood'))).toEqual(flood.map((_, n) => `flood ${n}`))
})

test('more accounts than a batch holds all get their turn', async () => {
  const { writer } = recorder()
  const queue = new WriteQueue(writer, () => {})
  const done: number[] = []
  const lanes = Array.from({ length: 600 }, (_, n) => n)
  const verbs = [0, 1, 2].flatMap(() => lanes.map(n => queue.run(async () => void done.push(n), `lane ${n}`)))
  await Promise.all(verbs)
  expect(done).toEqual([...lanes, ...lanes, ...lanes])
})
