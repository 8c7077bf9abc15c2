import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

test('a browser that shows notices only from a service worker, as on Android, takes nothing else down', async () => {
  class Refusing {
    static readonly permission = 'granted'
    constructor() {
      throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.')
    }
  }
  vi.stubGlobal('localStorage', { getItem: () => 'on', setItem() {}, removeItem() {} })
  vi.stubGlobal('window', { Notification: Refusing })
  vi.stubGlobal('Notification', Refusing)
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  const { notifyOutside, wantsNotices } = await import('./notices.ts')
  expect(wantsNotices.get()).toBe(true)
  expect(() => notifyOutside({ id: 'a', title: 'A', body: null }, () => {})).not.toThrow()
})
