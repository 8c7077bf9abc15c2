import { afterEach, expect, test, vi } from 'vitest'

class FakeSocket extends EventTarget {
  static last: FakeSocket | undefined
  constructor() {
    super()
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
  expect(follower.log.get().lines).toHaveLength(500_000)
  follower.stop()
})
