import { expect, test } from 'vitest'
import { listAll } from './list-all.ts'

function pages(total: number, largest: number) {
  const asked: number[] = []
  const fetchPage = async ({ limit, cursor }: { limit: number; cursor?: string }) => {
    asked.push(limit)
    const from = Number(cursor ?? 0)
    const rows = Array.from({ length: Math.min(limit, largest, total - from) }, (_, index) => from + index)
    const next = from + rows.length
    return { rows, ...(next < total ? { next_cursor: String(next) } : {}) }
  }
  return { asked, fetchPage }
}

test('follows the pages to the end', async () => {
  const { fetchPage } = pages(450, 200)
  const { rows, next_cursor } = await listAll(1000, 'rows', fetchPage)
  expect(rows).toEqual(Array.from({ length: 450 }, (_, index) => index))
  expect(next_cursor).toBeUndefined()
})

test('stops at the limit and says that there is more', async () => {
  const { asked, fetchPage } = pages(450, 200)
  const { rows, next_cursor } = await listAll(250, 'rows', fetchPage)
  expect(rows).toHaveLength(250)
  expect(next_cursor).toBe('250')
  expect(asked).toEqual([200, 50])
})

test('goes on after a page that was cut short', async () => {
  const { rows } = await listAll(100, 'rows', pages(60, 7).fetchPage)
  expect(rows).toHaveLength(60)
})

test('what the pages say besides their rows stays', async () => {
  const pages = [
    { project_id: 'prj_1', steps: [1], next_cursor: 'a', truncated: true },
    { project_id: 'prj_1', steps: [2] },
  ]
  expect(await listAll(10, 'steps', async () => pages.shift() ?? { steps: [] })).toEqual({
    project_id: 'prj_1',
    steps: [1, 2],
  })
})
