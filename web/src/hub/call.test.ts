import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('document', { documentElement: { lang: 'en' } })
vi.stubGlobal('localStorage', { getItem: () => 'token', removeItem: () => undefined, setItem: () => undefined })
const { line } = await import('./event-line.ts')
const { asked, Overtaken, Unreached, write } = await import('./call.ts')

const hub = { isAway: false, keys: [] as string[], asked: [] as string[] }
vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
  hub.asked.push(url)
  hub.keys.push(headers['idempotency-key'] ?? '')
  if (hub.isAway) throw new TypeError('Failed to fetch')
  return new Response('{}', { headers: { 'x-toryo-seq': '1' } })
})

const cut = () => line.set({ kind: 'cut', since: 0, retryAt: 0, seq: 1, isStopped: false })
const back = () => line.set({ kind: 'live', seq: 1 })
const ahead = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const move = { task_id: 'tsk_a' as never, status: 'done' } as const

beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(hub, { isAway: true, keys: [], asked: [] })
})
afterEach(() => void vi.useRealTimers())
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())

test('a write that is lost with the connection waits for it, and is sent again with the same key', async () => {
  cut()
  let done = false
  const sent = write('task.move', move).then(() => (done = true))
  await ahead(3_600_000)
  expect([done, hub.keys.length]).toEqual([false, 1])
  hub.isAway = false
  back()
  await sent
  expect(hub.keys).toHaveLength(2)
  expect(new Set(hub.keys).size).toBe(1)
})

test('while events come and calls do not, it is tried a few times and then given up', async () => {
  back()
  const sent = write('task.move', move).catch((error: unknown) => error)
  await ahead(8000)
  expect(await sent).toBeInstanceOf(Unreached)
  expect(hub.keys).toHaveLength(5)
})

test('what the hub has forgotten the key of is not sent again', async () => {
  cut()
  const sent = write('task.move', move).catch((error: unknown) => error)
  await ahead(24 * 3_600_000)
  hub.isAway = false
  back()
  expect(await sent).toBeInstanceOf(Unreached)
  expect(hub.keys).toHaveLength(1)
})

test('what another changed meanwhile is not overwritten by a write of before', async () => {
  cut()
  const isOvertaken = vi.fn<() => Promise<boolean>>(async () => true)
  const sent = write('task.move', move, isOvertaken).catch((error: unknown) => error)
  await ahead(1000)
  expect(isOvertaken).not.toHaveBeenCalled()
  back()
  expect(await sent).toBeInstanceOf(Overtaken)
  expect(hub.keys).toHaveLength(1)
})

test('what is never shown before it happened is listed with its moment while it is under way', async () => {
  cut()
  const sent = [write('tab.stop', { tab_id: 'tab_1' as never }), write('task.move', move)]
  await ahead(0)
  expect(asked.get()).toMatchObject([{ verb: 'stop', at: Date.now() }])
  hub.isAway = false
  back()
  await Promise.all(sent)
  expect(asked.get()).toEqual([])
})

test('what begins something is sent once however often it is pressed before the hub answers, and again after that', async () => {
  back()
  hub.isAway = false
  const again = () => write('run.repeat', { run_id: 'run_1' as never })
  const pressed = [again(), again(), write('run.repeat', { run_id: 'run_2' as never })]
  await Promise.all(pressed)
  expect(hub.keys).toHaveLength(2)
  await again()
  expect(new Set(hub.keys).size).toBe(3)
})

test('what is set one way, the other and the first again is sent each time, in this order', async () => {
  back()
  hub.isAway = false
  const to = (status: 'todo' | 'done') => write('task.move', { ...move, status })
  await Promise.all([to('done'), to('todo'), to('done')])
  expect(hub.keys).toHaveLength(3)
})
