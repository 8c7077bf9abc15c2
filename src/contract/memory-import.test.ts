import { expect, test } from 'vitest'
import type { MemoryRecord } from './memory.ts'
import { importMemory } from './memory-import.ts'

const at = '2026-01-01T00:00:00.000Z'
const topic = (id: number, parent_topic_id: number | null = null) =>
  ({ type: 'topic', id, title: `t${id}`, description: null, parent_topic_id, created_at: at }) as MemoryRecord
const decision = (id: number, topic_id: number, reason = '', supersedes: number | null = null) =>
  ({ type: 'decision', id, topic_id, decision: `d${id}`, reason, supersedes, created_at: at }) as MemoryRecord

/** A hub that gives each record a number a thousand higher. */
function hub() {
  const requests: { ids: number[]; known: unknown }[] = []
  const numbers = (records: MemoryRecord[], type: string) =>
    Object.fromEntries(records.flatMap(({ id, type: own }) => (own === type ? [[String(id), Number(id) + 1000]] : [])))
  const send = async (records: MemoryRecord[], known: object) => {
    requests.push({ ids: records.map(({ id }) => Number(id)), known })
    return { topics: numbers(records, 'topic'), decisions: numbers(records, 'decision') }
  }
  return { send, requests }
}

test('what others refer to goes first, in requests that are not too large', async () => {
  const { send, requests } = hub()
  const long = 'あ'.repeat(150_000)
  await importMemory([decision(1, 2, long), decision(2, 2, long), topic(2, 1), topic(1)], send)
  expect(requests.map(({ ids }) => ids)).toEqual([[1, 2, 1], [2]])
  const many = hub()
  await importMemory(
    Array.from({ length: 401 }, (_, index) => topic(index + 1)),
    many.send,
  )
  expect(many.requests.map(({ ids }) => ids.length)).toEqual([200, 200, 1])
})

test('a later request names the new numbers of what it refers to, and no others', async () => {
  const { send, requests } = hub()
  const fill = Array.from({ length: 199 }, (_, index) => topic(index + 2))
  const known = await importMemory([topic(1), ...fill, decision(300, 7), decision(301, 9, '', 300)], send)
  expect(requests[1]).toEqual({ ids: [300, 301], known: { topics: { 7: 1007, 9: 1009 }, decisions: {} } })
  expect(known.topics[200]).toBe(1200)
  expect(known.decisions).toEqual({ 300: 1300, 301: 1301 })
})
