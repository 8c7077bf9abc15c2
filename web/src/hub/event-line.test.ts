import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Sockets of a hub that says what the test says. */
class Socket extends EventTarget {
  static readonly OPEN = 1
  static all: Socket[] = []
  readonly readyState = 1
  readonly sent: string[] = []
  readonly url: string
  isClosed = false
  constructor(url: string) {
    super()
    this.url = url
    Socket.all.push(this)
  }
  close(): void {
    this.isClosed = true
  }
  send(text: string): void {
    this.sent.push(text)
  }
  say(what: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(what) }))
  }
  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

const page = { window: new EventTarget(), document: Object.assign(new EventTarget(), { visibilityState: 'visible' }) }
vi.stubGlobal('WebSocket', Socket)
vi.stubGlobal('window', page.window)
vi.stubGlobal('document', page.document)
vi.stubGlobal('location', { protocol: 'http:', host: 'hub' })
vi.stubGlobal('localStorage', { getItem: () => 'token', removeItem: () => undefined, setItem: () => undefined })
const { EventLine, line } = await import('./event-line.ts')
const { watch } = await import('./watched.ts')

beforeEach(() => {
  vi.useFakeTimers()
  Socket.all = []
})
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())

function open(more: { seq?: number; at?: string | null } = {}) {
  const hub = { seq: 10, at: '2026-04-06T10:00:00.000Z' as string | null, isAway: false, asked: 0, ...more }
  const heard: number[] = []
  const changes: object[] = []
  let dropped = 0
  const one = new EventLine({
    heard: events => heard.push(...events.map(({ seq }) => seq)),
    changed: change => changes.push(change),
    resync: () => void dropped++,
    start: async () => {
      hub.asked++
      if (hub.isAway) throw new Error('away')
      return { seq: hub.seq, at: hub.at }
    },
  })
  one.start()
  stops.push(() => one.stop())
  return { hub, heard, changes, one, dropped: () => dropped, last: () => Socket.all.at(-1) as Socket }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

test('it resumes after the last event that was applied, and hears each once', async () => {
  const { hub, heard, last, dropped } = open()
  await settled()
  expect(last().url).toContain('since=10')
  last().say({ seq: 11 })
  last().say({ seq: 12 })
  const old = last()
  old.end(1006)
  expect(line.get().kind).toBe('cut')
  hub.seq = 40
  await vi.advanceTimersByTimeAsync(1000)
  expect(last().url).toContain('since=12')
  old.say({ seq: 13 })
  last().say({ seq: 13 })
  expect(heard).toEqual([11, 12, 13])
  expect(dropped()).toBe(0)
})

test('it names its place by number and moment: after a backup was restored, another event may have the number', async () => {
  const { hub, last, dropped } = open()
  await settled()
  expect(last().url).toBe(`ws://hub/events?since=10&at=${hub.at}`)
  last().say({ seq: 11, at: '2026-04-06T10:00:01.000Z' })
  last().end(1006)
  // It was restored, and has grown beyond that place meanwhile.
  Object.assign(hub, { seq: 40, at: '2026-04-06T11:00:00.000Z' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(last().url).toBe('ws://hub/events?since=11&at=2026-04-06T10:00:01.000Z')
  last().end(4008)
  await settled()
  expect(dropped()).toBe(1)
  expect(last().url).toBe(`ws://hub/events?since=40&at=${hub.at}`)
})

test('a log without any event has no moment', async () => {
  const { last } = open({ seq: 0, at: null })
  await settled()
  expect(last().url).toBe('ws://hub/events?since=0&at=')
})

test('a hub that said that it stops is known to have stopped until one answers again; one that is only gone is not', async () => {
  const { hub, last } = open()
  await settled()
  last().say({ tick: 10 })
  last().end(1006)
  expect(line.get()).toMatchObject({ kind: 'cut', isStopped: false })
  await vi.advanceTimersByTimeAsync(1000)
  last().say({ tick: 10 })
  last().end(1001)
  expect(line.get()).toMatchObject({ kind: 'cut', isStopped: true })
  hub.isAway = true
  await vi.advanceTimersByTimeAsync(20_000)
  expect(line.get()).toMatchObject({ kind: 'cut', isStopped: true })
  hub.isAway = false
  await vi.advanceTimersByTimeAsync(20_000)
  last().say({ tick: 10 })
  last().end(1006)
  expect(line.get()).toMatchObject({ kind: 'cut', isStopped: false })
})

test.each([
  ['more than 5,000 events were missed', { seq: 6000 }, 6000],
  ['a backup was restored: it has fewer events', { seq: 4 }, 4],
])('what is shown is loaded again when %s', async (_, change, since) => {
  const { hub, last, dropped } = open()
  await settled()
  last().say({ seq: 11 })
  last().end(1006)
  Object.assign(hub, change)
  await vi.advanceTimersByTimeAsync(1000)
  expect(dropped()).toBe(1)
  expect(last().url).toContain(`since=${since}`)
})

test('a hub that finds the page too slow has it look again at once', async () => {
  const { hub, last, dropped } = open()
  await settled()
  last().say({ seq: 11 })
  hub.seq = 900
  last().end(4008)
  await settled()
  expect(dropped()).toBe(1)
  expect(last().url).toContain('since=900')
})

test('while the hub is away it is tried after 0.5, 1, 2, 4, 8 and 8 seconds; coming online tries at once', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { hub, last } = open()
  await settled()
  hub.isAway = true
  last().end(1006)
  for (const wait of [500, 1000, 2000, 4000, 8000, 8000]) {
    const { asked } = hub
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(hub.asked).toBe(asked)
    await vi.advanceTimersByTimeAsync(1)
    expect(hub.asked).toBe(asked + 1)
  }
  hub.isAway = false
  page.window.dispatchEvent(new Event('online'))
  await settled()
  last().say({ tick: 10 })
  expect(line.get()).toEqual({ kind: 'live', seq: 10 })
  random.mockRestore()
})

test('forty seconds without a tick are a cut', async () => {
  const { last } = open()
  await settled()
  last().say({ tick: 10 })
  await vi.advanceTimersByTimeAsync(39_000)
  expect(last().isClosed).toBe(false)
  await vi.advanceTimersByTimeAsync(2000)
  expect(last().isClosed).toBe(true)
})

test('it names the worktrees that views show, to each new socket, and none while the page is hidden', async () => {
  const { changes, one, last } = open()
  await settled()
  const leave = [watch(['wt_b', 'wt_a']), watch(['wt_a'])]
  expect(last().sent).toEqual(['{"watch":["wt_a","wt_b"]}'])
  last().say({ type: 'worktree.changed', payload: { worktreeId: 'wt_a', files: 1, added: 2, removed: 0 } })
  expect(changes).toEqual([{ worktreeId: 'wt_a', files: 1, added: 2, removed: 0 }])
  Object.assign(page.document, { visibilityState: 'hidden' })
  page.document.dispatchEvent(new Event('visibilitychange'))
  expect(last().sent.at(-1)).toBe('{"watch":[]}')
  Object.assign(page.document, { visibilityState: 'visible' })
  page.document.dispatchEvent(new Event('visibilitychange'))
  one.reconnect()
  await settled()
  expect(Socket.all).toHaveLength(2)
  last().dispatchEvent(new Event('open'))
  expect(last().sent).toEqual(['{"watch":["wt_a","wt_b"]}'])
  for (const one of leave) one()
  expect(last().sent.at(-1)).toBe('{"watch":[]}')
  one.stop()
})

test('after the machine slept the page says since when it has heard nothing, and goes on where it was', async () => {
  const { hub, last, heard } = open()
  await settled()
  last().say({ seq: 11 })
  const at = Date.now()
  const asleep = last()
  // No timer runs while it sleeps; the clock does.
  vi.setSystemTime(at + 8 * 3_600_000)
  hub.isAway = true
  hub.seq = 30
  await vi.advanceTimersByTimeAsync(5000)
  expect(line.get()).toMatchObject({ kind: 'cut', since: at })
  expect(asleep.isClosed).toBe(true)
  hub.isAway = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(last().url).toContain('since=11')
  last().say({ seq: 12 })
  expect(line.get()).toEqual({ kind: 'live', seq: 12 })
  expect(heard).toEqual([11, 12])
})

test('whoever looks at the page again sees at once that it slept; a clock that is set back changes nothing', async () => {
  const { last, one } = open()
  await settled()
  last().say({ seq: 11 })
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(line.get().kind).toBe('live')
  last().say({ tick: 11 })
  vi.setSystemTime(Date.now() + 3_600_000)
  page.document.dispatchEvent(new Event('visibilitychange'))
  expect(line.get().kind).toBe('cut')
  one.stop()
})
