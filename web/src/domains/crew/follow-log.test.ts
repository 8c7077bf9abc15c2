import { afterEach, expect, test, vi } from 'vitest'

class FakeSocket extends EventTarget {
  static last: FakeSocket | undefined
  readonly asked: string
  constructor(url: string) {
    super()
    this.asked = url.split('?')[1] ?? ''
    FakeSocket.last = this
  }
  close(): void {}
  say(data: string | ArrayBuffer): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }))
  }
}

afterEach(() => vi.unstubAllGlobals())

async function followed() {
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { protocol: 'http:', host: 'hub' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => draw())
  // It looks at the browser while it is loaded.
  const { LogFollower } = await import('./follow-log.ts')
  return new LogFollower('run_1')
}

test('who asks for the whole log while the line is cut gets one socket, not a second by the retry', async () => {
  vi.useFakeTimers()
  try {
    const follower = await followed()
    follower.start()
    FakeSocket.last?.say('{"from":9}')
    FakeSocket.last?.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }))
    follower.fromStart()
    const asked = FakeSocket.last
    await vi.advanceTimersByTimeAsync(20_000)
    expect(FakeSocket.last).toBe(asked)
    follower.stop()
  } finally {
    vi.useRealTimers()
  }
})

test('a piece of a log may have more lines than a call may have arguments', async () => {
  const follower = await followed()
  follower.start()
  FakeSocket.last?.say('{"from":0}')
  const bytes = new TextEncoder().encode('\n'.repeat(500_000))
  expect(follower.log.get().state).toBe('live')
  FakeSocket.last?.say(bytes.buffer)
  const { lines, dropped } = follower.log.get()
  expect(lines.length + dropped).toBe(500_000)
  follower.stop()
})

const numbered = (from: number, count: number) =>
  new TextEncoder().encode(Array.from({ length: count }, (_, at) => `${from + at}\n`).join('')).buffer

test('of a long log the newest lines are kept, and how many came before them is said', async () => {
  const follower = await followed()
  follower.start()
  expect(FakeSocket.last?.asked).toMatch(/^tail=/)
  FakeSocket.last?.say('{"from":7}')
  for (let from = 0; from < 200_000; from += 10_000) {
    FakeSocket.last?.say(numbered(from, 10_000))
    expect(follower.log.get().lines.length).toBeLessThan(61_000)
  }
  const { lines, dropped, state } = follower.log.get()
  expect([lines.at(-1), lines[0], state]).toEqual(['199999', String(dropped), 'live'])
  expect(dropped).toBeGreaterThan(100_000)
  follower.stop()
})

test('read from its beginning a long log stops when it is full, goes on where it was, and leads back to its end', async () => {
  const follower = await followed()
  follower.start()
  follower.fromStart()
  const first = FakeSocket.last
  expect(first?.asked).toBe('from=0')
  first?.say('{"from":0}')
  const piece = numbered(0, 70_000)
  first?.say(piece)
  const { lines, state, dropped } = follower.log.get()
  expect([lines[0], lines.length, state, dropped]).toEqual(['0', 50_000, 'full', 0])
  // Nothing more is read, and nothing is tried again, until somebody wants it.
  first?.say(numbered(70_000, 10))
  first?.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }))
  expect(follower.log.get().lines).toHaveLength(50_000)
  expect(follower.log.get().state).toBe('full')

  follower.further()
  const second = FakeSocket.last
  expect(second).not.toBe(first)
  expect(second?.asked).toBe(`from=${piece.byteLength}`)
  second?.say(`{"from":${piece.byteLength}}`)
  second?.say(numbered(70_000, 5))
  second?.say('{"ended":true}')
  const next = follower.log.get()
  expect([next.lines[0], next.lines.at(-1), next.dropped, next.state]).toEqual(['50000', '70004', 50_000, 'ended'])

  follower.toEnd()
  expect(FakeSocket.last?.asked).toMatch(/^tail=/)
  expect(follower.log.get()).toMatchObject({ lines: [], dropped: 0, state: 'opening' })
  follower.stop()
})
