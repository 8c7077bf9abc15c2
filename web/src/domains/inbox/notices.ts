// Notices of the browser: asked for in the settings, only while the page is hidden, once for each item. No React.
import { createStore } from '../../hub/store.ts'
import { local } from '../../hub/kept.ts'

const KEY = 'toryo.notices'

export type Notice = { id: string; title: string; body: string | null }

/** Whether the person asked for them, in this browser. */
export const wantsNotices = createStore(local.getItem(KEY) === 'on')

export const canNotify = (): boolean => 'Notification' in window

/** False: the browser refuses. */
export async function chooseNotices(isOn: boolean): Promise<boolean> {
  const isAllowed = isOn && canNotify() && (await Notification.requestPermission()) === 'granted'
  wantsNotices.set(isAllowed)
  if (isAllowed) local.setItem(KEY, 'on')
  else local.removeItem(KEY)
  return isAllowed || !isOn
}

/** Those that were not there when this page looked last. */
export function fresh<T extends Notice>(notices: readonly T[], known: ReadonlySet<string>): T[] {
  return notices.filter(({ id }) => !known.has(id))
}

/** `open` is called when it is clicked. The texts are texts: browsers draw no markup in them. */
export function notifyOutside({ id, title, body }: Notice, open: () => void): void {
  if (!wantsNotices.get() || document.visibilityState === 'visible' || !canNotify()) return
  if (Notification.permission !== 'granted') return
  const notice = shown({ id, title, body })
  notice?.addEventListener('click', () => {
    window.focus()
    open()
    notice.close()
  })
}

/** Undefined on phones: Android lets only a service worker show one, and says so by throwing. */
function shown({ id, title, body }: Notice): Notification | undefined {
  try {
    // Two pages of one browser show one.
    return new Notification(title, { tag: id, ...(body !== null && { body: body.slice(0, 200) }) })
  } catch {
    return undefined // The page itself still says what waits.
  }
}
